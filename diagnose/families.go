package diagnose

import (
	"slices"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// An expression is what a signal is read from, by the newest names, and the families in it.
type expression struct {
	tree     parser.Expr
	families []string
}

// expression of a signal; it is asked for at every tick. A signal that has none is read from nothing.
func (c *Catalogue) expression(s *Signal) expression {
	if known, ok := c.expressions.Load(s); ok {
		return known.(expression)
	}
	expr := s.Expr
	if s.Of != "" {
		expr = c.buckets[s.Of].Expr
	}
	e := expression{tree: &parser.NumberLiteral{}}
	// Names are the same at whatever step.
	if tree, err := promqlParser.ParseExpr(fill(expr, Settings{Step: time.Second}, 0)); err == nil {
		e = expression{tree, familiesIn(tree)}
	}
	c.expressions.Store(s, e)
	return e
}

// families lists the metric names that a signal is read from.
func (c *Catalogue) families(s *Signal) []string { return c.expression(s).families }

// readable tells whether an expression can have a value where only some families are there.
func readable(e parser.Expr, has func(family string) bool) bool { return Lacking(e, has) == "" }

// Lacking is the name of the first family without which an expression can have no value, "" when it may have one: one side of "or" is enough,
// what "unless" takes away may be absent, some functions make something of nothing, and of all else each part is needed. What is selected by
// a pattern may be there.
func Lacking(e parser.Expr, has func(family string) bool) string {
	switch n := e.(type) {
	case *parser.VectorSelector:
		if name := nameOf(n); name != "" && !has(name) {
			return name
		}
		return ""
	case *parser.BinaryExpr:
		switch {
		case n.Op == parser.LUNLESS, n.Op == parser.LOR && Lacking(n.RHS, has) != "":
			return Lacking(n.LHS, has)
		case n.Op == parser.LOR:
			return ""
		}
	case *parser.Call:
		if slices.Contains([]string{"absent", "absent_over_time", "scalar", "vector"}, n.Func.Name) {
			return ""
		}
	}
	return lackingBelow(e, has)
}

// lackingBelow is the first family that one of a tree's own trees lacks.
func lackingBelow(e parser.Expr, has func(family string) bool) string {
	for _, child := range parser.Children(e) {
		if part, ok := child.(parser.Expr); ok {
			if name := Lacking(part, has); name != "" {
				return name
			}
		}
	}
	return ""
}

// nameOf is the metric name that a selector asks for, wherever it says it; "" where it names none.
func nameOf(n *parser.VectorSelector) string {
	for _, m := range n.LabelMatchers {
		if m.Name == model.MetricNameLabel && m.Type == labels.MatchEqual {
			return m.Value
		}
	}
	return n.Name
}

// familiesOf lists the metric names in an expression.
func familiesOf(expr string) []string {
	tree, err := promqlParser.ParseExpr(expr)
	if err != nil {
		return nil
	}
	return familiesIn(tree)
}

// familiesIn does the same of one that is parsed.
func familiesIn(tree parser.Expr) []string {
	var names []string
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			names = append(names, selector.Name)
		}
		return nil
	})
	return names
}
