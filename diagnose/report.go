package diagnose

import (
	"cmp"
	"slices"
	"time"
)

// Report is what is known and judged at one tick. It is a value: nothing in it changes once it is made, and every printer and
// every pane reads the same one.
type Report struct {
	Time     time.Time     // the tick: all figures are as of it
	Begin    time.Time     // of the data
	Observed time.Duration // from the first data to the tick
	Settings Settings
	Targets  []TargetState
	Replicas []Subject // present, or seen on a target that is still scraped
	GPUs     []GPUState
	Findings []Finding // causes before consequences, worst first
	Unknown  []Unjudged
	Spikes   []Spikes // what was true again and again, each time too short to be a finding
	Remarks  []string // on the user's own rules: those that cannot run, or can never fire
	Unserved []string // what of the user's settings has no effect: what they name and no target has, and silences that have ended
	Judged   []string // codes of the rules that were judged for at least one subject

	book   *Book
	active map[Ref]bool // the findings that go on
	judged map[Ref]bool // the rules that were judged, by what of
	facts  recent
	// figures are what is shown over the screen's window, where that is not the rules'; sinceStart are those of a single page.
	figures, sinceStart recent
	history             map[Subject][][]float64 // by place among the shown signals
	from                int64                   // first tick of the history
}

// GPUState is a GPU and the server that it is known to serve.
type GPUState struct {
	Subject
	Server Subject
	How    How
}

// Finding is a rule that holds for a subject.
type Finding struct {
	Rule       *Rule
	Subject    Subject
	Severity   Severity
	State      State
	Since      time.Time
	Held       time.Duration
	Hold       time.Duration // what Held is measured against
	Quiet      time.Duration // since the conditions were last true: more than 0 while a finding that fires is about to end
	Throughout bool          // true at every tick of the hold that could be judged
	Confidence float64       // 0.05 to 0.95
	Case       string        // which form of the rule, or ""
	Sentence   string
	Evidence   []Evidence
	RuledOut   []RuledOut
	Actions    []Advice // what costs nothing first
	// Causes and consequences, by subject and code.
	ExplainedBy *Ref
	Explains    []Ref
	counted     bool // what it explains counts
	goesOn      bool // something that it explains is true now
	over        bool // its sentence says itself that it is over
	freezes     string
	farEnd      bool // its form is what the other end of a pair sees
	// Silenced is the user's word that it is known, with its end; nil without one. What it explains is silent with it.
	Silenced *Silence
	Mutes    []string // codes of the rules that cannot be judged on its page because of it
	Runbook  string   // where the user's own notes on it are
}

// Ref names a finding.
type Ref struct {
	Code    string
	Subject Subject
}

// Title is the rule's title with the case, when there is one.
func (f *Finding) Title() string {
	if f.Case != "" {
		return f.Rule.Title + ": " + f.Case
	}
	return f.Rule.Title
}

// Command is the first that an action names, "" where none does.
func (f *Finding) Command() string {
	for _, a := range f.Actions {
		if a.Command != "" {
			return a.Command
		}
	}
	return ""
}

// Ref names this finding.
func (f *Finding) Ref() Ref { return Ref{f.Rule.Code, f.Subject} }

// Evidence is a comparison of the rule with the fact it looked at.
type Evidence struct {
	Fact
	Is
	Outcome Truth
	// Moot says that it is one of several ways of which another one is open: it need not be true.
	Moot bool
	// Plain evidence has no comparison: it is shown beside the others.
	Plain bool
}

// RuledOut is a neighbour that looks alike, and why it is not that.
type RuledOut struct{ Code, Because string }

// Advice is an action with its values filled in.
type Advice struct {
	When        When
	Text, Watch string
	Command     string // the first that the text has, to be pasted; "" where there is none
}

// Unjudged is a rule that cannot be judged for a subject, with the signals it lacks and what would provide them.
type Unjudged struct {
	Code    string
	Subject Subject
	Missing []string
	Enable  []string // what is lacking and how to get it, one sentence each
}

// Young tells whether most rules have not had the time yet that they look back on: too early to call anything healthy.
func (r *Report) Young() bool { return r.Observed < youth }

