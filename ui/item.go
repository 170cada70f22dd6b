package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// item is an entry of the findings pane: a finding, a line about what cannot be judged, or a remark about the whole.
type item struct {
	key     itemKey
	finding *diagnose.Finding
	others  []diagnose.Subject // further ones with the same finding
	lack    *diagnose.Lack
	style   style
	remark  string
}

// wrong tells whether the item is a finding that holds and is at least so severe.
func (i *item) wrong(least diagnose.Severity) bool {
	return i.finding != nil && i.finding.Active() && i.finding.Severity >= least
}

// about is the rule and the subject that the item is about, if it is about one: a finding that holds or is silenced, one that comes and
// goes, one that cannot be judged, the first of those that no target answers for.
func (i *item) about() (ref diagnose.Ref, ok bool) {
	switch {
	case i.finding != nil:
		return i.finding.Ref(), true
	case i.lack != nil:
		return diagnose.Ref{Code: i.lack.Codes[0], Subject: i.lack.Subjects[0]}, true
	}
	return i.key.ref, i.key.ref != diagnose.Ref{}
}

// silent is what the line is that no target answers.
const silent = "silence"

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
	active, ended := r.Causes()
	items = append(items, s.findingItems(active)...)
	for _, lack := range r.Remedies() {
		lack.Subjects = slices.DeleteFunc(lack.Subjects, func(subject diagnose.Subject) bool { return !s.filter.matches(r.Where(subject)) })
		if len(lack.Subjects) > 0 {
			items = append(items, item{key: itemKey{what: lack.Enable}, lack: &lack})
		}
	}
	items = append(items, s.noteItems()...)
	for _, spikes := range r.Spikes {
		where, title := r.Where(spikes.Subject), spikes.Rule.Code+" "+spikes.Rule.Title
		if s.filter.matches(where, title) {
			text := s.sign.other + " " + title + " · " + where + " · " + spikes.String()
			items = append(items, item{key: itemKey{ref: diagnose.Ref{Code: spikes.Rule.Code, Subject: spikes.Subject}, what: "spikes"}, style: faint, remark: text})
		}
	}
	for _, remark := range r.Remarks {
		items = append(items, item{key: itemKey{what: remark}, style: faint, remark: s.sign.unknown + " your rules: " + remark})
	}
	for _, text := range r.Unserved {
		items = append(items, item{key: itemKey{what: text}, style: faint, remark: s.sign.unknown + " your settings: " + text})
	}
	if s.advice != "" {
		items = append(items, item{key: itemKey{what: "advice"}, style: faint, remark: s.sign.unknown + " " + s.advice})
	}
	return slices.Concat(items, s.silencedItems(), s.findingItems(ended))
}

// silencedItems lists what the user has silenced: a line each, with until when and why.
func (s *scene) silencedItems() []item {
	var items []item
	for _, f := range s.report.Silenced() {
		if s.passes(f) {
			text := f.Rule.Code + " " + f.Title() + " · " + s.report.Where(f.Subject) + " · silenced " + f.Silenced.String()
			items = append(items, item{key: itemKey{ref: f.Ref(), what: "silenced"}, style: faint, remark: s.sign.other + " " + text})
		}
	}
	return items
}

// noteItems says what is odd about pages, each kind once.
func (s *scene) noteItems() []item {
	others := map[string]int{}
	var first []item
	for _, t := range s.report.Targets {
		for _, n := range t.Notes {
			if others[n.Name]++; others[n.Name] == 1 && s.filter.matches(t.Name(), n.Name) {
				first = append(first, item{key: itemKey{what: n.Name}, style: faint, remark: s.sign.unknown + " page of " + t.Name() + ": " + n.String()})
			}
		}
	}
	for i := range first {
		if n := others[first[i].key.what] - 1; n > 0 {
			first[i].remark += " (and of " + diagnose.Plural(n, "other") + ")"
		}
	}
	return first
}

// findingItems lists the findings that the filter lets through. One about several subjects stays the same item whichever comes first.
func (s *scene) findingItems(findings []*diagnose.Finding) []item {
	findings = slices.DeleteFunc(findings, func(f *diagnose.Finding) bool { return !s.passes(f) })
	var items []item
	told := diagnose.Tell(findings)
	if s.silence() != "" {
		told = diagnose.TellFrom(findings, 2) // one piece of news, however few targets there are
	}
	for _, told := range told {
		one := item{key: itemKey{ref: told.Ref()}, finding: told.Finding, others: told.Others}
		if len(one.others) > 0 {
			one.key = itemKey{what: told.Rule.Code + told.Case + told.Severity.String() + told.State.String()}
			if _, name, more := s.report.Place(told); len(more) == 0 {
				host, _, _ := strings.Cut(name, " GPU ")
				one.key.what += host // another may have the same
			}
		}
		items = append(items, one)
	}
	return items
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
			if f := &s.report.Findings[i]; f.Active() && f.ExplainedBy == nil && f.Silenced == nil && !s.passes(f) {
				n++
			}
		}
	}
	return n
}

