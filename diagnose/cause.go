package diagnose

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// relate links findings to their causes. Only findings that hold now count; one that is explained hangs below the first finding
// of the book that explains it, and a chain hangs below its first cause: but where the load is uneven because one server is out, what the
// others suffer is not cured there, and stands by itself. Declared causes make no circle (a test of the book).
func relate(r *Report) {
	direct, candidates := map[int]int{}, r.candidates()
	for c := range r.Findings {
		for _, e := range candidates.of(r, &r.Findings[c]) {
			if c == e || !r.explains(&r.Findings[c], &r.Findings[e]) {
				continue
			}
			if other, ok := direct[e]; !ok || r.compare(r.Findings[c], r.Findings[other]) < 0 {
				direct[e] = c
			}
		}
	}
	maps.DeleteFunc(direct, func(e, c int) bool {
		_, explained := direct[c]
		return explained && slices.Contains(r.Findings[c].Rule.Explains[FewReplicas], r.Findings[e].Rule.Code)
	})
	roots := map[int]int{}
	for e, root := range direct {
		for next, ok := direct[root]; ok; next, ok = direct[root] {
			root = next
		}
		roots[e] = root
		hang(&r.Findings[e], &r.Findings[root])
	}
	for e, root := range roots {
		// Until it is as certain, it is no worse news than its cause.
		r.Findings[e].Severity = min(r.Findings[e].Severity, r.Findings[root].Severity)
	}
	for i := range r.Findings {
		slices.SortFunc(r.Findings[i].Explains, func(a, b Ref) int {
			return cmp.Or(cmp.Compare(r.book.place(a.Code), r.book.place(b.Code)), a.Subject.Compare(b.Subject))
		})
	}
}

// hang puts a finding below its cause. What users feel decides how bad a cause is, once that is as certain as the cause.
func hang(consequence, cause *Finding) {
	ref := cause.Ref()
	consequence.ExplainedBy = &ref
	cause.Explains = append(cause.Explains, consequence.Ref())
	cause.goesOn = cause.goesOn || consequence.Quiet == 0
	if text := consequence.Rule.Caused; text != "" {
		instead := Advice{When: Now, Text: strings.ReplaceAll(text, "{cause}", cause.Rule.Code+" "+cause.Title())}
		if len(consequence.Actions) > 0 {
			instead.Watch = consequence.Actions[0].Watch
		}
		consequence.Actions = []Advice{instead}
	}
	if cause.Silenced != nil {
		consequence.Silenced = cause.Silenced
	}
	// A silence is about its finding only: how bad the cause is does not depend on who wants to be told of what it does.
	if (consequence.State >= cause.State || consequence.sure()) && !cause.Rule.Settled {
		cause.Severity = max(cause.Severity, consequence.Severity)
	}
	cause.counted = cause.counted || consequence.Severity >= Warning && consequence.Counts()
}

// MayGrow tells whether what a rule explains can be worse than what the rule says of itself: a finding is as severe as that.
func (b *Book) MayGrow(r *Rule) bool {
	worst, seen := r.Severity, map[string]bool{}
	var follow func(r *Rule)
	follow = func(r *Rule) {
		for i := range b.Rules {
			e := &b.Rules[i]
			if seen[e.Code] || !slices.ContainsFunc(r.Edges(), func(to Edge) bool { return b.leads(r, to.Match, e) }) {
				continue
			}
			seen[e.Code] = true
			worst = max(worst, e.worst())
			follow(e)
		}
	}
	follow(r)
	return !r.Settled && worst > r.Severity
}

// worst is the most severe that a rule is by its own conditions.
func (r *Rule) worst() Severity {
	if r.Critical != nil {
		return Critical
	}
	return r.Severity
}

// explains tells whether one finding may be the cause of the other now.
func (r *Report) explains(cause, consequence *Finding) bool {
	return cause.Active() && consequence.Active() && r.mayHide(cause, consequence) && r.declares(cause, consequence)
}

