package diagnose

import (
	"slices"
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
	for _, w := range remedies {
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
func (w remedy) is(family string) bool {
	o, ok := remedyFor(family)
	return ok && o == w
}

func signalsIn(comparisons []Is) []string {
	var ids []string
	for _, is := range comparisons {
		ids = append(ids, is.Signal)
	}
	return ids
}

// readsNothing tells whether a signal has no value without the families that are got in one way.
func (b *Book) readsNothing(s *Signal, w remedy) bool {
	return !readable(b.expression(s).tree, func(family string) bool { return !w.is(family) })
}

// possible tells whether a test can be true where some signals are missing.
func possible(t Test, lacks func(id string) bool) bool {
	isPossible := func(t Test) bool { return possible(t, lacks) }
	switch t := t.(type) {
	case Is:
		return !lacks(t.Signal)
	case Also:
		return !lacks(t.Signal)
	case All:
		return !slices.ContainsFunc(t, func(part Test) bool { return !isAlso(part) && !isPossible(part) })
	case Any:
		return slices.ContainsFunc(t, isPossible)
	}
	return true
}

// familiesBehind lists the families that signals are read from and that are got in one way.
func (b *Book) familiesBehind(ids []string, w remedy) []string {
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
