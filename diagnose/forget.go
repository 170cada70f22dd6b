package diagnose

import (
	"math"
	"slices"
	"time"
)

// remembered outlives the ticks of a track: what an incident that is longer than the kept span would lose.
type remembered struct {
	answered map[Subject]time.Time // targets, the last tick at which each answered
	fired    map[rowKey]firing
}

// firing is since when a finding had fired when it was last seen to, both ticks in milliseconds since the epoch.
type firing struct{ since, seen int64 }

// forget drops the ticks before a moment, in lumps, so that it costs nothing most of the time.
func (t *Track) forget(before time.Time) {
	drop := t.position(before)
	if drop < t.ticks/4 || drop < slowTicks {
		return
	}
	t.last = lookedUp{}
	t.remember()
	for key, outcomes := range t.rows {
		if t.rows[key] = cutFront(outcomes, drop); !slices.ContainsFunc(t.rows[key], func(o Outcome) bool { return o != CannotJudge }) {
			delete(t.rows, key)
		}
	}
	for key, felt := range t.felt {
		if t.felt[key] = cutFront(felt, drop); t.rows[key] == nil {
			delete(t.felt, key)
		}
	}
	for subject, figures := range t.history {
		gone := true
		for k, values := range figures {
			if values != nil {
				figures[k] = cutFront(values, drop)
				gone = gone && !slices.ContainsFunc(figures[k], func(v float64) bool { return !math.IsNaN(v) })
			}
		}
		if gone {
			delete(t.history, subject)
		}
	}
	t.forgetOwn(drop)
	t.from, t.ticks = t.tick(drop), t.ticks-drop
}

// remember notes what the ticks that are about to go would be missed for.
func (t *Track) remember() {
	if t.past.answered == nil {
		t.past.answered = map[Subject]time.Time{}
	}
	for subject := range t.history {
		if at := t.lastAnswer(subject, t.ticks); subject.Level == Target && !at.IsZero() {
			t.past.answered[subject] = at
		}
	}
	fired := map[rowKey]firing{}
	for key, outcomes := range t.rows {
		if l, _ := t.life(t.book.Rule(key.code), outcomes, len(outcomes)-1); l.state == Firing {
			fired[key] = firing{t.firedSince(key, l), t.tick(len(outcomes) - 1)}
		}
	}
	t.past.fired = fired
}

// firedSince is the tick since which a finding fires. One that has fired since before it was last seen to is the same one.
func (t *Track) firedSince(key rowKey, l life) int64 {
	since := t.tick(l.since)
	if past, ok := t.past.fired[key]; ok && since <= past.seen {
		return min(since, past.since)
	}
	return since
}

// lastAnswer is the last of the first n ticks at which a target answered, zero when there is none.
func (t *Track) lastAnswer(target Subject, n int) time.Time {
	place := slices.Index(t.book.Shown, "up")
	if figures := t.history[target]; figures != nil && place >= 0 {
		up := figures[place]
		for i := min(n, len(up)) - 1; i >= 0; i-- {
			if up[i] == 1 {
				return time.UnixMilli(t.tick(i))
			}
		}
	}
	return t.past.answered[target]
}

// cutFront copies what is after the first n values, so that reports which share the old ones are not touched.
func cutFront[T any](values []T, n int) []T {
	return append([]T(nil), values[min(n, len(values)):]...)
}
