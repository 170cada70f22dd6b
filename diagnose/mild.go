package diagnose

import (
	"cmp"
	"slices"
	"time"
)

// feeling is whether users felt anything at a tick.
type feeling byte

// The feelings. Where the rule did not hold, nobody asked.
const (
	notAsked feeling = iota
	feltUnknown
	feltNothing
	feltSomething
)

// feelingOf reads what a rule's Mild came to.
func feelingOf(mild Truth) feeling {
	return [...]feeling{feltSomething, feltUnknown, feltNothing}[mild]
}

// mildFor is how long users must have felt nothing until a finding is told as information (judgement): a queue swings.
const mildFor = 2 * time.Minute

// mild tells whether users feel nothing of a finding: they felt something at none of some ticks, and nothing at the last of them at which
// the rule held. Where that is not known it is asked now: that a server had no requests when it went shows when it is back.
func (t *Track) mild(r *Rule, subject Subject, first, last int) bool {
	if r.Mild == nil {
		return false
	}
	felt := t.felt[rowKey{r.Code, subject}]
	felt = felt[min(len(felt), max(0, min(first, last))):min(len(felt), last+1)]
	lately := notAsked
	for _, f := range felt {
		lately = cmp.Or(f, lately)
	}
	switch {
	case slices.Contains(felt, feltSomething):
		return false
	case lately == feltNothing:
		return true
	}
	return judge(r.Mild, func(id string) float64 { return t.facts.value(t.book.Signal(id), subject, t.tick(last)) }) == True
}
