package prom

import (
	"slices"
	"sync"

	"github.com/prometheus/prometheus/promql/parser"
)

// remembering parses each expression once: the catalogue asks for the same ones at every tick, and for one server parsing costs as
// much as evaluating. The engine writes into the tree that it is given, so each call returns a copy.
type remembering struct {
	parser.Parser
	mu    sync.Mutex
	known map[string]parser.Expr
}

func newRemembering() *remembering {
	return &remembering{Parser: parser.NewParser(parser.Options{}), known: map[string]parser.Expr{}}
}

// mostKnown bounds what is remembered: the catalogue has some 150 expressions, people may type any number.
const mostKnown = 1000

// ParseExpr returns a tree of its own for each call.
func (r *remembering) ParseExpr(input string) (parser.Expr, error) {
	r.mu.Lock()
	known, ok := r.known[input]
	r.mu.Unlock()
	if ok {
		return copied(known), nil
	}
	tree, err := r.Parser.ParseExpr(input)
	if err != nil || copied(tree) == nil {
		return tree, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) >= mostKnown {
		clear(r.known)
	}
	r.known[input] = tree
	return copied(tree), nil
}

// copied copies a tree; nil where a part is of a kind that is not known here. What is shared is never written to: functions, labels to
// join on, matchers, the arithmetic of durations.
func copied(e parser.Expr) parser.Expr {
	switch n := e.(type) {
	case *parser.NumberLiteral, *parser.StringLiteral:
		return n
	case *parser.VectorSelector:
		one := *n
		return &one
	case *parser.MatrixSelector:
		one := *n
		return with(&one, &one.VectorSelector)
	case *parser.SubqueryExpr:
		one := *n
		return with(&one, &one.Expr)
	case *parser.ParenExpr:
		one := *n
		return with(&one, &one.Expr)
	case *parser.UnaryExpr:
		one := *n
		return with(&one, &one.Expr)
	case *parser.BinaryExpr:
		one := *n
		return with(&one, &one.LHS, &one.RHS)
	case *parser.AggregateExpr:
		one := *n
		one.Grouping = slices.Clone(n.Grouping) // count_values sorts its label into them
		if one.Param == nil {
			return with(&one, &one.Expr)
		}
		return with(&one, &one.Expr, &one.Param)
	case *parser.Call:
		one := *n
		one.Args = append(parser.Expressions(nil), n.Args...)
		parts := make([]*parser.Expr, len(one.Args))
		for i := range one.Args {
			parts[i] = &one.Args[i]
		}
		return with(&one, parts...)
	}
	return nil
}

// with puts copies into a node's parts; nil when one cannot be copied.
func with(node parser.Expr, parts ...*parser.Expr) parser.Expr {
	for _, part := range parts {
		if *part = copied(*part); *part == nil {
			return nil
		}
	}
	return node
}
