package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Spikes are stretches in which the conditions of a rule were true, each too short to be a finding. They are no lasting harm, and say
// that something swings.
type Spikes struct {
	Rule    *Rule
	Subject Subject
	Count   int
	Longest time.Duration
	Within  time.Duration
}

// String is what is told of them: "4 spikes in 10m, longest 12s".
func (s Spikes) String() string {
	return fmt.Sprintf("%d spikes in %s, longest %s", s.Count, Duration(s.Within), Duration(s.Longest))
}

const (
	// So often within so long something must be seen to be told (fewer is chance, our judgement).
	fewestSpikes = 3
	spikesWithin = 10 * time.Minute
)

// addSpikes counts the spikes of rules that matter to users where nothing is found that explains them.
func (r *Report) addSpikes(t *Track, rows []dueRow) {
	for _, due := range rows {
		if due.rule.Severity < Warning || due.life.state == Firing || due.life.state == Resolved {
			continue
		}
		n := ticksIn(spikesWithin, t.settings.Step)
		if count, longest := spikes(due.outcomes[max(0, due.i-n+1) : due.i+1]); count >= fewestSpikes && !r.troubled(due.subject) {
			r.Spikes = append(r.Spikes, Spikes{due.rule, due.subject, count, time.Duration(longest) * t.settings.Step, spikesWithin})
		}
	}
	all := r.Spikes
	r.Spikes = slices.DeleteFunc(slices.Clone(all), func(s Spikes) bool { // what another one of them explains is the same news
		return slices.ContainsFunc(all, func(o Spikes) bool { return o.Subject == s.Subject && slices.Contains(o.Rule.Explained(), s.Rule.Code) })
	})
	slices.SortFunc(r.Spikes, func(a, b Spikes) int {
		return cmp.Or(cmp.Compare(r.book.place(a.Rule.Code), r.book.place(b.Rule.Code)), a.Subject.Compare(b.Subject))
	})
}

// troubled tells whether something fires, or has just ended, that is worse than information, about a subject or what it is part of.
func (r *Report) troubled(s Subject) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.Severity >= Warning && (f.State == Firing || f.State == Resolved) && (f.Subject.SameTarget(s) || s.Model != "" && r.modelsOf(f.Subject, s.Model))
	})
}

// spikes counts the stretches of yes that a no has ended, and the ticks of the longest. What goes on is not one yet, and a band
// between neither begins nor ends any.
func spikes(outcomes []Outcome) (count, longest int) {
	length := 0
	for _, o := range outcomes {
		switch {
		case o >= Yes:
			length++
		case o == No && length > 0:
			count, longest, length = count+1, max(longest, length), 0
		}
	}
	return count, longest
}
