package ui

import (
	"math"

	"github.com/vllmscope/vllmscope/diagnose"
)

// usersLine says how bad it is for the users, before anything about machines: in full sentences where there is room for all of
// them, else without the figures that do not fit.
func (s *scene) usersLine(width int) string {
	users := s.report.Users()
	draw := func(width int, remarks []diagnose.Remark) *line {
		l := s.line(width).at(gap).put(strong, "users ").put(faint, "("+diagnose.Duration(users.Span)+") ")
		for i, remark := range remarks {
			if i > 0 {
				l.put(plain, " · ")
			}
			l.put(map[bool]style{true: strong, false: plain}[remark.Bad], remark.Text)
		}
		return l
	}
	if full := draw(math.MaxInt, s.usersRemarks(users, false)); full.width <= width {
		return full.String()
	}
	var fit []diagnose.Remark
	for _, remark := range s.usersRemarks(users, true) {
		if more := append(fit, remark); remark.Bad || len(fit) == 0 || draw(math.MaxInt, more).width <= width {
			fit = more
		}
	}
	return draw(width, fit).String()
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
