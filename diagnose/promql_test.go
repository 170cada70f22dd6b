package diagnose_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/promqltest"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// What is copied into somebody's Prometheus gives the number on the screen; while a target is new, a rate is said to be measured over a
// part of the window, and is the copied one against that part.
func TestPromQLOfASignalGivesItsValue(t *testing.T) {
	for _, row := range []struct {
		at              time.Duration
		compared, least int // of them those that are over a part
	}{
		{10 * time.Minute, 60, 0},
		{30 * time.Second, 40, 3},
	} {
		t.Run(row.at.String(), func(t *testing.T) { comparePromQL(t, row.at, row.compared, row.least) })
	}
}

func comparePromQL(t *testing.T, after time.Duration, leastCompared, leastPartly int) {
	t.Helper()
	c := &scriptCase{settings: diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0], MaxNumSeqs: 64}}
	c.series = []string{
		"vllm:num_requests_waiting{$r} 3x180", "vllm:num_preemptions_total{$r} 0+1x180",
		`vllm:time_to_first_token_seconds_bucket{$r, le="0.1"} 0+5x180`, `vllm:time_to_first_token_seconds_bucket{$r, le="5"} 0+8x180`,
		`vllm:time_to_first_token_seconds_bucket{$r, le="0.25"} 0+5x180`, `vllm:time_to_first_token_seconds_bucket{$r, le="2.5"} 0+6x180`,
	}
	source := prom.NewEngine(loaded{promqltest.LoadedStorage(t, c.load(t)), 15 * time.Minute}, c.settings.Step)
	at := time.UnixMilli(after.Milliseconds())
	w := diagnose.NewWatch(source, diagnose.Default(), c.settings, time.Hour)
	w.ShowAll(true)
	r, err := w.Advance(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	replica := r.Replicas[0]
	compared, part := 0, 0
	for _, s := range r.Book().Signals {
		text := r.PromQL(s.ID)
		fact := r.Fact(s.ID, replica)
		if text == "" || strings.HasPrefix(text, "#") || !fact.Known() || s.Level != diagnose.Replica || s.Table != nil {
			continue
		}
		series, err := source.Range(t.Context(), text, at, at, time.Second)
		if err != nil {
			t.Errorf("%s: %v", s.ID, err)
			continue
		}
		got := math.NaN()
		for _, one := range series {
			got = one.Points[0].Value
		}
		want := fact.Value
		if partly := r.Partly(s.ID, replica); partly > 0 {
			part++
			if s.Expr == "" { // made of rates, in any way
				continue
			}
			got *= float64(c.settings.Window) / float64(partly)
		}
		within := math.Abs(got-want) <= 1e-6*math.Max(1, math.Abs(want))
		if fact.Low != fact.High && (got >= fact.Low-1e-9 && got <= fact.High+1e-9) {
			within = true // an interval: PromQL gives one number inside it
		}
		if !within {
			t.Errorf("%s: %v in PromQL, %v in the report\n%s", s.ID, got, want, text)
		}
		compared++
	}
	if compared < leastCompared || part < leastPartly || leastPartly == 0 && part > 0 {
		t.Errorf("compared %d signals, %d over a part of the window", compared, part)
	}
}

// Of a server of which nothing is known, too, there is an expression or none.
func TestPromQLOfAnyServer(t *testing.T) {
	b, said := diagnose.Default(), 0
	for _, s := range b.Signals {
		if b.PromQL(s.ID, diagnose.Settings{Step: 15 * time.Second, SLO: diagnose.Profiles[0]}, func(string) []*labels.Matcher { return nil }) != "" {
			said++
		}
	}
	if said < 200 {
		t.Errorf("%d signals can be said only", said)
	}
	for step, wants := range map[time.Duration]bool{5 * time.Second: true, 15 * time.Second: false} { // at 15 s both windows are as long
		text := b.PromQL("served_per_second", diagnose.Settings{Step: step}, func(string) []*labels.Matcher { return nil })
		if text == "" || strings.Contains(text, "clamp_min") != wants {
			t.Errorf("every %s: %s", step, text)
		}
	}
	if text := b.PromQL("observed_seconds", diagnose.Settings{Step: 15 * time.Second}, nil); text != "" {
		t.Errorf("since when it is watched is said to be %s", text)
	}
}
