package simulate

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func get(t *testing.T, address string) (body string, status int, contentType string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), response.StatusCode, response.Header.Get("Content-Type")
}

func TestServer(t *testing.T) {
	s, err := Listen(t.Context(), build(t, scenario(t, "stuck-engine"), 1), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	base := strings.TrimSuffix(s.URLs[0], "/metrics")
	if body, status, kind := get(t, s.URLs[0]); status != 200 || kind != "text/plain; version=1.0.0; charset=utf-8" || !strings.Contains(body, running) {
		t.Errorf("/metrics of a server: %d, %s, %d bytes", status, kind, len(body))
	}
	if body, status, kind := get(t, s.URLs[1]); status != 200 || kind != "text/plain; version=0.0.4; charset=utf-8" || !strings.Contains(body, gpuUtil) {
		t.Errorf("/metrics of an exporter: %d, %s, %d bytes", status, kind, len(body))
	}
	if _, status, _ := get(t, base+"/health"); status != 200 {
		t.Errorf("/health says %d, want 200", status)
	}
	if body, _, _ := get(t, base+"/version"); body != `{"version":"0.32.0"}`+"\n" {
		t.Errorf("/version says %q", body)
	}
	var list struct {
		Data []struct {
			ID          string `json:"id"`
			MaxModelLen int    `json:"max_model_len"`
		}
	}
	body, _, _ := get(t, base+"/v1/models")
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Data) != 1 || list.Data[0].ID != llama70B.name || list.Data[0].MaxModelLen != 16384 {
		t.Errorf("/v1/models says %s (%v)", body, err)
	}
	if _, status, _ := get(t, base+"/elsewhere"); status != 404 {
		t.Errorf("an unknown path gives %d, want 404", status)
	}
}

// TestServerTimeRuns: at fiftyfold speed, a tenth of a second is five. Much faster, and the race detector cannot keep up.
func TestServerTimeRuns(t *testing.T) {
	s, err := Listen(t.Context(), build(t, scenario(t, "healthy"), 1), 0, 50)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := get(t, s.URLs[0])
	for range 500 {
		if later, _, _ := get(t, s.URLs[0]); later != first {
			return
		}
	}
	t.Error("the page never changes")
}

func TestServerStopsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	s, err := Listen(ctx, build(t, scenario(t, "healthy"), 1), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	get(t, s.URLs[0])
	stop()
	address, err := url.Parse(s.URLs[0])
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		connection, err := net.DialTimeout("tcp", address.Host, time.Second)
		if err != nil {
			return
		}
		_ = connection.Close()
	}
	t.Error("the server still answers")
}

func TestPortInUse(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	_, err = Listen(t.Context(), build(t, scenario(t, "healthy"), 1), taken.Addr().(*net.TCPAddr).Port, 1)
	if err == nil || !strings.Contains(err.Error(), "the port is in use: choose another one") || !strings.Contains(err.Error(), "gpu-a:8000") {
		t.Errorf("error is %v, want one that says that the port is in use", err)
	}
}

// TestSlowPage: a busy API process is late with its page, and in a fleet that runs faster less so.
func TestSlowPage(t *testing.T) {
	f := build(t, scenario(t, "tokenizer-bound"), 1)
	f.AdvanceTo(noon.Add(3 * time.Minute))
	s, err := Listen(t.Context(), f, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.get("gpu-a:8000")
	if err != nil || answer.After < 30*time.Millisecond || answer.After > 100*time.Millisecond {
		t.Errorf("the page takes %v (%v), want a tenth of 0.3 to 1 s", answer.After, err)
	}
	if answer, _ := s.get("gpu-a:9400"); answer.After != 0 {
		t.Errorf("the exporter's page takes %v, want none", answer.After)
	}
}

func TestListenWantsAPort(t *testing.T) {
	for _, port := range []int{-1, 65535} { // the fleet has two targets
		if _, err := Listen(t.Context(), build(t, scenario(t, "kv-thrash"), 1), port, 1); err == nil || !strings.Contains(err.Error(), "must be 0 to 65534") {
			t.Errorf("port %d: error is %v, want its range", port, err)
		}
	}
}

func TestListenWantsASpeed(t *testing.T) {
	if _, err := Listen(t.Context(), build(t, scenario(t, "healthy"), 1), 0, 0); err == nil || err.Error() != "speed is 0, must be 0.01 to 1000" {
		t.Errorf("error is %v, want the speed's range", err)
	}
}

// TestDoorFollowsTheProcess: nothing listens on the port of a server that is down, and on the same port it listens again.
func TestDoorFollowsTheProcess(t *testing.T) {
	scenario := scenario(t, "restart")
	f := build(t, scenario, 1)
	s, err := Listen(t.Context(), f, 0, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(s.URLs[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after time.Duration
		open  bool
	}{{-time.Second, true}, {10 * time.Second, false}, {80 * time.Second, false}, {90 * time.Second, true}} {
		s.mutex.Lock()
		f.AdvanceTo(noon.Add(scenario.Onset + step.after))
		s.mutex.Unlock()
		s.look(t.Context())
		connection, err := net.DialTimeout("tcp", address.Host, time.Second)
		if (err == nil) != step.open {
			t.Errorf("%v after the onset: %v, want open %v", step.after, err, step.open)
		}
		if err == nil {
			_ = connection.Close()
		}
	}
	if body, status, _ := get(t, s.URLs[0]); status != 200 || !strings.Contains(body, started) {
		t.Errorf("the new process answers %d with %d bytes", status, len(body))
	}
}

// TestHealth: 503 once the engine is known to be dead.
func TestHealth(t *testing.T) {
	scenario := scenario(t, "engine-dead")
	f := build(t, scenario, 1)
	s, err := Listen(t.Context(), f, 0, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	health := strings.TrimSuffix(s.URLs[0], "/metrics") + "/health"
	if _, status, _ := get(t, health); status != 200 {
		t.Errorf("/health says %d before the engine dies", status)
	}
	s.mutex.Lock()
	f.AdvanceTo(noon.Add(scenario.Onset + time.Second))
	s.mutex.Unlock()
	if _, status, _ := get(t, health); status != 503 {
		t.Errorf("/health says %d, want 503", status)
	}
	if _, status, _ := get(t, s.URLs[0]); status != 200 {
		t.Errorf("/metrics says %d, want 200", status)
	}
}
