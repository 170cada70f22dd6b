package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
)

// Ticks follow the slowest server, and samples stand for the present for as long as the slowest target needs.
func TestPace(t *testing.T) {
	at := func(instance string, seconds int) scrape.Target {
		return scrape.Target{Instance: instance, Interval: time.Duration(seconds) * time.Second}
	}
	for _, tt := range []struct {
		name          string
		targets       []scrape.Target
		step, slowest time.Duration
	}{
		{"no interval of their own", []scrape.Target{at("a", 0), at("gpu", 0)}, 5 * time.Second, 5 * time.Second},
		{"one slow server", []scrape.Target{at("a", 0), at("b", 30)}, 30 * time.Second, 30 * time.Second},
		{"a slow exporter", []scrape.Target{at("a", 0), at("gpu", 60)}, 5 * time.Second, time.Minute},
		{"an exporter alone", []scrape.Target{at("gpu", 30)}, 30 * time.Second, 30 * time.Second},
		{"saved pages", nil, 5 * time.Second, 5 * time.Second},
	} {
		p := &plan{targets: tt.targets}
		if got := p.pace(5*time.Second, []string{"gpu"}); got.step != tt.step || got.slowest != tt.slowest {
			t.Errorf("%s: step %v, slowest %v; want %v, %v", tt.name, got.step, got.slowest, tt.step, tt.slowest)
		}
	}
}

// A target whose interval is longer than the usual look-back is seen between two scrapes.
func TestIntervalsOfTheConfiguration(t *testing.T) {
	o := &options{config: &configuration{}, interval: duration(5 * time.Second), slo: "chat"}
	s, err := o.open(t.Context(), &plan{targets: []scrape.Target{{Instance: "a:8000", Interval: time.Minute}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close() //nolint:errcheck // a temporary directory
	target, err := scrape.NewTarget("a:8000")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Unix(1_000_000_000, 0)
	if _, err := scrape.NewWriter(s.store, target).Write(scrape.Scrape{At: start, Page: []byte("vllm:num_requests_running 1\n"), ContentType: "text/plain"}); err != nil {
		t.Fatal(err)
	}
	seen, err := s.source.Range(t.Context(), "up", start.Add(50*time.Second), start.Add(50*time.Second), time.Second)
	if err != nil || len(seen) != 1 || s.settings.Step != time.Minute {
		t.Errorf("50 s after a scrape: %v, step %v, error %v", seen, s.settings.Step, err)
	}
	o.intervalGiven = true
	if listed := o.inPace([]scrape.Target{{Interval: time.Minute}}); listed[0].Interval != 0 {
		t.Error("--interval does not beat the configuration")
	}
}

// The first two scrapes may lie within one step: the second follows the clock, the first the start.
func TestRatesOfTheFirstSecondsAreMeasuredByTheirScrapes(t *testing.T) {
	store, err := scrape.OpenRing(t.TempDir(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close() //nolint:errcheck // a temporary directory
	target, err := scrape.NewTarget("a:8000")
	if err != nil {
		t.Fatal(err)
	}
	writer, start := scrape.NewWriter(store, target), time.Unix(1_000_000_000, 0)
	for i, after := range []time.Duration{time.Second, 4900 * time.Millisecond} {
		page := fmt.Sprintf("vllm:num_requests_running{engine=\"0\"} 1\nvllm:generation_tokens_total{engine=\"0\"} %d\n", 1000+390*i)
		if _, err := writer.Write(scrape.Scrape{At: start.Add(after), Page: []byte(page), ContentType: "text/plain"}); err != nil {
			t.Fatal(err)
		}
	}
	set := diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0]}
	r, err := diagnose.JudgeAt(t.Context(), prom.NewEngine(store, set.Step), diagnose.Default(), set, start.Add(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Fact("generation_tokens_per_second", r.Replicas[0]).Value; got < 80 || got > 120 {
		t.Errorf("%v tokens a second, want 100", got)
	}
}