// At is the report of one tick of the track, the nearest where it does not cover the moment. It depends on nothing but the track.
func (t *Track) At(at time.Time) *Report {
	tick := t.tick(max(0, min(t.position(at), t.ticks-1)))
	r := &Report{
		Time: time.UnixMilli(tick), Begin: t.begin, Observed: max(0, time.UnixMilli(tick).Sub(t.begin)),
		Settings: t.settings, book: t.book, facts: slices.Clone(t.facts), figures: slices.Clone(t.figures), from: t.from, history: t.historyTo(tick),
	}
	r.addSubjects(func(target Subject) time.Time { return t.lastAnswer(target, t.position(r.Time)+1) })
	judged := map[string]bool{}
	r.judged = map[Ref]bool{}
	rows := t.due(tick)
	for _, due := range rows {
		if due.outcomes[due.i] != CannotJudge {
			judged[due.rule.Code], r.judged[Ref{due.rule.Code, due.subject}] = true, true
		} else if t.facts.has(due.subject, t.tick(due.i)) {
			if u := t.unjudged(due.rule, due.subject, t.tick(due.i)); u != nil {
				r.Unknown = append(r.Unknown, *u)
			}
		}
		if f := t.finding(due); f != nil {
			if f.State == Firing { // also between two ticks at which the rule is judged
				f.Held = r.Time.Sub(f.Since)
			}
			for i := range f.Actions {
				f.Actions[i].Text, f.Actions[i].Command = r.pasteable(f.Actions[i].Text, f.Subject)
			}
			r.Findings = append(r.Findings, *f)
		}
	}
	for i := range t.book.Rules {
		if code := t.book.Rules[i].Code; judged[code] {
			r.Judged = append(r.Judged, code)
		}
	}
	r.addOwn(t)
	r.addActive()
	r.Unserved = slices.Concat(r.unserved(), r.overrun(), r.endedSilences())
	r.silence()
	r.addMutes(rows)
	relate(r)
	r.addSpikes(t, rows)
	slices.SortFunc(r.Findings, r.compare)
	slices.SortFunc(r.Unknown, func(a, b Unjudged) int {
		return cmp.Or(a.Subject.Compare(b.Subject), cmp.Compare(t.book.place(a.Code), t.book.place(b.Code)))
	})
	return r
}

// compare orders findings: what is not explained first, then what goes on, what is not silenced, what is more than information, what does
// not ease, then the worst, then the book's before the user's, what fires before what is pending, then as the book has them, then the
// oldest.
func (r *Report) compare(a, b Finding) int {
	return cmp.Or(
		compareBool(a.ExplainedBy != nil, b.ExplainedBy != nil),
		compareBool(!a.Active(), !b.Active()),
		compareBool(a.Silenced != nil, b.Silenced != nil),
		compareBool(a.Severity == Information, b.Severity == Information),
		compareBool(a.waits(), b.waits()),
		-cmp.Compare(a.Severity, b.Severity),
		compareBool(a.Rule.Expr != "", b.Rule.Expr != ""), // what the user watches for says that, and not why
		-cmp.Compare(a.State, b.State),
		cmp.Compare(r.book.place(a.Rule.Code), r.book.place(b.Rule.Code)),
		a.Since.Compare(b.Since),
		a.Subject.Compare(b.Subject),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Causes lists the findings that no other explains, in the report's order: those that go on, and those that have ended. What is silenced
// is not among them while it goes on.
func (r *Report) Causes() (active, ended []*Finding) {
	for i := range r.Findings {
		switch f := &r.Findings[i]; {
		case f.ExplainedBy != nil, f.Silenced != nil && f.Active():
		case f.Active():
			active = append(active, f)
		default:
			ended = append(ended, f)
		}
	}
	return active, ended
}

// Counts is how many causes hold now, by severity; consequences are not counted again, and what the GPUs of one host have in common counts
// once.
func (r *Report) Counts() (n [Critical + 1]int) {
	active, _ := r.Causes()
	known := map[news]bool{}
	for _, f := range active {
		one := newsOf(f)
		one.host = f.Subject.board()
		if one.host != "" && known[one] {
			continue
		}
		known[one] = true
		n[f.Severity]++
	}
	return n
}

// Fact is a signal's value for a subject at the report's tick, or, of a signal that only slow rules read, at the tick up to which
// those are judged. A signal that is not in the book has no value.
func (r *Report) Fact(id string, subject Subject) Fact {
	s := r.book.Signal(id)
	if s == nil {
		return noFact(&Signal{ID: id, Title: id}, subject)
	}
	return r.facts.fact(s, subject, r.readAt(s))
}

// readAt is the tick at which a signal was read last.
func (r *Report) readAt(s *Signal) int64 {
	tick, step := r.Time.UnixMilli(), r.Settings.Step.Milliseconds()
	for due := tick; due > tick-slowTicks*step; due -= step {
		if f, _ := r.facts.at(s, due); f != nil {
			return due
		}
	}
	return tick
}

// Weigh holds what a rule asks against a subject: what it comes to, and every comparison with what it looked at.
func (r *Report) Weigh(rule *Rule, subject Subject) (Truth, []Evidence) {
	return rule.When.weigh(func(id string) Fact { return r.Fact(id, subject) })
}

// Book is the rule book that the report was judged by.
func (r *Report) Book() *Book { return r.book }

// History is a shown signal's value at every tick up to the report's, oldest first, NaN where there is none; and its first tick.
func (r *Report) History(id string, subject Subject) (first time.Time, values []float64) {
	first = time.UnixMilli(r.from)
	figures, place := r.history[subject], slices.Index(r.book.Shown, id)
	if figures == nil || place < 0 {
		return first, nil
	}
	return first, figures[place]
}
