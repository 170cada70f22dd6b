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
		return worst.throughout(outcomes[:i+1], t.settings.Step) || c.held >= flicker && !usual.throughout(outcomes[:i+1], t.settings.Step)
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

// throughout tells whether the form was true at every tick of its hold that could be judged, and at two at least, which is more than the
// hold of some.
func (f form) throughout(outcomes []Outcome, step time.Duration) bool {
	yes := 0
	for _, o := range outcomes[max(0, len(outcomes)-max(ticksIn(f.hold, step), 2)):] {
		switch {
		case o >= f.least:
			yes++
		case o != CannotJudge:
			return false
		}
	}
	return yes >= 2
}
