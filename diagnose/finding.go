package diagnose

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"
)

// active lists the rules that have something to tell at a tick, by the ticks whose figures that takes: the one up to which they are
// judged, and for what is not true then, the last one at which it was.
func (t *Track) active(tick int64) map[int64][]*Rule {
	found := map[int64][]*Rule{}
	add := func(at int64, r *Rule) {
		if !slices.Contains(found[at], r) {
			found[at] = append(found[at], r)
		}
	}
	for _, due := range t.due(tick) {
		if due.life.state != Inactive {
			add(t.tick(due.i), due.rule)
			add(t.tick(due.i-due.life.quiet), due.rule)
		}
	}
	return found
}

// finding tells a rule's state for a subject; nil when there is nothing to tell.
func (t *Track) finding(due dueRow) *Finding {
	r, subject, outcomes, i := due.rule, due.subject, due.outcomes, due.i
	l, severity, hold := due.life, due.form.severity, due.form.hold
	if l.state == Inactive {
		return nil
	}
	tick := t.tick(i)
	lookAt := func(tick int64) func(string) Fact {
		return func(id string) Fact { return t.facts.fact(t.book.Signal(id), subject, tick) }
	}
	if t.mild(r, subject, i-min(l.held, ticksIn(mildFor, t.settings.Step))+1, i) {
		severity = Information
	}
	f := &Finding{
		Rule: r, Subject: subject, Severity: severity, State: l.state, Hold: hold,
		Since: time.UnixMilli(t.firedSince(rowKey{r.Code, subject}, l)), Held: time.Duration(max(0, l.held-1)) * t.settings.Step,
		Quiet:      time.Duration(l.quiet) * t.settings.Step,
		Runbook:    r.Runbook,
		Throughout: t.throughout(due.form, outcomes, i),
	}
	look, before := lookAt(tick), ""
	c := r.caseOf(look)
	if last := t.tick(i - l.quiet); l.quiet > 0 && !c.Over && t.facts.has(subject, last) {
		// What is not true now is told as it was when it was: with the figures of now a sentence says nothing that ever was.
		tick, look, before = last, lookAt(last), lastSo(outcomes[i], f.Quiet)
		c = r.caseOf(look)
	}
	f.Case, f.Sentence, f.freezes, f.farEnd, f.over = c.Name, before+fillIn(c.Sentence, look), c.Freezes, c.FarEnd, c.Over && l.quiet > 0
	if f.over {
		f.Severity = Information // as bad as it was: users feel it no more
	}
	f.Evidence = evidence(r, t.withoutEchoes(slices.Concat(c.Evidence, r.Evidence), tick), severity, look)
	f.Confidence = confidence(r, f, look)
	for _, n := range r.RuledOut {
		f.RuledOut = append(f.RuledOut, t.book.ruledOut(n, look)...)
	}
	for _, a := range c.Actions {
		f.Actions = append(f.Actions, Advice{When: a.When, Text: fillIn(a.Text, look), Watch: a.Watch})
	}
	slices.SortStableFunc(f.Actions, func(a, b Advice) int { return cmp.Compare(a.When, b.When) })
	return f
}

// lastSo says in front of a sentence how long ago it was true, and whether it is known that it is not true now.
func lastSo(now Outcome, quiet time.Duration) string {
	if now == CannotJudge {
		return "Not known now; last so " + Duration(quiet) + " ago: "
	}
	return "Last so " + Duration(quiet) + " ago: "
}

// caseOf is the first case whose test is true, or the rule's own sentence and actions.
func (r *Rule) caseOf(look func(string) Fact) Case {
	value := func(id string) float64 { return look(id).Value }
	for _, c := range r.Cases {
		if judge(c.If, value) == True {
			return r.Complete(c)
		}
	}
	return r.Complete(Case{})
}

// evidence lists the comparisons of the rule with what they looked at, then the further signals that have a value.
func evidence(r *Rule, further []string, severity Severity, look func(string) Fact) []Evidence {
	_, compared := r.When.weigh(look)
	all := withoutRepeats(compared, func(e Evidence) Is { return e.Is })
	shown := func(id string) bool {
		return slices.ContainsFunc(all, func(e Evidence) bool { return e.Is.Signal == id })
	}
	add := func(t Test) {
		_, more := t.weigh(look)
		for _, e := range more {
			if !shown(e.Is.Signal) {
				all = append(all, e)
			}
		}
	}
	switch {
	case severity == Critical && r.Critical != nil:
		add(r.Critical)
	case severity == Information && r.Mild != nil:
		add(r.Mild)
	}
	for _, id := range further {
		if fact := look(id); fact.Known() && !shown(id) {
			all = append(all, Evidence{Fact: fact, Is: Is{Signal: id}, Plain: true})
		}
	}
	return all
}

