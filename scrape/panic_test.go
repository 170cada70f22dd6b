package scrape

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// panicking is a source whose every page makes us panic.
type panicking struct{}

func (panicking) close() {}

func (panicking) fetch(context.Context, time.Duration, *bytes.Buffer) (head, *Failure) {
	panic("odd answer")
}

func TestPanicWhileFetchingCostsTheScrape(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"a", "b"}, func(b *bench) {
		b.mu.Lock()
		b.loops[0].from = panicking{}
		b.mu.Unlock()
		b.pass(10 * time.Second)
		b.expect(map[string]string{"a": "1.234:1 5:0 10:0", "b": "1.234:1 2.5:1 7.5:1"})
		errors := timelineOf(t, b.store, "vllmscope_scrape_error", "a")
		for name, line := range errors {
			if !strings.Contains(name, `class="internal"`) || line != "5:1 10:1" || len(errors) != 1 {
				t.Errorf("%s %s", name, line)
			}
		}
	})
}

func TestPanicWhileReadingCostsTheScrape(t *testing.T) {
	store := ring(t, time.Hour)
	w := NewWriter(store, Target{Job: "j", Instance: "i"})
	writeAll(t, w, "a 1\n")
	known := w.families
	w.families = nil // into which the next new name is to be written
	outcome, err := w.Write(Scrape{At: epoch.Add(5 * time.Second), Page: []byte("a 2\nb 3\n")})
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Up || outcome.Err.Class != ClassInternal || !strings.Contains(outcome.Err.Cause.Error(), "(*Writer).describe") {
		t.Errorf("got %+v", outcome)
	}
	w.families = known
	if _, err := w.Write(Scrape{At: epoch.Add(10 * time.Second), Page: []byte("a 3\nb 4\n")}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{`{__name__="a"}`: "0:1 5:stale 10:3", `{__name__="b"}`: "10:4", `{__name__="up"}`: "0:1 5:0 10:1"}
	if diff := cmp.Diff(want, timeline(t, store, "a|b|up")); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherPanicEndsThePool(t *testing.T) {
	store := ring(t, time.Hour)
	pool, err := NewPool(store, PoolOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pool.open = func(Target) (source, error) { return panicking{}, nil }
	pool.buffers.New = func() any { return "no buffer" }
	err = pool.Run(t.Context(), []Target{{Instance: "a"}, {Instance: "b"}})
	if err == nil || !strings.Contains(err.Error(), "(*loop).scrape") {
		t.Errorf("got %v", err)
	}
}
