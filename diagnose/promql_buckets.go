package diagnose

import (
	"fmt"
	"math"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// A bucketsText is a distribution in PromQL: its cumulative buckets a second, and what is no observation in each of them, if anything is.
type bucketsText struct{ expr, less string }

// of are the buckets of the series that match.
func (b bucketsText) of(matchers ...*labels.Matcher) bucketsText {
	b.expr = withMatchers(b.expr, matchers...)
	if b.less != "" {
		b.less = withMatchers(b.less, matchers...)
	}
	return b
}

// at are the buckets whose upper edges match.
func (b bucketsText) at(kind labels.MatchType, edges string) string {
	return bucketsText{withMatchers(b.expr, labels.MustNewMatcher(kind, "le", edges)), b.less}.String()
}

// String are all buckets, of observations alone.
func (b bucketsText) String() string {
	if b.less == "" {
		return b.expr
	}
	return fmt.Sprintf("(clamp_min(%s - ignoring (le) group_left () %s, 0) or %s)", b.expr, b.less, b.expr)
}

// total is the number of observations a second.
func (b bucketsText) total() string {
	return fmt.Sprintf("max without(le) (%s)", b.at(labels.MatchEqual, "+Inf"))
}

// withMatchers narrows every selector of an expression.
func withMatchers(expr string, matchers ...*labels.Matcher) string {
	tree, err := promqlParser.ParseExpr(expr)
	if err != nil {
		return expr
	}
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			selector.LabelMatchers = append(selector.LabelMatchers, matchers...)
		}
		return nil
	})
	return tree.String()
}

// take writes what is read from buckets, over so many seconds; ok is false where that needs a bound and there is none.
func (b bucketsText) take(t Take, window, bound float64) (text string, ok bool) {
	switch t.kind {
	case takeQuantile:
		return fmt.Sprintf("histogram_quantile(%s, %s)", trimNumber(t.quantile), b), true
	case takeObservations:
		return fmt.Sprintf("%s * %s > 0", b.total(), trimNumber(window)), true
	case takeSlowest:
		return fmt.Sprintf("histogram_quantile(1, %s)", b), true
	case takeShareBeyond:
		return fmt.Sprintf("1 - max without(le) (%s) / %s", b.at(labels.MatchNotEqual, "+Inf"), b.total()), true
	}
	return b.against(t.kind, bound)
}

// against writes what is read by a bound. An edge is made a number by a histogram with all of its observations in one bucket.
func (b bucketsText) against(kind takeKind, bound float64) (text string, ok bool) {
	edge := kind == takeEdgeBelow || kind == takeEdgeAbove
	switch {
	case math.IsNaN(bound):
		return "", false
	case math.IsInf(bound, 1) && edge:
		return fmt.Sprintf("+Inf * (%s > 0)", b.total()), true
	case math.IsInf(bound, 1): // nobody set one
		return fmt.Sprintf("0 * (%s > 0)", b.total()), true
	}
	from, upTo := b.at(labels.MatchRegexp, atLeastPattern(bound)), b.at(labels.MatchNotRegexp, abovePattern(bound))
	switch kind {
	case takeShareOver:
		return fmt.Sprintf("1 - min without(le) (%s) / %s", from, b.total()), true
	case takeShareAtMost:
		return fmt.Sprintf("1 - (max without(le) (%s) or 0 * %s) / %s", upTo, b.total(), b.total()), true
	case takeEdgeAbove:
		return fmt.Sprintf("(histogram_quantile(1, 0 * %s + 1) >= -Inf or +Inf * (%s > 0)) and %s > 0", from, b.total(), b.total()), true
	}
	last := b.at(labels.MatchEqual, "+Inf")
	return fmt.Sprintf("(histogram_quantile(1, 0 * %s or 0 * %s + 1) >= -Inf or 0 * %s) and %s > 0", upTo, last, b.total(), b.total()), true
}
