package diagnose

import (
	"math"
	"slices"
)

// Quiet is how much it means that a report has no warning.
type Quiet uint8

// The kinds of quiet.
const (
	Well         Quiet = iota
	LittleJudged       // of a replica too little can be judged to call it healthy, or there is none
	TooEarly           // most rules need a minute
	NoCause            // users feel something
)

// Quiet tells how much it means that there is no warning. Of a replica that does not answer something is found.
func (r *Report) Quiet() Quiet {
	little := func(s Subject) bool { return r.Fact("up", s).Value == 1 && r.HardlyJudged(s) }
	switch {
	case len(r.Replicas) == 0 || slices.ContainsFunc(r.Replicas, little):
		return LittleJudged
	case r.Young():
		return TooEarly
	case r.Unexplained():
		return NoCause
	}
	return Well
}

// HardlyJudged tells whether too little of a replica is judged to call it healthy: a vital rule is not, or over half of those about replicas
// are not, be it for want of a metric or of values (judgement).
func (r *Report) HardlyJudged(replica Subject) bool {
	rules, unjudged := 0, 0
	for i := range r.book.Rules {
		rule := &r.book.Rules[i]
		if rule.Level != Replica {
			continue
		}
		if rules++; r.judged[Ref{rule.Code, replica}] {
			continue
		}
		if unjudged++; slices.Contains(vital, rule.Code) {
			return true
		}
	}
	return 2*unjudged > rules
}

// Unexplained tells whether users feel something, by the figures above, for which nothing stands: neither a cause that is silenced, nor for
// a server's silence that it was emptied before.
func (r *Report) Unexplained() bool {
	u, unfelt := r.Users(), r.goneUnfelt()
	for _, t := range r.Targets {
		if t.Kind == "vllm" && !t.Up && unfelt[t.Subject] {
			u.Silent--
		}
	}
	if r.leftAsEver() {
		u.Left = math.NaN()
	}
	return !r.silences() && slices.ContainsFunc(u.Remarks(false), func(m Remark) bool { return m.Bad })
}

// leftAsEver tells whether clients leave as they did before: the rule that compares that was judged of every server and not found.
func (r *Report) leftAsEver() bool {
	return slices.Contains(r.Judged, abortSurge) && !slices.Contains(r.UnknownCodes(), abortSurge) &&
		!slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Active() && f.Rule.Code == abortSurge })
}

// goneUnfelt are the targets of which it is found that they are away, and that users feel nothing of it.
func (r *Report) goneUnfelt() map[Subject]bool {
	unfelt := map[Subject]bool{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Active() && f.Rule.explainsAll() && f.Severity == Information {
			unfelt[f.Subject] = true
		}
	}
	return unfelt
}

// silences tells whether something is silenced that is worse than information.
func (r *Report) silences() bool {
	return slices.ContainsFunc(r.Silenced(), func(f *Finding) bool { return f.Severity > Information })
}

// Calm says in a few words that there is no warning: nothing was found, or nothing that is worse than information, beside what is
// silenced.
func (r *Report) Calm() string {
	active, _ := r.Causes()
	switch silences := r.silences(); {
	case len(active) > 0 && silences:
		return "no other warning"
	case len(active) > 0:
		return "no warning"
	case silences:
		return "nothing else found"
	}
	return "nothing found"
}
