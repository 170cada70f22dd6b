package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// TestCanBeQuiet fails when Bubble Tea's private ticker is not what quiet.go takes it for: then the program still works, and costs more.
func TestCanBeQuiet(t *testing.T) {
	if !canBeQuiet() {
		t.Fatal("tea.Program has no field ticker of type *time.Ticker any more: see quiet.go")
	}
}

// output counts what a terminal would be sent.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	last time.Time
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = time.Now()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// terminal runs a model without a terminal, and gives back what keys are typed into, what comes out, and how it ended.
func terminal(t testing.TB, m tea.Model, o Options, width, height int) (keys io.WriteCloser, out *output, ended <-chan error) {
	t.Helper()
	in, keys := io.Pipe()
	out = &output{}
	o.Input, o.Output = in, out
	end := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		end <- run(ctx, m, o, tea.WithWindowSize(width, height), tea.WithoutSignalHandler(), tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}))
	}()
	t.Cleanup(func() {
		cancel()
		_ = keys.Close()
	})
	return keys, out, end
}

// wait waits for a condition that another goroutine brings about.
func wait(t testing.TB, what string, done func() bool) {
	t.Helper()
	for range 500 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %s within five seconds", what)
}

const (
	alternateScreenOn  = "\x1b[?1049h"
	alternateScreenOff = "\x1b[?1049l"
	cursorOn           = "\x1b[?25h"
)

// TestRun starts, shows a report and quits; the terminal is what it was before.
func TestRun(t *testing.T) {
	reports := make(chan *diagnose.Report, 1)
	reports <- judged(t, readScene(t, "thrash"), sceneEnd)
	o := Options{Reports: reports, Interval: sceneStep, Location: time.UTC, Theme: Dark}
	keys, out, ended := terminal(t, New(o), o, 120, 40)
	wait(t, "finding on the screen", func() bool { return strings.Contains(out.String(), "KV thrash") })
	if _, err := keys.Write([]byte("q")); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("after q: %v", err)
	}
	for _, code := range []string{alternateScreenOn, alternateScreenOff, cursorOn} {
		if !strings.Contains(out.String(), code) {
			t.Errorf("the terminal was never sent %q", code)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, keys := io.Pipe()
	defer keys.Close() //nolint:errcheck // a pipe's Close never fails
	cancel()
	if err := Run(ctx, Options{Reports: make(chan *diagnose.Report), Input: in, Output: io.Discard}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context ended: %v", err)
	}
}

// crashing is a model that panics at its first key.
type crashing struct{ *Model }

func (c crashing) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		panic("a mistake")
	}
	_, cmd := c.Model.Update(msg)
	return c, cmd
}

// TestCrash lets the program panic: the terminal is given back all the same.
func TestCrash(t *testing.T) {
	stderr := os.Stderr
	os.Stderr, _ = os.Open(os.DevNull) // Bubble Tea prints the stack there
	defer func() { os.Stderr = stderr }()
	o := Options{Reports: make(chan *diagnose.Report), Waiting: "waiting for nothing", Theme: Dark}
	keys, out, ended := terminal(t, crashing{New(o)}, o, 80, 24)
	wait(t, "screen", func() bool { return strings.Contains(out.String(), "waiting for nothing") })
	if _, err := keys.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("a crash ends with %v", err)
	}
	if got := out.String(); !strings.HasSuffix(strings.TrimSpace(got), cursorOn) && !strings.Contains(got, alternateScreenOff) {
		t.Errorf("the terminal is left with %q", got[max(0, len(got)-200):])
	}
}

// TestNoColor runs without colours: what is sent has none.
func TestNoColor(t *testing.T) {
	reports := make(chan *diagnose.Report, 1)
	reports <- judged(t, readScene(t, "thrash"), sceneEnd)
	o := Options{Reports: reports, Interval: sceneStep, NoColor: true}
	_, out, _ := terminal(t, New(o), o, 120, 40)
	wait(t, "finding on the screen", func() bool { return strings.Contains(out.String(), "KV thrash") })
	for _, code := range []string{"\x1b[31m", "\x1b[91m", ";91m", "\x1b[93m", ";93m", "38;5", "38;2"} {
		if strings.Contains(out.String(), code) {
			t.Errorf("the terminal is sent %q", code)
		}
	}
}
