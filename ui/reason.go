package ui

import (
	"cmp"
	"slices"

	"github.com/vllmscope/vllmscope/diagnose"
)

// reason is a row of the signal table: a rule, and what each of its conditions comes to for one subject.
type reason struct {
	rule       *diagnose.Rule
	subject    diagnose.Subject
	kin        bool              // about something else, and here for what it explains or is explained by
	finding    *diagnose.Finding // nil when there is none
	place      int               // of the finding in the report; behind all where there is none
	truth      diagnose.Truth
	conditions []diagnose.Evidence
}

// key tells the row again in the next report.
func (r *reason) key() diagnose.Ref { return diagnose.Ref{Code: r.rule.Code, Subject: r.subject} }

// rank sorts rows: what is found of the subject itself, what is found of others, what is not found.
func (r *reason) rank() int {
	switch {
	case r.finding == nil:
		return 2
	case r.kin:
		return 1
	}
	return 0
}

// near tells whether at least half of the conditions are true.
func (r *reason) near() bool {
	met := 0
	for _, c := range r.conditions {
		if c.Outcome == diagnose.True {
			met++
		}
	}
	return 2*met >= len(r.conditions)
}

// reasons holds every rule that can be about a subject against the report: first what is found, in the report's order, then the others
// in the book's. Unless all are wanted, those that are far from true are left out. What a finding among them explains, or is
// explained by, is there too, whatever it is about, and stands behind what is found of the subject itself.
func reasons(r *diagnose.Report, subject diagnose.Subject, all bool) []reason {
	var rows []reason
	for i := range r.Book().Rules {
		rule := &r.Book().Rules[i]
		for _, s := range judgedFor(r, rule.Level, subject) {
			row := reasonFor(r, rule, s)
			if all || row.finding != nil && row.finding.Active() || row.near() {
				rows = append(rows, row)
			}
		}
	}
	rows = append(rows, ownReasons(r, subject)...)
	for _, ref := range relatives(r, rows) {
		row := reasonFor(r, r.Book().Rule(ref.Code), ref.Subject)
		row.kin = true
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b reason) int { return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.place, b.place)) })
	return rows
}

// ownReasons are the findings of the user's own rules about a subject, about what it is part of, or about all.
func ownReasons(r *diagnose.Report, subject diagnose.Subject) []reason {
	var rows []reason
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule.Expr != "" && (f.Subject == subject || f.Subject.Level == diagnose.Fleet || concerns(r, f.Subject, subject)) {
			rows = append(rows, reasonFor(r, f.Rule, f.Subject))
		}
	}
	return rows
}

func reasonFor(r *diagnose.Report, rule *diagnose.Rule, s diagnose.Subject) reason {
	row := reason{rule: rule, subject: s}
	row.finding, row.place = findingOf(r, row.key())
	if rule.Expr == "" {
		row.truth, row.conditions = r.Weigh(rule, s)
	}
	return row
}

// relatives lists the causes and consequences of the rows' findings that are no rows yet.
func relatives(r *diagnose.Report, rows []reason) []diagnose.Ref {
	var refs []diagnose.Ref
	known := func(ref diagnose.Ref) bool {
		return slices.Contains(refs, ref) || slices.ContainsFunc(rows, func(row reason) bool { return row.key() == ref })
	}
	add := func(some ...diagnose.Ref) {
		for _, ref := range some {
			if !known(ref) {
				refs = append(refs, ref)
			}
		}
	}
	for i := range rows {
		f := rows[i].finding
		if f != nil && f.ExplainedBy != nil {
			add(*f.ExplainedBy)
			f, _ = findingOf(r, *f.ExplainedBy)
		}
		if f != nil {
			add(f.Explains...)
		}
	}
	return refs
}

