package main

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// A fleetSource is what so many minutes of a number of simulated servers say, scraped every 5 s.
type fleetSource struct {
	*prom.Engine
	settings   diagnose.Settings
	begin, end time.Time
}

func newFleetSource(b *testing.B, scenario string, servers, minutes int) fleetSource {
	b.Helper()
	source := fleetSource{
		Engine:   prom.NewEngine(fleetStore(b, scenario, servers, minutes, 5*time.Second), 5*time.Second),
		settings: diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0]},
	}
	var err error
	if source.begin, source.end, err = source.Span(b.Context()); err != nil {
		b.Fatal(err)
	}
	return source
}

var startLine = regexp.MustCompile(`(?m)^(process_start_time_seconds )\S+$`)

// shortLoad is how many minutes of servers short benchmarks read at most: they show that each one runs, and more takes a minute.
const shortLoad = 100

func fleetStore(b *testing.B, name string, servers, minutes int, step time.Duration) *scrape.Store {
	b.Helper()
	if testing.Short() && servers*minutes > shortLoad {
		b.Skip("a large fleet, or hours of one server")
	}
	store, err := scrape.OpenRing(b.TempDir(), 0, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	scenario := named(b, name)
	scenario.Onset = 0
	start := time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)
	fleet, err := simulate.New(scenario, 1, start)
	if err != nil {
		b.Fatal(err)
	}
	writers := make([]*scrape.Writer, servers)
	for i := range writers {
		target, err := scrape.NewTarget(fmt.Sprintf("gpu-%d:8000", i))
		if err != nil {
			b.Fatal(err)
		}
		writers[i] = scrape.NewWriter(store, target)
	}
	for at := start; at.Before(start.Add(time.Duration(minutes) * time.Minute)); at = at.Add(step) {
		fleet.AdvanceTo(at)
		answer, err := fleet.Get("gpu-a:8000")
		if err != nil {
			b.Fatal(err)
		}
		page := startLine.ReplaceAll(answer.Page, []byte("${1}1.79e9")) // it has run for weeks, as servers have
		for _, w := range writers {
			if _, err := w.Write(scrape.Scrape{At: at, Page: append([]byte(nil), page...), ContentType: "text/plain; version=0.0.4"}); err != nil {
				b.Fatal(err)
			}
		}
	}
	return store
}

// A live minute: twelve ticks of 5 s, the quick rules, what has something to tell and the figures at each, the whole book over three
// at every third. In kv-thrash every server is in trouble.
func BenchmarkLiveMinute(b *testing.B) {
	for _, fleet := range []struct {
		scenario string
		servers  int
	}{{"healthy", 1}, {"healthy", 8}, {"healthy", 64}, {"kv-thrash", 1}, {"kv-thrash", 8}, {"kv-thrash", 64}} {
		b.Run(fmt.Sprintf("%s/servers=%d", fleet.scenario, fleet.servers), func(b *testing.B) {
			source := newFleetSource(b, fleet.scenario, fleet.servers, 10)
			spent := 0.0
			for b.Loop() {
				b.StopTimer()
				watch := diagnose.NewWatch(source, diagnose.Default(), source.settings, time.Hour)
				if _, err := watch.Advance(b.Context(), source.end.Add(-time.Minute)); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				before := cpuSeconds(b)
				for at := source.end.Add(-55 * time.Second); !at.After(source.end); at = at.Add(5 * time.Second) {
					if _, err := watch.Advance(b.Context(), at); err != nil {
						b.Fatal(err)
					}
				}
				spent += cpuSeconds(b) - before
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/12, "ms/round")
			b.ReportMetric(1000*spent/float64(b.N)/12, "cpu-ms/round")
		})
	}
}

// A minute of the whole book in four chunks of three ticks, as a replay or another program judges it: a chunk costs little more than a
// moment.
func BenchmarkMinuteInChunks(b *testing.B) {
	for _, servers := range []int{1, 64} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			source := newFleetSource(b, "healthy", servers, 10)
			spent := 0.0
			for b.Loop() {
				before := cpuSeconds(b)
				for from := source.end.Add(-55 * time.Second); from.Before(source.end); from = from.Add(15 * time.Second) {
					if _, err := diagnose.Judge(b.Context(), source, diagnose.Default(), source.settings, from, from.Add(10*time.Second)); err != nil {
						b.Fatal(err)
					}
				}
				spent += cpuSeconds(b) - before
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/12, "ms/round")
			b.ReportMetric(1000*spent/float64(b.N)/12, "cpu-ms/round")
		})
	}
}

// The whole book judged once, at a full minute, where what is read once a minute is due too: the dearest tick there is.
func BenchmarkWholeBook(b *testing.B) {
	for _, fleet := range []struct {
		scenario string
		servers  int
	}{{"healthy", 1}, {"healthy", 64}, {"kv-thrash", 1}, {"kv-thrash", 64}} {
		b.Run(fmt.Sprintf("%s/servers=%d", fleet.scenario, fleet.servers), func(b *testing.B) {
			source := newFleetSource(b, fleet.scenario, fleet.servers, 10)
			at := source.end.Truncate(time.Minute)
			before := cpuSeconds(b)
			for b.Loop() {
				track, err := diagnose.Judge(b.Context(), source, diagnose.Default(), source.settings, at, at)
				if err != nil || len(track.At(at).Judged) == 0 {
					b.Fatal("nothing was judged", err)
				}
			}
			b.ReportMetric(1000*(cpuSeconds(b)-before)/float64(b.N), "cpu-ms/op")
		})
	}
}

// One moment judged from nothing, as check and a jump do.
func BenchmarkMoment(b *testing.B) {
	for _, servers := range []int{1, 64} {
		b.Run(fmt.Sprintf("servers=%d", servers), func(b *testing.B) {
			source := newFleetSource(b, "kv-thrash", servers, 10)
			for b.Loop() {
				if _, err := diagnose.JudgeAt(b.Context(), source, diagnose.Default(), source.settings, source.end); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// An hour of one server, judged as a jump into the past does.
func BenchmarkHour(b *testing.B) {
	source := newFleetSource(b, "kv-thrash", 1, 60)
	for b.Loop() {
		if _, err := diagnose.Judge(b.Context(), source, diagnose.Default(), source.settings, source.begin, source.end); err != nil {
			b.Fatal(err)
		}
	}
}
