package prom

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/strutil"
)

// Never says why an expression can have no value where targets have these names; "" when it may have one.
func Never(expr string, names []string) string {
	tree, err := newParser().ParseExpr(expr)
	if err != nil {
		return "" // which was told when it was evaluated
	}
	return never(tree, names)
}

// never says which metric an expression lacks to have any value at all, and which name is nearest; "" when it may have one.
func never(e parser.Expr, names []string) string {
	lacks := lacking(e, names)
	if lacks == "" {
		return ""
	}
	text := "no target has " + lacks
	if near := nearestName(lacks, names); near != "" {
		text += "; nearest: " + near
	}
	return text
}

// lacking is the name without which an expression is empty.
func lacking(e parser.Expr, names []string) string {
	switch n := e.(type) {
	case *parser.VectorSelector:
		return lackingName(n, names)
	case *parser.BinaryExpr:
		return lackingBinary(n, names)
	case *parser.Call:
		if slices.Contains([]string{"absent", "absent_over_time", "scalar", "vector", "time"}, n.Func.Name) {
			return ""
		}
	case *parser.AggregateExpr:
		return lacking(n.Expr, names)
	}
	for _, child := range parser.Children(e) {
		if part, ok := child.(parser.Expr); ok {
			if found := lacking(part, names); found != "" {
				return found
			}
		}
	}
	return ""
}

// lackingBinary does the same for two sides: of "or" one is enough, and "unless" has what its left side has.
func lackingBinary(n *parser.BinaryExpr, names []string) string {
	left, right := lacking(n.LHS, names), lacking(n.RHS, names)
	switch {
	case n.Op == parser.LUNLESS, n.Op == parser.LOR && right != "":
		return left
	case n.Op == parser.LOR:
		return ""
	}
	return cmp.Or(left, right)
}

// lackingName is the selector's name where no series has it. What is selected by a pattern may be there.
func lackingName(n *parser.VectorSelector, names []string) string {
	name := n.Name
	for _, m := range n.LabelMatchers {
		if m.Name == model.MetricNameLabel && m.Type == labels.MatchEqual {
			name = m.Value
		}
	}
	if name == "" || slices.Contains(names, name) {
		return ""
	}
	return name
}

// nearestName is the name that was probably meant: vLLM has renamed many.
func nearestName(word string, names []string) string {
	const likeness = 0.8
	matcher := strutil.NewJaroWinklerMatcher(strings.TrimPrefix(word, "vllm:"))
	best, score := "", likeness
	for _, name := range names {
		if s := matcher.Score(strings.TrimPrefix(name, "vllm:")); s > score {
			best, score = name, s
		}
	}
	return best
}
