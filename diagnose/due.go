package diagnose

import "time"

// A dueRow is what a rule came to for a subject, as it is told at some moment.
type dueRow struct {
	rule     *Rule
	subject  Subject
	outcomes []Outcome
	i        int // the tick up to which the rule is judged then
	life     life
	form     form
}

// lookedUp is what a track was asked last, while nothing newer is known: a tick's rows are asked for by its details and by its report, and the
// lively rules at each tick up to the next slow one.
type lookedUp struct {
	due      []dueRow
	dueAt    int64
	lively   map[string]bool
	livelyAt int64
}

// forgetFrom forgets what is newer than a moment.
func (l *lookedUp) forgetFrom(at int64) {
	if l.due = nil; at <= l.livelyAt {
		l.lively = nil
	}
}

// due are the rows that have an outcome to tell at a moment, each at the tick up to which its rule is judged then.
func (t *Track) due(at int64) []dueRow {
	if t.last.due == nil || t.last.dueAt != at {
		t.last.due, t.last.dueAt = t.findDue(at), at
	}
	return t.last.due
}

func (t *Track) findDue(at int64) []dueRow {
	rows := make([]dueRow, 0, len(t.rows))
	dueOf := t.dues(at)
	for key, outcomes := range t.rows {
		one := dueRow{rule: t.book.Rule(key.code), subject: key.subject, outcomes: outcomes}
		if one.i = t.position(time.UnixMilli(dueOf(one.rule))); one.i >= 0 && one.i < len(outcomes) {
			one.life, one.form = t.life(one.rule, outcomes, one.i)
			rows = append(rows, one)
		}
	}
	return rows
}

// dues tells up to which tick each rule is judged when the report of a moment is asked for: that moment for quick rules, for those
// that have something to tell, and while the data is young; the last slow tick for the others.
func (t *Track) dues(at int64) func(*Rule) int64 {
	lively := t.lively(at)
	return func(r *Rule) int64 {
		if r.quick() || lively[r.Code] || at-t.begin.UnixMilli() < youth.Milliseconds() {
			return at
		}
		return t.slowTick(at)
	}
}

// lively are the codes of the rules that had something to tell at the last slow tick before a moment. They are judged at every tick
// until the next one, so that what is told of them is as new as the figures beside it.
func (t *Track) lively(at int64) map[string]bool {
	slow := t.slowTick(at)
	if t.last.lively == nil || t.last.livelyAt != slow {
		t.last.lively, t.last.livelyAt = t.findLively(slow), slow
	}
	return t.last.lively
}

func (t *Track) findLively(slow int64) map[string]bool {
	codes := map[string]bool{}
	i := t.position(time.UnixMilli(slow))
	for key, outcomes := range t.rows {
		rule := t.book.Rule(key.code)
		if rule.quick() || codes[key.code] || i < 0 || i >= len(outcomes) {
			continue
		}
		if l, _ := t.life(rule, outcomes, i); l.state != Inactive {
			codes[key.code] = true
		}
	}
	return codes
}

// slowTick is the last tick at or before a moment at which the whole book is judged.
func (t *Track) slowTick(at int64) int64 {
	chunk := slowTicks * t.settings.Step.Milliseconds()
	return at / chunk * chunk
}
