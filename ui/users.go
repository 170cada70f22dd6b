package ui

import (
	"cmp"
	"math"
	"strings"
	"unicode"

	"github.com/vllmscope/vllmscope/diagnose"
)

// usersLine says how bad it is for the users, before anything about machines.
func (s *scene) usersLine(width int) string {
	l := s.line(width).at(gap).put(strong, "users ").put(faint, "("+diagnose.Duration(s.report.Settings.Window)+") ")
	for i, part := range s.usersParts(s.report.Users(), width < wordy) {
		if i > 0 {
			l.put(plain, " · ")
		}
		l.put(part.style, part.text)
	}
	return l.String()
}

// wordy is the width from which on there is room for full sentences.
const wordy = 96

// budget is the share of requests that may miss the objective (an objective is for 99 % of them).
const budget = 0.01

// usersParts puts the figures into words; what is not known says why, or is left out.
func (s *scene) usersParts(u diagnose.Users, brief bool) []segment {
	r := s.report
	if len(r.Replicas) == 0 {
		return []segment{{style: plain, text: "no vLLM engine seen yet"}}
	}
	if math.IsNaN(u.LateLow) && math.IsNaN(u.PerMinute) {
		why := r.Fact("requests_per_minute", r.Replicas[0]).Absence.String()
		return []segment{{style: plain, text: why}}
	}
	var parts []segment
	add := func(bad bool, text string) {
		parts = append(parts, segment{style: map[bool]style{true: strong, false: plain}[bad], text: text})
	}
	if math.IsNaN(u.LateLow) {
		add(false, "no first token in "+diagnose.Duration(r.Settings.Window))
	} else {
		objective := diagnose.Seconds.Format(r.Settings.SLO.TTFT.Seconds())
		of := " of " + cmp.Or(r.Settings.SLO.Name, "all") + " requests"
		if brief {
			of = ""
		}
		add(u.LateLow > budget, between(diagnose.Share, u.LateLow, u.LateHigh)+of+" over "+objective)
	}
	if !math.IsNaN(u.Errors) {
		add(u.Errors > budget, diagnose.Share.Format(u.Errors)+" errors")
	}
	add(false, diagnose.Count.Format(u.PerMinute)+" req/min")
	if !math.IsNaN(u.GoodLow) {
		add(false, "good-put "+between(diagnose.PerSecond, u.GoodLow, u.GoodHigh))
	}
	return parts
}

// between prints an interval with its unit once, and one number where both ends read the same.
func between(u diagnose.Unit, low, high float64) string {
	from, to := u.Format(low), u.Format(high)
	number, unit := cutUnit(from)
	_, other := cutUnit(to)
	switch {
	case from == to:
		return from
	case unit == other && !strings.HasPrefix(from, "<"):
		return number + "–" + to
	}
	return from + " – " + to
}

// cutUnit splits a value behind its last digit.
func cutUnit(text string) (number, unit string) {
	number = strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsDigit(r) })
	return number, text[len(number):]
}
