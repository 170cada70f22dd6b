package ui

import (
	"strconv"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// headerState is what the header tells beside the report.
type headerState struct {
	interval time.Duration
	newest   time.Time // of the reports that came in; after the one shown while paused
	paused   bool
	ended    bool // no more reports will come
}

// header draws the two lines that are on every page: how many of what and how bad, then what users feel.
func (s *scene) header(st headerState, width int) []string {
	r := s.report
	if r == nil {
		return []string{s.spread(width, []segment{{strong, "vllmscope", 0}}, nil, nil), ""}
	}
	return []string{
		s.spread(width, s.fleet(), s.counts(width), s.moment(st)),
		s.usersLine(width),
	}
}

// fleet counts what is watched.
func (s *scene) fleet() []segment {
	servers, down := s.report.Servers(), 0
	for _, t := range servers {
		if !t.Up {
			down++
		}
	}
	n, look := diagnose.Plural(len(servers), "server"), plain
	if down > 0 {
		n, look = n+", "+strconv.Itoa(down)+" down", strong
	}
	return []segment{
		{strong, "vllmscope", 6},
		{look, n, 5},
		{plain, diagnose.Plural(len(s.report.Replicas), "replica"), 7},
		{plain, diagnose.Plural(len(s.report.GPUs), "GPU"), 8},
	}
}

// wideCounts is the width from which on there is room to say that rules are counted.
const wideCounts = 140

// counts says how many causes there are, by severity, and how many rules cannot be judged. Unknown are servers whose figures say nothing, in
// the line below.
func (s *scene) counts(width int) []segment {
	n := s.report.Counts()
	var segments []segment
	for i, severity := range []diagnose.Severity{diagnose.Critical, diagnose.Warning} {
		look := faint
		if n[severity] > 0 {
			look = styleOf(severity)
		}
		segments = append(segments, segment{look, s.sign.severity[severity] + " " + strconv.Itoa(n[severity]) + " " + severity.String(), i})
	}
	unjudged := s.sign.unknown + " " + strconv.Itoa(len(s.report.UnknownCodes()))
	if width >= wideCounts {
		unjudged += " rules"
	}
	return append(segments, segment{faint, unjudged + " unjudged", 4})
}

// moment says which moment is shown, and whether the next ones will be.
func (s *scene) moment(st headerState) []segment {
	at := s.clock(s.report.Time)
	window := segment{faint, "window " + diagnose.Duration(s.report.Settings.Window), 9}
	switch {
	case st.paused:
		ago := ""
		if behind := max(st.newest.Sub(s.report.Time), 0) + s.late; behind > 0 {
			ago = ", " + diagnose.Duration(behind) + " ago"
		}
		return []segment{window, {reversed, " paused at " + at + ago + " ", 2}}
	case st.ended:
		return []segment{window, {strong, "end of the data at " + at, 2}}
	case s.late > 0:
		return []segment{window, {reversed, " no report for " + diagnose.Duration(s.late) + ", as of " + at + " ", 2}}
	}
	if st.interval == 0 {
		return []segment{window, {plain, "as of " + at, 3}}
	}
	pace := st.interval.String()
	if st.interval >= time.Second {
		pace = diagnose.Duration(st.interval)
	}
	return []segment{{plain, "live " + pace, 10}, window, {plain, "as of " + at, 3}}
}
