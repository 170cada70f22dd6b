package main

import (
	"cmp"
	"flag"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// falseAlarms watches an hour of a simulated fleet that has nothing wrong, and counts by rule how often a warning or worse began to
// fire. What it says of each is for people.
func falseAlarms(t *testing.T, s simulate.Scenario, c condition, seed uint64) (alarms map[string]int, told []string) {
	t.Helper()
	s.Release, s.Onset = cmp.Or(c.release, s.Release), time.Minute
	start := time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)
	fleet, err := simulate.New(s, seed, start)
	if err != nil {
		t.Fatal(err)
	}
	set := diagnose.Settings{Step: c.step, Window: time.Minute, SLO: profile(t, s.SLO)}
	source := prom.NewEngine(scrapeHour(t, fleet, start, &set, c.withoutGPUs), set.Step)
	const chunk = 10 * time.Minute // a range costs little more than its last moment
	alarms, track := map[string]int{}, diagnose.Track{}
	before := map[diagnose.Ref]diagnose.State{}
	for from := start; from.Before(start.Add(time.Hour)); from = from.Add(chunk) {
		part, err := diagnose.Judge(t.Context(), source, diagnose.Default(), set, from, from.Add(chunk-set.Step))
		if err != nil {
			t.Fatal(err)
		}
		track.Add(part)
		// Live, the slow rules are judged every third tick, and only then something new is told.
		for at := from; at.Before(from.Add(chunk)); at = at.Add(3 * set.Step) {
			now := map[diagnose.Ref]diagnose.State{}
			for _, f := range track.At(at).Findings {
				if f.Severity < diagnose.Warning || !f.Active() {
					continue
				}
				now[f.Ref()] = f.State
				if before[f.Ref()] != f.State {
					told = append(told, fmt.Sprintf("%v: %s %s, %s: %s", at.Sub(start), f.Rule.Code, f.State, f.Severity, f.Sentence))
				}
				if f.State == diagnose.Firing && before[f.Ref()] != diagnose.Firing {
					alarms[f.Rule.Code]++
				}
			}
			before = now
		}
	}
	return alarms, told
}

// scrapeHour writes down what the fleet's pages say in an hour.
func scrapeHour(t *testing.T, fleet *simulate.Fleet, start time.Time, set *diagnose.Settings, withoutGPUs bool) *scrape.Store {
	t.Helper()
	store, err := scrape.OpenRing(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	writers := map[string]*scrape.Writer{}
	for at := start; at.Before(start.Add(time.Hour)); at = at.Add(set.Step) {
		fleet.AdvanceTo(at)
		for _, target := range fleet.Targets() {
			if withoutGPUs && target.Kind == "dcgm" {
				continue
			}
			if writers[target.Name] == nil {
				address, err := scrape.NewTarget(target.Name)
				if err != nil {
					t.Fatal(err)
				}
				writers[target.Name] = scrape.NewWriter(store, address)
				if target.Kind == "dcgm" {
					set.GPUTargets = append(set.GPUTargets, address.Instance)
				}
			}
			answer, err := fleet.Get(target.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := writers[target.Name].Write(seen(at, target, answer)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return store
}

// An hour of each load that has nothing wrong: nothing may fire. Asked for by name, under all conditions: go test -run HealthyHours
// -v ./cmd/vllmscope; otherwise each load under one of them.
func TestHealthyHours(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("watches hours")
	}
	asked := strings.Contains(flag.Lookup("test.run").Value.String(), "HealthyHours")
	n := 0
	for _, s := range simulate.Scenarios() {
		if s.Cause != "" {
			continue
		}
		for i, c := range conditions[:3] {
			if !asked && i != n%3 {
				continue
			}
			t.Run(s.Name+", "+c.name, func(t *testing.T) {
				before := cpuSeconds(t)
				alarms, told := falseAlarms(t, s, c, 1)
				spent := (cpuSeconds(t) - before) / float64(s.Servers())
				t.Logf("%.1f s of CPU for a replica's hour\n%s", spent, strings.Join(told, "\n"))
				if len(alarms) > 0 {
					t.Errorf("fired %v", alarms)
				}
			})
		}
		n++
	}
}

// cpuSeconds is the CPU time that this process has taken.
func cpuSeconds(t *testing.T) float64 {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano()).Seconds()
}
