package diagnose

import (
	"fmt"
	"slices"
	"strings"
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

// mostMuted is how many muted rules are listed.
const mostMuted = 4

// Muted says which rules are not judged because of a finding: a few, and how many; empty where there are none.
func (f *Finding) Muted() string {
	n := len(f.Mutes)
	switch {
	case n == 0:
		return ""
	case n <= mostMuted:
		return strings.Join(f.Mutes, " ") + ": not judged while this goes on"
	}
	return fmt.Sprintf("%d rules that read its page (%s and %d more): not judged while this goes on", n, strings.Join(f.Mutes[:mostMuted-1], ", "), n-mostMuted+1)
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
