package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// falseAlarms watches an hour of a fleet that has nothing wrong, and counts by rule how often a warning or worse began to fire. What it
// says of each is for people.
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
		before = now
	})
	return alarms, told
}
