package diagnose

import (
	"time"
)

// Outcomes are what the rules came to at a tick, for each subject that was there.
func (t *Track) Outcomes(at time.Time) map[Ref]Outcome {
	found := map[Ref]Outcome{}
	for key, outcomes := range t.rows {
		if i := t.position(at); i >= 0 && i < len(outcomes) {
			found[Ref{key.code, key.subject}] = outcomes[i]
		}
	}
	return found
}

// SubjectOf reads a subject from the labels of a recorded series.
var SubjectOf = subjectOf

// ValueAt is a signal's value for a subject at a tick of the track.
func (t *Track) ValueAt(id string, subject Subject, at time.Time) float64 {
	return t.facts.fact(t.book.Signal(id), subject, at.UnixMilli()).Value
}
