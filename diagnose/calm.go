package diagnose

import (
	"math"
	"slices"
)

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