// causes counts what is or was wrong lately: with those that have ended, so that the screen does not change its shape twice for a blink.
func (s *scene) causes() int {
	if s.report == nil {
		return 0
	}
	active, ended := s.report.Causes()
	n := 0
	for _, f := range slices.Concat(active, ended) {
		if f.Severity > diagnose.Information {
			n++
		}
	}
	return n
}

// remarks says what is true of the whole: no target answers, nothing was found, rates cannot be told yet.
func (s *scene) remarks() []item {
	r := s.report
	var items []item
	if text := s.silence(); text != "" {
		items = append(items, item{key: itemKey{ref: s.worst(), what: silent}, style: critical, remark: s.sign.severity[diagnose.Critical] + " " + text})
	}
	active := slices.ContainsFunc(r.Findings, func(f diagnose.Finding) bool {
		return f.Active() && f.Severity > diagnose.Information && f.Silenced == nil
	})
	switch {
	case len(r.Judged) == 0:
		items = append(items, item{key: itemKey{what: "nothing"}, remark: s.sign.unknown + " no rule could be judged yet"})
	case !active:
		items = append(items, s.calm())
	}
	if s.lacksRates() {
		items = append(items, item{key: itemKey{what: "first"}, style: faint, remark: s.sign.unknown + " one scrape so far: rates need a second scrape"})
	}
	return items
}

// worst is the cause that stands first; none while nothing is wrong.
func (s *scene) worst() diagnose.Ref {
	if active, _ := s.report.Causes(); len(active) > 0 {
		return active[0].Ref()
	}
	return diagnose.Ref{}
}

// rates are figures that take two scrapes.
var rates = []string{"generation_tokens_per_second", "requests_per_minute"}

// lacksRates tells whether rates are still missing for want of a second scrape, and none is there yet.
func (s *scene) lacksRates() bool {
	early := false
	for _, replica := range s.report.Replicas {
		for _, id := range rates {
			f := s.report.Fact(id, replica)
			if f.Known() {
				return false
			}
			early = early || f.Absence == diagnose.TooFew
		}
	}
	return early
}

// calm says that nothing was found, and how much that means.
func (s *scene) calm() item {
	r, one := s.report, item{key: itemKey{what: "nothing"}}
	switch r.Quiet() {
	case diagnose.TooEarly:
		one.remark = s.sign.other + " " + r.Calm() + " yet · observed " + diagnose.Duration(r.Observed) + " · most rules need a minute"
	case diagnose.LittleJudged:
		one.remark = s.sign.unknown + " " + r.Calm() + " in what little can be judged · " + r.Coverage()
	case diagnose.NoCause:
		one.remark = s.sign.unknown + " no cause found for what users feel · " + r.Coverage()
	default:
		one.style, one.remark = healthy, s.sign.healthy+" "+r.Calm()+" · "+r.Coverage()
	}
	return one
}

// silence says that no target answers, what to look at before any of them, and since when; nothing while one does.
func (s *scene) silence() string {
	last, refused := time.Time{}, true
	for _, t := range s.report.Targets {
		if t.Up {
			return ""
		}
		if t.LastAnswer.After(last) {
			last = t.LastAnswer
		}
		refused = refused && t.ErrorClass == "refused"
	}
	since := ""
	if !last.IsZero() {
		since = " for " + diagnose.Duration(s.now.Sub(last))
	}
	switch n := len(s.report.Targets); {
	case n == 0:
		return ""
	case n == 1:
		return "the only target has not answered" + since
	case refused && len(s.report.Servers()) < 2: // one server with its exporters: its finding says what to do
		return "no target of " + strconv.Itoa(n) + " has answered" + since
	case refused: // the network is there: it was from it that the refusals came
		return "no target of " + strconv.Itoa(n) + " has answered" + since + ", all refuse: see if a port-forward ended"
	default:
		return "no target of " + strconv.Itoa(n) + " has answered" + since + ": check your own network first"
	}
}
