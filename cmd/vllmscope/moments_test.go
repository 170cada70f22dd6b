package main

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/print"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// look is one scrape of a simulated target: when it began, when it was done.
type look struct {
	target int
	begin  time.Time
	end    time.Time
	page   []byte
}

// incident simulates a fault and scrapes it with slow and failing scrapes, in the order in which they end.
func incident(t *testing.T, name string, length, interval time.Duration) (looks []look, targets []simulate.Target) {
	t.Helper()
	scenario := named(t, name)
	scenario.Onset = time.Minute
	start := time.Date(2026, 11, 29, 14, 0, 2, 0, time.UTC)
	fleet, err := simulate.New(scenario, 7, start)
	if err != nil {
		t.Fatal(err)
	}
	targets = fleet.Targets()
	random := rand.New(rand.NewPCG(7, 7))
	for at := start; at.Before(start.Add(length)); at = at.Add(interval) {
		for i, target := range targets {
			begin := at.Add(time.Duration(i) * 700 * time.Millisecond)
			fleet.AdvanceTo(begin)
			answer, err := fleet.Get(target.Name)
			if err != nil {
				t.Fatal(err)
			}
			page, took := answer.Page, time.Duration(random.Int64N(int64(3900*time.Millisecond)))
			if random.IntN(12) == 0 {
				took, page = 4*time.Second, nil // given up
			}
			looks = append(looks, look{i, begin, begin.Add(took), page})
		}
	}
	slices.SortStableFunc(looks, func(a, b look) int { return a.end.Compare(b.end) })
	return looks, targets
}

// watermark is the latest moment at which no scrape that began at or before it was still under way when the n-th one ended.
func watermark(looks []look, n int) time.Time {
	now := looks[n].end
	earliest := now
	for _, l := range looks[n+1:] {
		if !l.begin.After(now) && l.begin.Before(earliest) {
			earliest = l.begin.Add(-time.Millisecond)
		}
	}
	return earliest
}

func asJSON(t *testing.T, r *diagnose.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := print.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A judgement is a function of the data, the settings and the tick: watching live while scrapes come in late, replaying what was
// recorded, and judging one moment say the same at every tick.
func TestLiveAndReplayAndMomentAgreeAtEveryTick(t *testing.T) {
	const interval = 5 * time.Second
	looks, targets := incident(t, "seed-case", 4*time.Minute, interval)
	store, err := scrape.OpenRing(t.TempDir(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close() //nolint:errcheck // a temporary directory
	writers := make([]*scrape.Writer, len(targets))
	for i, target := range targets {
		address, err := scrape.NewTarget(target.Name)
		if err != nil {
			t.Fatal(err)
		}
		writers[i] = scrape.NewWriter(store, address)
	}
	set := diagnose.Settings{Step: interval, Window: time.Minute, SLO: diagnose.Profiles[0], MaxNumSeqs: 64}
	source := prom.NewEngine(store, interval)
	live := diagnose.NewWatch(source, diagnose.Default(), set, time.Hour)
	live.ShowAll(true)
	said := map[time.Time]string{}
	for n, l := range looks {
		s := scrape.Scrape{At: l.begin, Duration: l.end.Sub(l.begin), Timeout: 4 * time.Second, Page: slices.Clone(l.page), ContentType: targets[l.target].ContentType}
		if l.page == nil {
			s.Err = &scrape.Failure{Class: scrape.ClassTimeout, Sentence: "no answer within 4s"}
		}
		if _, err := writers[l.target].Write(s); err != nil {
			t.Fatal(err)
		}
		r, err := live.Advance(t.Context(), watermark(looks, n))
		if err != nil {
			t.Fatal(err)
		}
		if r != nil && r.Time.UnixMilli()%interval.Milliseconds() == 0 {
			said[r.Time] = asJSON(t, r)
		}
	}
	if len(said) < 40 {
		t.Fatalf("%d ticks were judged live", len(said))
	}
	compareWithReplay(t, source, set, said)
	checkEveryTickHasItsVerdict(t, said)
	for at, want := range said {
		r, err := diagnose.JudgeAt(t.Context(), source, diagnose.Default(), set, at)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, asJSON(t, r)); diff != "" {
			t.Fatalf("at %v live and --at differ (-live +at):\n%s", at.UTC(), diff)
		}
	}
}

// checkEveryTickHasItsVerdict makes sure that the cause, once it fires, is told at every tick: rules that are judged in chunks too.
func checkEveryTickHasItsVerdict(t *testing.T, said map[time.Time]string) {
	t.Helper()
	firing := regexp.MustCompile(`"code": "D1"[^}]*"state": "firing"`)
	blind := regexp.MustCompile(`(?s)"code": "D1".{0,900}"evidence": \[\s*\{[^}]*"value": null`)
	fired := 0
	for _, at := range slices.SortedFunc(maps.Keys(said), time.Time.Compare) {
		switch {
		case firing.MatchString(said[at]):
			fired++
			if blind.MatchString(said[at]) {
				t.Errorf("at %v D1 is told without its evidence", at.UTC())
			}
		case fired > 0:
			t.Errorf("at %v D1 is not told any more", at.UTC())
		}
	}
	if fired < 12 {
		t.Errorf("D1 fired at %d ticks only: the incident proves nothing", fired)
	}
}

// compareWithReplay watches the finished recording from its start, tick by tick, in chunks of its own.
func compareWithReplay(t *testing.T, source diagnose.Source, set diagnose.Settings, said map[time.Time]string) {
	t.Helper()
	replay := diagnose.NewWatch(source, diagnose.Default(), set, time.Hour)
	replay.ShowAll(true)
	for _, at := range slices.SortedFunc(maps.Keys(said), time.Time.Compare) {
		r, err := replay.Advance(context.Background(), at)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(said[at], asJSON(t, r)); diff != "" {
			t.Fatalf("at %v live and replay differ (-live +replay):\n%s", at.UTC(), diff)
		}
	}
}
