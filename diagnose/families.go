package diagnose

import (
	"time"

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

// readable tells whether an expression can have a value where only some families are there: one side of "or" is enough, what "unless"
// takes away may be absent, and of all else each part is needed.
func readable(e parser.Expr, has func(family string) bool) bool {
	switch e := e.(type) {
	case *parser.VectorSelector:
		return has(e.Name)
	case *parser.BinaryExpr:
		switch e.Op {
		case parser.LOR:
			return readable(e.LHS, has) || readable(e.RHS, has)
		case parser.LUNLESS:
			return readable(e.LHS, has)
		}
	}
	for _, child := range parser.Children(e) {
		if part, ok := child.(parser.Expr); ok && !readable(part, has) {
			return false
		}
	}
	return true
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
