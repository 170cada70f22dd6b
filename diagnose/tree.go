package diagnose

import "github.com/prometheus/prometheus/promql/parser"

// Subtrees are the places in the root of a PromQL expression where other expressions stand. The selector in a range is none: it has no value
// of its own.
func Subtrees(e parser.Expr) []*parser.Expr {
	switch n := e.(type) {
	case *parser.SubqueryExpr:
		return []*parser.Expr{&n.Expr}
	case *parser.ParenExpr:
		return []*parser.Expr{&n.Expr}
	case *parser.UnaryExpr:
		return []*parser.Expr{&n.Expr}
	case *parser.BinaryExpr:
		return []*parser.Expr{&n.LHS, &n.RHS}
	case *parser.AggregateExpr:
		if n.Param == nil {
			return []*parser.Expr{&n.Expr}
		}
		return []*parser.Expr{&n.Expr, &n.Param}
	case *parser.Call:
		parts := make([]*parser.Expr, len(n.Args))
		for i := range n.Args {
			parts[i] = &n.Args[i]
		}
		return parts
	}
	return nil
}

// edit rebuilds a tree from its leaves, each expression as replace returns it.
func edit(e parser.Expr, replace func(parser.Expr) parser.Expr) parser.Expr {
	for _, part := range Subtrees(e) {
		*part = edit(*part, replace)
	}
	return replace(e)
}
