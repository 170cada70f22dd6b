package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape"
)

// screen is a terminal that keeps what it is sent.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

const (
	alternateScreenOn  = "\x1b[?1049h"
	alternateScreenOff = "\x1b[?1049l"
)

// onScreen makes a dashboard, without a terminal, over a server that answers once the screen is there.
func onScreen(t *testing.T) (*live, *screen) {
	t.Helper()
	out := &screen{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for !strings.Contains(out.String(), alternateScreenOn) && r.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		_, _ = io.WriteString(w, "vllm:num_requests_running{engine=\"0\"} 1\n")
	}))
	t.Cleanup(server.Close)
	target, err := scrape.NewTarget(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	in, keys := io.Pipe()
	t.Cleanup(func() { _ = keys.Close() })
	o := &options{
		env: environment{"TERM": "xterm-256color"}, streams: streams{in: in, out: out, err: out, terminal: true}, config: &configuration{},
		interval: duration(2 * time.Second), window: duration(time.Minute), slo: "chat", theme: "dark", noSideRequests: true,
	}
	return newLive(o, &plan{targets: []scrape.Target{target}}), out
}

// A panic beside the screen is an error that is told when the terminal is given back and the store removed.
func TestPanicWhileJudgingLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	l, out := onScreen(t)
	close(l.reports) // sending to it panics
	err := l.show(t.Context())
	if err == nil || !strings.Contains(err.Error(), "send on closed channel") || !strings.Contains(err.Error(), "(*live).offer") {
		t.Errorf("got %v", err)
	}
	if left := stores(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if text := out.String(); strings.Count(text, alternateScreenOn) != 1 || !strings.Contains(text, alternateScreenOff) {
		t.Errorf("the alternate screen is not left: %q", text)
	}
}

func TestPanicWhileOpeningLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	l, _ := onScreen(t)
	close(l.ready) // closing it again panics
	if err := l.show(t.Context()); err == nil || !strings.Contains(err.Error(), "(*live).run") {
		t.Errorf("got %v", err)
	}
	if left := stores(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestPanicOfACommandExitsWithOne(t *testing.T) {
	printers["odd"] = func(io.Writer, *diagnose.Report) error { panic("no such report") }
	defer delete(printers, "odd")
	got := program(t, "check", pages(t, "vllm:num_requests_running 1\n"), "--format", "odd")
	if got.code != exitCouldNotRun || !strings.Contains(got.err, "panic: no such report") || !strings.Contains(got.err, "panic_test.go") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}
