package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Who names replicas of a model by one of their signals: the one that has most of it, or those that have none.
type Who struct {
	Of   string // the signal's id, of the level of replicas
	None bool   // those where it is 0, and not the one where it is largest
}

// mostNames is how many replicas are named in a sentence (judgement).
const mostNames = 4

// who names them at the i-th tick, the engine where a server has several; nothing where nobody is meant.
func (v view) who(w Who, i int) string {
	var meant []Subject
	largest := math.Inf(-1)
	for _, replica := range v.presentAt(Replica, i) {
		value := v.of(replica).value(w.Of, i)
		switch {
		case replica.Model != v.subject.Model:
		case w.None && value == 0:
			meant = append(meant, replica)
		case !w.None && value > largest:
			meant, largest = []Subject{replica}, value
		}
	}
	var names []string
	for _, replica := range meant[:min(len(meant), mostNames)] {
		names = append(names, v.nameAt(replica, i))
	}
	if more := len(meant) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d others", more))
	}
	return strings.Join(names, ", ")
}

// nameAt is the name of a replica, with its engine where its server has several.
func (f *Facts) nameAt(replica Subject, i int) string {
	if replica.Engine == "0" && slices.ContainsFunc(f.presentAt(Replica, i), func(o Subject) bool {
		return o.Engine != "0" && o.SameTarget(replica)
	}) {
		return replica.Instance + " engine 0"
	}
	return replica.Name()
}
