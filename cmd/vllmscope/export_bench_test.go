package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/util/teststorage"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// One evaluation of the exported rules, as a Prometheus server makes it every 15 s, and of the slow group, which it makes every minute. The
// series of what was recorded before are there, so that holds have something to look back at.
func BenchmarkExportedRules(b *testing.B) {
	for _, fleet := range []struct{ servers, minutes int }{{1, 10}, {64, 10}, {1, 360}} {
		b.Run(fmt.Sprintf("servers=%d/minutes=%d", fleet.servers, fleet.minutes), func(b *testing.B) {
			both := recordedStore{
				Store: fleetStore(b, "kv-thrash", fleet.servers, fleet.minutes, exportInterval), made: teststorage.New(b), last: map[string]map[string]labels.Labels{},
			}
			source := prom.NewEngine(both, exportInterval)
			_, at, err := source.Span(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			rules, err := diagnose.Default().Recorded(diagnose.Settings{Step: exportInterval, Window: time.Minute, SLO: diagnose.Profiles[0]}, ".+")
			if err != nil {
				b.Fatal(err)
			}
			made := 0
			evaluate := func(all []diagnose.Recording) (spent time.Duration) {
				for _, one := range all {
					began := time.Now()
					series, err := source.Range(b.Context(), one.Expr, at, at, time.Second)
					if err != nil {
						b.Fatal(err)
					}
					spent += time.Since(began)
					both.keep(b, one, series, at)
					made += len(series)
				}
				return spent
			}
			var slow, signals, outcomes time.Duration
			for b.Loop() {
				slow += evaluate(rules.Slow)
				signals += evaluate(rules.Signals)
				outcomes += evaluate(rules.Outcomes)
				at = at.Add(time.Millisecond)
			}
			b.ReportMetric(float64(made)/float64(b.N), "series")
			for name, spent := range map[string]time.Duration{"slow": slow, "signals": signals, "outcomes": outcomes} {
				b.ReportMetric(float64(spent.Milliseconds())/float64(b.N), "ms/"+name)
			}
		})
	}
}
