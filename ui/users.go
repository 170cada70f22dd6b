package ui

import (
	"math"

	"github.com/vllmscope/vllmscope/diagnose"
)

// usersLine says how bad it is for the users, before anything about machines: in full sentences where there is room for all of them.
func (s *scene) usersLine(width int) string {
	users := s.report.Users()
	draw := func(width int, brief bool) *line {
		l := s.line(width).at(gap).put(strong, "users ").put(faint, "("+diagnose.Duration(users.Span)+") ")
		for i, remark := range s.usersRemarks(users, brief) {
			if i > 0 {
				l.put(plain, " · ")
			}
			l.put(map[bool]style{true: strong, false: plain}[remark.Bad], remark.Text)
		}
		return l
	}
	if full := draw(math.MaxInt, false); full.width <= width {
		return full.String()
	}
	return draw(width, true).String()
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