// judgedFor lists the subjects of a level whose rules say something about a subject: itself, what it is part of, its GPUs.
func judgedFor(r *diagnose.Report, level diagnose.Level, s diagnose.Subject) []diagnose.Subject {
	switch {
	case level == s.Level:
		return []diagnose.Subject{s}
	case level == diagnose.GPU && s.Level != diagnose.Model:
		return gpusOf(r, s)
	case s.Level == diagnose.GPU && level != diagnose.Target:
		if server, ok := r.ServerOf(s); ok {
			return judgedFor(r, level, server)
		}
		return nil
	case s.Level == diagnose.Model:
		return nil
	case level == diagnose.Replica || level == diagnose.Model && s.Level != diagnose.Replica:
		return membersOf(r, level, s)
	}
	return []diagnose.Subject{s.At(level)}
}

// membersOf lists the replicas of a server or target, or their models.
func membersOf(r *diagnose.Report, level diagnose.Level, s diagnose.Subject) []diagnose.Subject {
	var found []diagnose.Subject
	for _, replica := range replicasOf(r, s) {
		if part := replica.At(level); !slices.Contains(found, part) {
			found = append(found, part)
		}
	}
	return found
}

// findingOf is the finding of a rule for a subject and its place in the report; nil and the number of findings when there is none.
func findingOf(r *diagnose.Report, ref diagnose.Ref) (*diagnose.Finding, int) {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule.Code == ref.Code && f.Subject == ref.Subject {
			return f, i
		}
	}
	return nil, len(r.Findings)
}

// verdict says in words what a row comes to.
func (s *scene) verdict(r *reason) (style, string) {
	f := r.finding
	switch {
	case f == nil && r.truth == diagnose.True:
		return strong, "true now"
	case f == nil:
		return s.refusal(r)
	case f.State == diagnose.Resolved:
		return faint, "resolved"
	case f.Silenced != nil:
		return faint, "silenced " + f.Silenced.String()
	case f.ExplainedBy != nil:
		return plain, "consequence of " + f.ExplainedBy.Code
	case f.State == diagnose.Firing:
		return strong, "holds " + diagnose.Duration(f.Held) + ", " + f.Certainty()
	}
	return strong, f.Standing()
}

// refusal says what a rule that does not hold fails at: the first condition that decides it.
func (s *scene) refusal(r *reason) (style, string) {
	i := slices.IndexFunc(r.conditions, func(c diagnose.Evidence) bool { return c.Outcome == r.truth && !c.Moot })
	switch {
	case i < 0:
		return plain, "no"
	case r.truth == diagnose.Unknown:
		return faint, s.unknown(r, r.conditions[i].Fact)
	}
	return plain, "no: " + r.conditions[i].Fact.Signal.Title + " " + r.conditions[i].Reading()
}

// unknown says why a rule cannot be judged: for want of something that could be provided, which the header counts, or of a value that
// comes by itself, or comes with requests.
func (s *scene) unknown(r *reason, f diagnose.Fact) string {
	for _, u := range s.report.Unknown {
		if u.Code == r.rule.Code && u.Subject == r.subject {
			return "cannot judge: lacks " + s.report.Book().Signal(u.Missing[0]).Title
		}
	}
	if f.Absence == diagnose.TooFew {
		return "not yet: " + f.Signal.Title
	}
	return "no value now: " + f.Signal.Title
}

// signalsOf lists the signals that rows compare, each once, in the order of the rows: those of the cause come first.
func signalsOf(rows []reason) []string {
	var ids []string
	for i := range rows {
		for _, c := range rows[i].conditions {
			ids = appendNew(ids, c.Is.Signal)
		}
	}
	return ids
}

// condition is what a row asks of a signal: of several comparisons the one that is not met, else the first.
func (r *reason) condition(signal string) *diagnose.Evidence {
	var found *diagnose.Evidence
	for i := range r.conditions {
		c := &r.conditions[i]
		if c.Is.Signal == signal && (found == nil || found.Outcome == diagnose.True && c.Outcome != diagnose.True && !c.Moot) {
			found = c
		}
	}
	return found
}

// appendNew appends the texts that are not in the list yet.
func appendNew(list []string, more ...string) []string {
	for _, text := range more {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
