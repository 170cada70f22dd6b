package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// score is how one scenario was told over all seeds.
type score struct {
	scenario           simulate.Scenario
	runs, first, three int
	cannot             int // of first: runs in which "cannot judge" was right
	also               int // runs in which the second fault was told too
	named, fired, late []time.Duration
	instead            map[string]int // in how many runs something else fired first, at any moment; in healthy hours, how often it fired
	ended              map[string]int // in how many runs what stood first in the end
	calibration        calibration
}

func newScore(s simulate.Scenario) *score {
	return &score{scenario: s, instead: map[string]int{}, ended: map[string]int{}}
}

// add takes in one run.
func (s *score) add(under condition, c course) {
	s.runs++
	s.named, s.fired, s.late = append(s.named, c.named), append(s.fired, c.fired), append(s.late, c.late)
	s.ended[c.standing()]++
	for code := range c.instead {
		s.instead[code]++
	}
	if c.also {
		s.also++
	}
	s.calibration.add(c.calibration)
	place := slices.Index(c.ended, s.scenario.Cause)
	if place < 0 && under.withoutGPUs && needsGPUs[s.scenario.Cause] && c.standing() == cannotJudge {
		place = 0
		s.cannot++
	}
	if place == 0 {
		s.first++
	}
	if place >= 0 && place < 3 {
		s.three++
	}
}

// addHour takes in one healthy hour.
func (s *score) addHour(alarms map[string]int) {
	s.runs++
	for code, n := range alarms {
		s.instead[code] += n
	}
}

func (s *score) healthy() bool { return s.scenario.Cause == "" }

// counts tells whether there is a rule that could name the cause.
func (s *score) counts() bool { return !s.healthy() && inBook(s.scenario.Cause) }

// total adds up what counts.
func (m measurement) total() *score {
	all := newScore(simulate.Scenario{})
	for _, s := range m.scores {
		if s.counts() {
			all.runs, all.first, all.three, all.cannot = all.runs+s.runs, all.first+s.first, all.three+s.three, all.cannot+s.cannot
			all.calibration.add(s.calibration)
			all.named, all.fired, all.late = append(all.named, s.named...), append(all.fired, s.fired...), append(all.late, s.late...)
		}
	}
	return all
}

// alarms counts the healthy hours, and the warnings that fired in them.
func (m measurement) alarms() (fired, hours int) {
	for _, s := range m.scores {
		if s.healthy() {
			hours += s.runs
			for _, n := range s.instead {
				fired += n
			}
		}
	}
	return fired, hours
}

// ran tells whether anything was run.
func (m measurement) ran() bool {
	return slices.ContainsFunc(m.scores, func(s *score) bool { return s.runs > 0 })
}

// missed says which numbers are not reached. Where only some scenarios were asked for, none is judged.
func (m measurement) missed() []string {
	if slices.ContainsFunc(m.scores, func(s *score) bool { return s.runs == 0 }) {
		return nil
	}
	var missed []string
	all := m.total()
	if share := part(all.first, all.runs); share < m.first {
		missed = append(missed, fmt.Sprintf("the right cause stands first in %.1f %% of the runs, wanted %.0f %%", 100*share, 100*m.first))
	}
	if share := part(all.three, all.runs); share < m.three {
		missed = append(missed, fmt.Sprintf("it is among the first three in %.1f %%, wanted %.0f %%", 100*share, 100*m.three))
	}
	if late := median(all.late); m.late > 0 && late > m.late {
		missed = append(missed, fmt.Sprintf("it fires %s late, wanted %v", span(late), m.late))
	}
	if m.first >= certainties[0].goal { // the others lack what findings are made sure by
		missed = append(missed, m.uncalibrated()...)
	}
	if fired, hours := m.alarms(); fired > 0 {
		missed = append(missed, fmt.Sprintf("%d warnings fire in %d healthy hours, wanted none", fired, hours))
	}
	return missed
}

func part(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// median is the middle of some durations.
func median(all []time.Duration) time.Duration { return quantile(0.5, all) }

// quantile is the duration that a share of all does not exceed, rounded towards the worse; never when there are none.
func quantile(share float64, all []time.Duration) time.Duration {
	if len(all) == 0 {
		return never
	}
	return slices.Sorted(slices.Values(all))[min(len(all)-1, int(share*float64(len(all))))]
}

// span is a duration in words.
func span(d time.Duration) string {
	if d == never {
		return "never"
	}
	return diagnose.Duration(d)
}

// listed are codes with how often each, the most frequent first.
func listed(counts map[string]int) string {
	codes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, code := range codes {
		codes[i] = fmt.Sprintf("%s %d", code, counts[code])
	}
	return strings.Join(codes, ", ")
}

// What counts as right: the cause itself, or that it cannot be judged where GPU metrics are required and away, unless another cause is
// named beside it.
func TestWhatCountsAsRight(t *testing.T) {
	blind := condition{withoutGPUs: true, first: 1}
	for name, test := range map[string]struct {
		cause   string
		under   condition
		course  course
		stands  string
		first   int
		three   int
		missing int
	}{
		"first":                       {cause: "D1", course: course{ended: []string{"D1", "E3"}}, stands: "D1", first: 1, three: 1},
		"what users feel":             {cause: "E1", course: course{unjudged: true, ended: []string{"E1"}}, stands: "E1", first: 1, three: 1},
		"second":                      {cause: "E3", course: course{ended: []string{"D1", "E3"}}, stands: "D1", three: 1},
		"fourth":                      {cause: "E3", course: course{ended: []string{"D1", "D2", "D3", "E3"}}, stands: "D1"},
		"nothing":                     {cause: "D1", stands: nothing},
		"cannot judge":                {cause: "D7", under: blind, course: course{unjudged: true}, stands: cannotJudge, first: 1, three: 1},
		"beside what users feel":      {cause: "D7", under: blind, course: course{unjudged: true, ended: []string{"E1"}}, stands: cannotJudge, first: 1, three: 1},
		"beside another cause":        {cause: "D7", under: blind, course: course{unjudged: true, ended: []string{"D4"}}, stands: "D4", missing: 1},
		"with GPUs":                   {cause: "D7", course: course{unjudged: true}, stands: cannotJudge},
		"where GPUs are not required": {cause: "D8", under: blind, course: course{unjudged: true}, stands: cannotJudge, missing: 1},
		"without saying so":           {cause: "D7", under: blind, stands: nothing, missing: 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScore(simulate.Scenario{Cause: test.cause})
			test.course.cause = test.cause
			s.add(test.under, test.course)
			if s.first != test.first || s.three != test.three || s.ended[test.stands] != 1 {
				t.Errorf("first %d, first three %d, in the end %v", s.first, s.three, s.ended)
			}
			if missed := (measurement{condition: test.under, scores: []*score{s}}).missed(); len(missed) != test.missing {
				t.Errorf("not reached: %v", missed)
			}
		})
	}
}

// The matrix has what was confused and nothing else.
func TestConfusions(t *testing.T) {
	var m measurement
	for _, c := range []struct{ cause, stands string }{{"D1", "D1"}, {"D7", "D7"}, {"D7", "D4"}, {"E3", nothing}, {"Z9", "D1"}} {
		s := newScore(simulate.Scenario{Cause: c.cause})
		s.runs, s.ended[c.stands] = 1, 1
		m.scores = append(m.scores, s)
	}
	want := "| True | D4 | D7 | nothing |\n|---|---|---|---|\n| D7 | 1 | 1 |  |\n| E3 |  |  | 1 |\n\nAll others stood first in the end of each run: D1.\n"
	if got := m.confusions(); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