// declares tells whether the book makes one finding a cause of the other, and their subjects match.
func (r *Report) declares(cause, consequence *Finding) bool {
	if cause.Rule == consequence.Rule {
		return consequence.farEnd && !cause.farEnd && r.matches(SameModel, cause.Subject, consequence.Subject)
	}
	for match := range cause.Rule.Explains {
		if r.book.leads(cause.Rule, match, consequence.Rule) && r.matches(match, cause.Subject, consequence.Subject) && (match != FewReplicas || r.few(consequence)) {
			return true
		}
	}
	return false
}

// easing is how long the conditions of a cause must have been untrue until it hides nothing that is true (judgement): for less, it
// may be a reading that swings.
const easing = 15 * time.Second

// mayHide tells whether a cause is strong enough. One that is over is not: a page that can be read again is judged again. A
// suspicion does not hide what is more certain, nor a cause that eases off what holds now, unless that only says what users feel; but a
// page that cannot be read hides what is not known any more, from the first.
func (r *Report) mayHide(cause, consequence *Finding) bool {
	switch {
	case cause.Quiet > 0 && cause.Rule.explainsAll():
		return false
	case cause.Rule.Severity == Information && cause.State < Firing && cause.Rule.Level != GPU:
		return false // a change that is only suspected explains no harm; a GPU that says what holds it down is no suspicion
	case consequence.Rule.Symptom, cause.Rule.explainsAll() && consequence.Quiet > 0:
		return true
	}
	return r.asCertain(cause, consequence) && (cause.Quiet < easing || consequence.Quiet > 0)
}

// asCertain tells whether a cause is as certain as its consequence, or a suspicion that has stood as long as that has to until it fires, and
// half as long as itself has to (judgement): a cause that takes longer to be certain keeps its place when its consequence fires.
func (r *Report) asCertain(cause, consequence *Finding) bool {
	stood := (cause.Held + r.Settings.Step).Seconds() // the firing test counts ticks, the first of them too
	return cause.State >= consequence.State || stood >= sustained*max(consequence.Hold, cause.Hold/2).Seconds()
}

// few tells whether at most half of the replicas of its model have the same finding now: the others have room for their work.
func (r *Report) few(f *Finding) bool {
	have, replicas := 0, 0
	for i := range r.Findings {
		if o := &r.Findings[i]; o.Active() && o.Rule == f.Rule && o.Subject.Model == f.Subject.Model {
			have++
		}
	}
	for _, s := range r.Replicas {
		if s.Model == f.Subject.Model {
			replicas++
		}
	}
	return 2*have <= replicas
}

// matches tells whether the subjects belong together in the way of the edge.
func (r *Report) matches(m Match, cause, consequence Subject) bool {
	switch m {
	case SameReplica:
		return cause == consequence
	case SameServer:
		return consequence.Level != Model && cause.SameTarget(consequence)
	case SameModel, FewReplicas:
		if consequence.Level == Server {
			return cause.Level == Model && r.modelsOf(consequence, cause.Model)
		}
		return r.modelsOf(cause, consequence.Model)
	case ServedGPU:
		server, ok := r.ServerOf(cause)
		return ok && r.servedBy(server, consequence)
	}
	return false
}

// modelsOf tells whether a subject serves a model, by itself or through its replicas.
func (r *Report) modelsOf(s Subject, model string) bool {
	if s.Level == Model || s.Level == Replica {
		return s.Model == model
	}
	return slices.ContainsFunc(r.Replicas, func(rep Subject) bool { return rep.Model == model && rep.At(Server) == s.At(Server) })
}

// servedBy tells whether a finding is about a server, or the model of one of its replicas.
func (r *Report) servedBy(server, s Subject) bool {
	if s.Level == Model {
		return r.modelsOf(server, s.Model)
	}
	return s.Level != GPU && s.At(Server) == server
}
