package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// item is an entry of the findings pane: a finding, a line about what cannot be judged, or a remark about the whole.
type item struct {
	key     itemKey
	finding *diagnose.Finding
	others  int // further subjects with the same finding
	lack    *diagnose.Lack
	style   style
	remark  string
}

// itemKey tells an item again in the next report.
type itemKey struct {
	ref  diagnose.Ref
	what string // of what is no finding
}

// items lists what the findings pane tells: the state of the whole where there is something to say, causes, what cannot be judged,
// what has ended. Explained findings hang under their cause and have no entry of their own.
func (s *scene) items() []item {
	r := s.report
	if r == nil {
		return []item{{key: itemKey{what: "waiting"}, remark: s.waiting}}
	}
	items := s.remarks()
	var ended []item
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case f.ExplainedBy != nil || !s.passes(f):
		case f.Active():
			items = append(items, item{key: itemKey{ref: f.Ref()}, finding: f})
		default:
			ended = append(ended, item{key: itemKey{ref: f.Ref()}, finding: f})
		}
	}
	items = gathered(items)
	for _, lack := range r.Lacks() {
		lack.Subjects = slices.DeleteFunc(lack.Subjects, func(subject diagnose.Subject) bool { return !s.filter.matches(s.report.Where(subject)) })
		if len(lack.Subjects) > 0 {
			items = append(items, item{key: itemKey{what: strings.Join(lack.Codes, " ") + lack.Enable}, lack: &lack})
		}
	}
	return append(items, ended...)
}

// passes tells whether a finding is not filtered out, by what it is or by what it is about.
func (s *scene) passes(f *diagnose.Finding) bool {
	if !s.filter.on() {
		return true
	}
	texts := append([]string{f.Rule.Code, f.Title(), s.report.Where(f.Subject)}, modelsOf(replicasOf(s.report, f.Subject))...)
	return s.filter.matches(texts...)
}

// hidden counts the causes that the filter leaves out: what is bad must not be forgotten for it.
func (s *scene) hidden() int {
	n := 0
	if s.report != nil {
		for i := range s.report.Findings {
			if f := &s.report.Findings[i]; f.Active() && f.ExplainedBy == nil && !s.passes(f) {
				n++
			}
		}
	}
	return n
}

// From so many on, equal findings about different subjects are told as one: a network that is down is one piece of news, not sixty.
// What is only information is never told twice.
const alike = 4

// news is a finding without its subject.
type news struct {
	code, form string
	severity   diagnose.Severity
	state      diagnose.State
}

func newsOf(f *diagnose.Finding) news { return news{f.Rule.Code, f.Case, f.Severity, f.State} }

// gathered puts findings that read the same into the first of them.
func gathered(items []item) []item {
	count, first := map[news]int{}, map[news]int{}
	for _, one := range items {
		if one.finding != nil {
			count[newsOf(one.finding)]++
		}
	}
	var list []item
	for _, one := range items {
		if f := one.finding; f != nil {
			n := newsOf(f)
			if i, told := first[n]; told {
				list[i].others++
				continue
			}
			if count[n] >= alike || count[n] > 1 && f.Severity == diagnose.Information {
				first[n] = len(list)
				one.key = itemKey{what: n.code + n.form + n.severity.String() + n.state.String()}
			}
		}
		list = append(list, one)
	}
	return list
}

// remarks says what is true of the whole: no target answers, nothing was found, rates cannot be told yet.
func (s *scene) remarks() []item {
	r := s.report
	var items []item
	if text := s.silence(); text != "" {
		items = append(items, item{key: itemKey{what: "silence"}, style: critical, remark: s.sign.severity[diagnose.Critical] + " " + text})
	}
	active := slices.ContainsFunc(r.Findings, func(f diagnose.Finding) bool { return f.Active() && f.Severity > diagnose.Information })
	switch {
	case r.Judged == 0:
		items = append(items, item{key: itemKey{what: "nothing"}, remark: s.sign.unknown + " no rule could be judged yet"})
	case !active:
		text := s.sign.healthy + " nothing found · " + strconv.Itoa(r.Judged) + " of " + strconv.Itoa(len(r.Book().Rules)) + " rules judged"
		items = append(items, item{key: itemKey{what: "nothing"}, style: healthy, remark: text})
	}
	if r.Observed < r.Settings.Step {
		items = append(items, item{key: itemKey{what: "first"}, style: faint, remark: s.sign.unknown + " one scrape so far: rates need a second scrape"})
	}
	return items
}

// silence says that no target answers, and since when; nothing while one does.
func (s *scene) silence() string {
	var last string
	var newest int64
	for _, t := range s.report.Targets {
		if t.Up {
			return ""
		}
		if at := t.LastAnswer; !at.IsZero() && at.UnixMilli() > newest {
			newest, last = at.UnixMilli(), ": the last answer came "+diagnose.Duration(s.now.Sub(at))+" ago, at "+s.clock(at)
		}
	}
	n := len(s.report.Targets)
	if n == 0 {
		return ""
	}
	return "no target answers (" + strconv.Itoa(n) + " of " + strconv.Itoa(n) + " down)" + last
}
