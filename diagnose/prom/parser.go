package prom

import (
	"slices"
	"sync"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/vllmscope/vllmscope/diagnose"
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

// copied copies a tree; nil where a part is of a kind that is not known here.
func copied(e parser.Expr) parser.Expr {
	one := copiedRoot(e)
	for _, part := range diagnose.Subtrees(one) {
		if *part = copied(*part); *part == nil {
			return nil
		}
	}
	return one
}

// copiedRoot copies a tree without those below it. What is shared is never written to: functions, labels to join on, matchers, the arithmetic
// of durations.
func copiedRoot(e parser.Expr) parser.Expr {
	switch n := e.(type) {
	case *parser.NumberLiteral, *parser.StringLiteral:
		return n
	case *parser.VectorSelector:
		one := *n
		return &one
	case *parser.MatrixSelector:
		one := *n
		one.VectorSelector = copiedRoot(n.VectorSelector)
		return &one
	case *parser.SubqueryExpr:
		one := *n
		return &one
	case *parser.ParenExpr:
		one := *n
		return &one
	case *parser.UnaryExpr:
		one := *n
		return &one
	case *parser.BinaryExpr:
		one := *n
		return &one
	case *parser.AggregateExpr:
		one := *n
		one.Grouping = slices.Clone(n.Grouping) // count_values sorts its label into them
		return &one
	case *parser.Call:
		one := *n
		one.Args = slices.Clone(n.Args)
		return &one
	}
	return nil
}
