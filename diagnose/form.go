package diagnose

import "time"

// A form is how bad a rule is found to be: what an outcome must be at least to count as true, and for how long.
type form struct {
	severity Severity
	least    Outcome
	hold     time.Duration
}

// flicker is for how many ticks a critical form that has not been so throughout must have held to be told (judgement): less may be a
// reading that swings about its threshold.
const flicker = 3

// life folds the outcomes twice, for the finding and for its critical form, and takes what is worse. While both are pending, the
// critical form is told, which needs the shorter hold, unless it flickers, or only the other one was true throughout.
func (t *Track) life(r *Rule, outcomes []Outcome, i int) (life, form) {
	usual, worst := form{r.Severity, Yes, r.Hold}, form{Critical, YesCritical, r.HoldForCritical()}
	l := t.lifeOf(usual, outcomes, i)
	if r.Critical == nil {
		return l, usual
	}
	c := t.lifeOf(worst, outcomes, i)
	surer := func() bool {
		return t.throughout(worst, outcomes, i) || c.held >= flicker && !t.throughout(usual, outcomes, i)
	}
	if c.state == Firing || c.state == Pending && (l.state < Pending || l.state == Pending && surer()) {
		if l.state != Inactive {
			c.quiet = min(c.quiet, l.quiet) // what is less bad than it was is not over
		}
		return c, worst
	}
	return l, usual
}

// lifeOf folds the outcomes for one form.
func (t *Track) lifeOf(how form, outcomes []Outcome, i int) life {
	f := newFold(outcomes, how.least, how.hold, t.settings.Step)
	f.warm = t.position(t.begin.Add(max(warmUp, (warmUpScrapes-1)*t.settings.Step)))
	if t.tick(i)-t.begin.UnixMilli() >= youth.Milliseconds() {
		f.shown = 2 // one tick alone is a blink
	}
	return f.life(max(0, t.position(t.begin)), i)
}

// throughout tells whether a form was true all the time up to tick i.
func (t *Track) throughout(how form, outcomes []Outcome, i int) bool {
	return how.throughout(outcomes[:i+1], t.position(t.begin.Add(warmUp)), t.settings.Step)
}

// throughout tells whether the form was true at every tick of its hold that could be judged, and at two at least, which is more than the
// hold of some. What it was before the windows were full, up to the tick warm, does not count against it, when it was true for as long as
// that took since: a rule that asks for so many requests is not met by the first scrapes, however old the fault.
func (f form) throughout(outcomes []Outcome, warm int, step time.Duration) bool {
	yes, least := 0, 2
	for i := max(0, len(outcomes)-max(ticksIn(f.hold, step), least)); i < len(outcomes); i++ {
		switch o := outcomes[i]; {
		case o >= f.least:
			yes++
		case o == CannotJudge:
		case i >= warm:
			return false
		default:
			yes, least = 0, max(2, ticksIn(warmUp, step))
		}
	}
	return yes >= least
}
