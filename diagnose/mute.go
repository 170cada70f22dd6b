package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// addMutes says of each finding that explains all on its page which rules cannot be judged there because of it.
func (r *Report) addMutes(rows []dueRow) {
	pages := map[targetKey]map[string]lastJudged{}
	var all []*Finding
	for n := range r.Findings {
		if f := &r.Findings[n]; f.Rule.explainsAll() && f.Active() && f.Quiet == 0 {
			all = append(all, f)
			pages[keyOf(f.Subject)] = map[string]lastJudged{}
		}
	}
	if len(all) == 0 {
		return
	}
	lookAtPages(pages, rows)
	for _, f := range all {
		for i := range r.book.Rules {
			code := r.book.Rules[i].Code
			if r.book.place(code) > r.book.place(f.Rule.Code) && pages[keyOf(f.Subject)][code] == judgedBefore {
				f.Mutes = append(f.Mutes, code)
			}
		}
	}
}

// lastJudged is when a rule was judged last about something that is read from a page.
type lastJudged uint8

const (
	neverJudged lastJudged = iota
	judgedBefore
	judgedNow
)

// lookAtPages finds out when rules were judged last on some pages, by their codes. It goes through the rows once, however many pages are
// muted: when a network is down, all of a fleet are.
func lookAtPages(pages map[targetKey]map[string]lastJudged, rows []dueRow) {
	for _, due := range rows {
		codes := pages[keyOf(due.subject)]
		if codes == nil || due.subject.Level == Target {
			continue
		}
		switch code := due.rule.Code; {
		case due.outcomes[due.i] != CannotJudge:
			codes[code] = judgedNow
		case codes[code] == neverJudged && slices.ContainsFunc(due.outcomes[:due.i], func(o Outcome) bool { return o != CannotJudge }):
			codes[code] = judgedBefore
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