// withoutRepeats drops comparisons that a rule makes in several places, whatever it says of where their threshold comes from.
func withoutRepeats[T any](all []T, comparison func(T) Is) []T {
	var once []T
	for _, one := range all {
		is := comparison(one)
		if !slices.ContainsFunc(once, func(o T) bool { return comparison(o).sameAs(is) }) {
			once = append(once, one)
		}
	}
	return once
}

// Confidence arithmetic (judgement).
const (
	supported     = 0.10
	notKnown      = 0.15
	contradicted  = 0.30
	unsustained   = 0.25 // while a finding is pending, by the part of its hold that it lacks
	mostConfident = 0.95
	leastSure     = 0.05
)

func confidence(r *Rule, f *Finding, look func(string) Fact) float64 {
	value := func(id string) float64 { return look(id).Value }
	c := r.Confidence
	for _, is := range r.Supports {
		switch judge(is, value) {
		case True:
			c += supported
		case Unknown:
			c -= notKnown
		}
	}
	for _, is := range r.Against {
		if judge(is, value) == True {
			c -= contradicted
		}
	}
	if f.State == Pending && f.Hold > 0 && (r.Plain == nil || judge(r.Plain, value) != True) {
		c -= unsustained * (1 - min(1, f.Held.Seconds()/f.Hold.Seconds()))
	}
	return math.Round(100*min(mostConfident, max(leastSure, c))) / 100
}

// ruledOut says why a neighbour is not the case: its own comparison on the signal is false.
func (b *Book) ruledOut(n Because, look func(string) Fact) []RuledOut {
	neighbour := b.Rule(n.Code)
	for _, is := range neighbour.comparisons() {
		fact := look(n.Signal)
		if is.Signal == n.Signal && fact.Known() && !is.Op.holds(fact.Value, is.Threshold) {
			return []RuledOut{{n.Code, fact.Signal.Title + " is " + fact.Beside(is) + ", not " + fact.TrueIf(is)}}
		}
	}
	return nil
}

// Span is the time that the fact's number is taken over, 0 where it is a reading of the moment.
func (r *Report) Span(id string) time.Duration {
	s := r.book.Signal(id)
	longest := time.Duration(0)
	switch {
	case s == nil: // the value of a rule of the user's
	case s.Formula != "":
		for _, part := range r.book.formulas[id].operands {
			longest = max(longest, r.Span(part))
		}
	case s.Of != "":
		longest = r.Settings.window(r.book.buckets[s.Of].Window)
	case strings.Contains(s.Expr, "$window"):
		longest = r.Settings.window(s.Window)
	}
	return longest
}

// Basis says what a fact rests on: the time its number is taken over and the observations, "1m, n=57", "22m, all there is"; empty where
// it is a reading.
func (r *Report) Basis(f Fact) string {
	var parts []string
	if d := r.Span(f.Signal.ID); d > 0 {
		text := Duration(max(r.Settings.Step, min(d, r.Observed)))
		if d >= time.Hour && r.Observed < d {
			text += ", all there is" // a figure of hours that are not there
		}
		parts = append(parts, text)
	}
	if f.N >= 0 {
		parts = append(parts, "n="+Count.Format(math.Round(f.N)))
	}
	if age := r.Frozen(f.Signal.ID, f.Subject); age > 0 {
		parts = append(parts, Duration(age)+" old")
	}
	return strings.Join(parts, ", ")
}

// Wants prints what a comparison asks of the fact: "≥ 90 %", "= yes", and "= 0" of what cannot be less.
func (f Fact) Wants(is Is) string {
	switch {
	case f.Signal.Unit == YesNo && is.Op.holds(1, is.Threshold):
		return "= " + YesNo.Format(1)
	case f.Signal.Unit == YesNo:
		return "= " + YesNo.Format(0)
	case is.Op == AtMost && is.Threshold == 0:
		return "= " + f.Signal.Unit.Format(0)
	}
	return is.Op.String() + " " + f.Signal.Unit.Exact(is.Threshold)
}

// TrueIf is the same behind words: "true if ≥ 90 %", "true if no". It is what makes a finding, and nothing to strive for.
func (f Fact) TrueIf(is Is) string { return strings.TrimPrefix(f.Wants(is), "= ") }
