package scrape

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sideServer answers side requests and remembers their paths.
type sideServer struct {
	mu      sync.Mutex
	asked   []string
	answers map[string]string // status and body by path
}

func (s *sideServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.Path)
	status, body := http.StatusNotFound, ""
	if answer, known := s.answers[r.URL.Path]; known {
		_, _ = fmt.Sscanf(answer, "%d %s", &status, &body)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// took returns the paths asked since the last call.
func (s *sideServer) took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := slices.Clone(s.asked)
	s.asked = nil
	return asked
}

func openSide(t *testing.T, answers map[string]string) (*side, *sideServer) {
	t.Helper()
	server := &sideServer{answers: answers}
	target := serve(t, server.ServeHTTP)
	from, err := openSource(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(from.close)
	return newSide(target, from), server
}

func TestSideAsksOnceInALife(t *testing.T) {
	s, server := openSide(t, map[string]string{
		"/version":   `200 {"version":"0.24.0"}`,
		"/v1/models": `200 {"data":[{"id":"chat-8b","owned_by":"vllm","max_model_len":4096},{"id":"fox","parent":"chat-8b"}]}`,
	})
	both := []string{"/version", "/v1/models"}
	for i, row := range []struct {
		outcome Outcome
		want    []string
	}{
		{Outcome{Up: true, Kind: KindVLLM, started: 100}, both},
		{Outcome{Up: true, Kind: KindVLLM, started: 100}, nil},
		{Outcome{Up: true, Kind: KindVLLM, started: 200}, both},
		{Outcome{Up: false, Kind: KindVLLM}, []string{"/health"}},
		{Outcome{Up: true, Kind: KindVLLM, started: 200}, both},
		{Outcome{Up: true, Kind: KindVLLM, started: 200}, nil},
	} {
		s.after(t.Context(), row.outcome, epoch.Add(time.Duration(i)*5*time.Second), 5*time.Second)
		if diff := cmp.Diff(row.want, server.took()); diff != "" {
			t.Errorf("scrape %d: %s", i, diff)
		}
	}
	want := facts{version: "0.24.0", models: "chat-8b,fox", maxModelLen: "4096", vllm: true}
	if got := s.take(); got != want {
		t.Errorf("got %+v", got)
	}
}

// deaf is a server that never answers, and counts.
type deaf struct{ asked map[string]int }

func (d deaf) RoundTrip(r *http.Request) (*http.Response, error) {
	d.asked[r.URL.Path]++
	return nil, io.ErrUnexpectedEOF
}

func TestSideGivesUp(t *testing.T) {
	s, _ := openSide(t, nil)
	silent := deaf{map[string]int{}}
	s.client = &http.Client{Transport: silent}
	for i := range 40 {
		s.after(t.Context(), Outcome{Up: true, Kind: KindVLLM, started: 100}, epoch.Add(time.Duration(i)*time.Second), time.Second)
	}
	want := map[string]int{"/version": 3, "/v1/models": 3}
	if diff := cmp.Diff(want, silent.asked); diff != "" {
		t.Error(diff)
	}
	s.after(t.Context(), Outcome{Up: true, Kind: KindVLLM, started: 200}, epoch, time.Second)
	if silent.asked["/version"] != 4 {
		t.Errorf("a new process is asked anew: %v", silent.asked)
	}
}

func TestSideAsksOnlyVLLM(t *testing.T) {
	for _, row := range []struct {
		outcome Outcome
		want    int
	}{
		{Outcome{Up: true, Kind: KindDCGM}, 0},
		{Outcome{Up: true, Kind: KindOther}, 0},
		{Outcome{Up: true}, 0},
		{Outcome{Up: true, Kind: KindOther, http: true}, 2},
	} {
		s, server := openSide(t, nil)
		s.after(t.Context(), row.outcome, epoch, time.Second)
		if got := server.took(); len(got) != row.want {
			t.Errorf("%+v: asked %q", row.outcome, got)
		}
	}
}

func TestSideHealth(t *testing.T) {
	for answer, want := range map[string]health{"200 ok": healthGood, "503 dead": healthBad, "404 no": healthUnknown} {
		s, server := openSide(t, map[string]string{"/health": answer})
		s.askHealth(t.Context(), epoch, 5*time.Second)
		s.askHealth(t.Context(), epoch.Add(time.Second), 5*time.Second)
		if got := server.took(); len(got) != 1 {
			t.Errorf("asked %q within an interval", got)
		}
		if got := s.take().health; got != want {
			t.Errorf("%s: got %v", answer, got)
		}
		if got := s.take().health; got != healthUnknown {
			t.Errorf("%s: still %v at the next scrape", answer, got)
		}
	}
}

func TestSideNonsense(t *testing.T) {
	s, _ := openSide(t, map[string]string{"/version": "200 <html>", "/v1/models": "401 {}"})
	s.after(t.Context(), Outcome{Up: true, Kind: KindVLLM}, epoch, time.Second)
	if got := s.take(); got != (facts{}) {
		t.Errorf("got %+v", got)
	}
}

func TestNoSideRequests(t *testing.T) {
	target := mustTarget(t, "gpu-a:8000")
	target.NoSideRequests = true
	from, err := openSource(target)
	if err != nil {
		t.Fatal(err)
	}
	s := newSide(target, from)
	s.after(t.Context(), Outcome{Up: true, Kind: KindVLLM}, epoch, time.Second)
	s.askHealth(t.Context(), epoch, time.Second)
	if s != nil || s.take() != (facts{}) {
		t.Error("side requests are on")
	}
}
