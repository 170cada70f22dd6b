package main

import (
	"flag"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// falseAlarms watches an hour of a fleet that has nothing wrong, and counts by rule how often a warning or worse began to fire. What it
// says of each, and of spikes, is for people.
func falseAlarms(t *testing.T, s simulate.Scenario, c condition, seed uint64) (alarms map[string]int, told []string) {
	t.Helper()
	w := c.watching(t, s, seed)
	w.length = time.Hour - lead
	alarms, before := map[string]int{}, map[diagnose.Ref]diagnose.State{}
	w.run(t, func(after time.Duration, r *diagnose.Report) {
		now := map[diagnose.Ref]diagnose.State{}
		for _, f := range r.Findings {
			if f.Severity < diagnose.Warning || !f.Active() {
				continue
			}
			now[f.Ref()] = f.State
			if before[f.Ref()] != f.State {
				told = append(told, fmt.Sprintf("%v: %s %s, %s: %s", after+lead, f.Rule.Code, f.State, f.Severity, f.Sentence))
			}
			if f.State == diagnose.Firing && before[f.Ref()] != diagnose.Firing {
				alarms[f.Rule.Code]++
			}
		}
		for _, s := range r.Spikes {
			ref := diagnose.Ref{Code: "spikes of " + s.Rule.Code, Subject: s.Subject}
			if now[ref] = diagnose.Pending; before[ref] == diagnose.Inactive {
				told = append(told, fmt.Sprintf("%v: %s on %s: %s", after+lead, s.Rule.Code, s.Subject.Name(), s))
			}
		}
		before = now
	})
	return alarms, told
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
func cpuSeconds(t testing.TB) float64 {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano()).Seconds()
}
