package diagnose

import "slices"

// An Edge leads from a rule to one that it explains, or back.
type Edge struct {
	Code  string
	Match Match
}

// Edges lists what a rule explains: "*" stands for all that is listed after it.
func (r *Rule) Edges() []Edge {
	var all []Edge
	for match := SameReplica; match <= FewReplicas; match++ {
		for _, code := range r.Explains[match] {
			all = append(all, Edge{code, match})
		}
	}
	return all
}

// CausedBy lists the rules that explain a rule, in the order of the book, with how the subjects belong together.
func (b *Book) CausedBy(code string) []Edge {
	var all []Edge
	caused := b.Rule(code)
	if caused == nil {
		return nil
	}
	for i := range b.Rules {
		cause := &b.Rules[i]
		for match := SameReplica; match <= FewReplicas; match++ {
			if b.leads(cause, match, caused) {
				all = append(all, Edge{cause.Code, match})
			}
		}
	}
	return all
}

// leads tells whether an edge of a rule leads to another: "*" to all that are listed later, save those about models, which are of no
// server.
func (b *Book) leads(cause *Rule, match Match, to *Rule) bool {
	codes := cause.Explains[match]
	return slices.Contains(codes, to.Code) || slices.Contains(codes, "*") && b.place(to.Code) > b.place(cause.Code) && to.Level != Model
}

// ToldApart lists the neighbours of a rule, its own word and theirs, each once.
func (b *Book) ToldApart(r *Rule) []Because {
	all := slices.Clone(r.RuledOut)
	for i := range b.Rules {
		for _, n := range b.Rules[i].RuledOut {
			back := Because{b.Rules[i].Code, n.Signal}
			if n.Code == r.Code && !slices.Contains(all, back) {
				all = append(all, back)
			}
		}
	}
	return all
}
