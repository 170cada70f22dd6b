package diagnose

import (
	"slices"
	"time"
)

// addMutes says of each finding that explains all on its page which rules cannot be judged there because of it.
func (r *Report) addMutes(t *Track) {
	dueOf := t.dues(r.Time.UnixMilli())
	for n := range r.Findings {
		f := &r.Findings[n]
		if !f.Rule.explainsAll() || !f.Active() || f.Quiet > 0 {
			continue
		}
		for i := range t.book.Rules {
			rule := &t.book.Rules[i]
			if r.book.place(rule.Code) > r.book.place(f.Rule.Code) && t.mutedOn(rule, f.Subject, dueOf(rule)) {
				f.Mutes = append(f.Mutes, rule.Code)
			}
		}
	}
}

// mutedOn tells whether a rule was judged before about something that is read from a page, and is not about anything there now.
func (t *Track) mutedOn(rule *Rule, page Subject, tick int64) bool {
	muted := false
	for key, outcomes := range t.rows {
		if key.code != rule.Code || key.subject.Level == Target || !key.subject.SameTarget(page) {
			continue
		}
		i := t.position(time.UnixMilli(tick))
		if i < 0 || i >= len(outcomes) {
			continue
		}
		if outcomes[i] != CannotJudge {
			return false
		}
		muted = muted || slices.ContainsFunc(outcomes[:i], func(o Outcome) bool { return o != CannotJudge })
	}
	return muted
}
