package ui

import "github.com/vllmscope/vllmscope/diagnose"

// wordy is the width from which on there is room for full sentences.
const wordy = 96

// usersLine says how bad it is for the users, before anything about machines.
func (s *scene) usersLine(width int) string {
	users := s.report.Users()
	l := s.line(width).at(gap).put(strong, "users ").put(faint, "("+diagnose.Duration(users.Span)+") ")
	for i, remark := range s.usersRemarks(users, width < wordy) {
		if i > 0 {
			l.put(plain, " · ")
		}
		l.put(map[bool]style{true: strong, false: plain}[remark.Bad], remark.Text)
	}
	return l.String()
}

// usersRemarks are the figures in words, or why there are none.
func (s *scene) usersRemarks(users diagnose.Users, brief bool) []diagnose.Remark {
	r := s.report
	if len(r.Replicas) == 0 {
		return []diagnose.Remark{{Text: "no vLLM engine seen yet"}}
	}
	if remarks := users.Remarks(brief); len(remarks) > 0 {
		return remarks
	}
	return []diagnose.Remark{{Text: r.Fact("requests_per_minute", r.Replicas[0]).Absence.String()}}
}
