package diagnose

import "slices"

// candidates are the findings that go on, by where and by what they are. A cause is held against those alone that an edge of its rule may
// lead to: a thousand servers that are down are a thousand causes, each with what stands at its own address.
type candidates struct {
	atTarget map[targetKey][]int // places in the report
	ofRule   map[string][]int
	farEnds  map[*Rule][]int
}

func (r *Report) candidates() candidates {
	all := candidates{map[targetKey][]int{}, map[string][]int{}, map[*Rule][]int{}}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Active() {
			continue
		}
		target := keyOf(f.Subject)
		all.atTarget[target] = append(all.atTarget[target], i)
		all.ofRule[f.Rule.Code] = append(all.ofRule[f.Rule.Code], i)
		if f.farEnd {
			all.farEnds[f.Rule] = append(all.farEnds[f.Rule], i)
		}
	}
	return all
}

// of lists the places of what a finding may explain, and of more; some twice.
func (c candidates) of(r *Report, cause *Finding) []int {
	found := slices.Concat(c.atTarget[keyOf(cause.Subject)], c.farEnds[cause.Rule])
	if server, ok := r.ServerOf(cause.Subject); ok {
		found = append(found, c.atTarget[keyOf(server)]...)
	}
	for _, edge := range cause.Rule.Edges() {
		if to := r.book.Rule(edge.Code); to != nil && (edge.Match == SameModel || edge.Match == FewReplicas || to.Level == Model) {
			found = append(found, c.ofRule[edge.Code]...)
		}
	}
	return found
}
