package diagnose

import (
	"slices"
	"strings"
)

// An Input is metrics that a rule reads and that may be missing.
type Input struct {
	Families []string
	Needed   bool   // without them the rule never holds; otherwise only a part of it, or of what is told, is missing
	Lack     string // what is missing without them, and how to get them
}

// Inputs lists what a rule reads, what it needs first.
func (b *Book) Inputs(r *Rule) []Input {
	var needed, helpful []Input
	told := slices.Concat(r.judgedAndTold(), r.Evidence, signalsIn(slices.Concat(r.Supports, r.Against)))
	for _, w := range ways {
		absent := func(id string) Fact {
			fact := Fact{Signal: b.Signal(id)}
			if b.readsNothing(fact.Signal, w) {
				fact.Absence, fact.Missing = NotExported, b.families(fact.Signal)
			}
			return fact
		}
		in := Input{Families: b.familiesBehind(told, w), Lack: w.text}
		if len(in.Families) == 0 {
			continue
		}
		lacks := func(id string) bool { return slices.Contains(b.lacking(id, absent), w.text) }
		if in.Needed = !possible(r.When, lacks); in.Needed {
			in.Families = b.familiesBehind(signalsOf(r.When), w)
			needed = append(needed, in)
		} else {
			helpful = append(helpful, in)
		}
	}
	return append(needed, helpful...)
}

// is tells whether a family is got in this way, and in no more special one.
func (w way) is(family string) bool {
	i := slices.IndexFunc(ways, func(o way) bool { return strings.HasPrefix(family, o.prefix) })
	return i >= 0 && ways[i] == w
}

func signalsIn(comparisons []Is) []string {
	var ids []string
	for _, is := range comparisons {
		ids = append(ids, is.Signal)
	}
	return ids
}

// readsNothing tells whether a signal has no value without the families that are got in one way.
func (b *Book) readsNothing(s *Signal, w way) bool {
	return !readable(b.origin(s).tree, func(family string) bool { return !w.is(family) })
}

// possible tells whether a test can be true where some signals are missing.
func possible(t Test, lacks func(id string) bool) bool {
	isPossible := func(t Test) bool { return possible(t, lacks) }
	switch t := t.(type) {
	case Is:
		return !lacks(t.Signal)
	case All:
		return !slices.ContainsFunc(t, func(part Test) bool { return !isPossible(part) })
	case Any:
		return slices.ContainsFunc(t, isPossible)
	}
	return true
}

// familiesBehind lists the families that signals are read from and that are got in one way.
func (b *Book) familiesBehind(ids []string, w way) []string {
	var found []string
	order, err := b.order(ids)
	if err != nil {
		return nil // the signals of a book are checked when it is made
	}
	for _, s := range order {
		for _, family := range b.families(s) {
			if w.is(family) && !slices.Contains(found, family) {
				found = append(found, family)
			}
		}
	}
	slices.Sort(found)
	return found
}

// CausedBy lists the rules that explain a rule, in the order of the book, with how the subjects belong together.
func (b *Book) CausedBy(code string) []Edge {
	var all []Edge
	for i := range b.Rules {
		cause := &b.Rules[i]
		for match := SameReplica; match <= FewReplicas; match++ {
			codes := cause.Explains[match]
			if slices.Contains(codes, code) || slices.Contains(codes, "*") && b.place(code) > i {
				all = append(all, Edge{cause.Code, match})
			}
		}
	}
	return all
}

// An Edge leads from a rule to one that it explains, or back.
type Edge struct {
	Code  string
	Match Match
}

var matchNames = [...]string{"of the same replica", "of the same server", "of the same model", "of the server that uses the GPU", "of those replicas that have it, at most half"}

// String says how the subjects belong together, from the consequence's side.
func (m Match) String() string { return matchNames[m] }

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
