package prom

import (
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/util/strutil"

	"github.com/vllmscope/vllmscope/diagnose"
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
	lacks := diagnose.Lacking(e, func(family string) bool { return slices.Contains(names, family) })
	if lacks == "" {
		return ""
	}
	text := "no target has " + lacks
	if near := nearestName(lacks, names); near != "" {
		text += "; nearest: " + near
	}
	return text
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
