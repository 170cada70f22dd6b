package prom

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// recordings are the expressions of recording rules, by the names that they record. An alert that reads such a name gets the expression
// in its place, which is what Prometheus would have recorded an evaluation later.
type recordings map[string][]string

func (r recordings) add(a alert) error {
	if _, err := newParser().ParseExpr(a.rule.Expr); err != nil {
		return err
	}
	all := maps.Clone(a.more)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, a.rule.Labels)
	expr := "(" + a.rule.Expr + ")"
	for _, name := range slices.Sorted(maps.Keys(all)) {
		expr = fmt.Sprintf(`label_replace(%s, %q, %q, "", "")`, expr, name, strings.ReplaceAll(all[name], "$", "$$"))
	}
	r[a.rule.Record] = append(r[a.rule.Record], expr)
	return nil
}

// writtenOut is an expression without recorded names.
func (r recordings) writtenOut(expr string) (string, error) {
	tree, err := newParser().ParseExpr(expr)
	if err != nil {
		return "", err
	}
	tree, err = r.replace(tree, nil)
	if err != nil {
		return "", err
	}
	return tree.String(), nil
}

// replace rebuilds a tree; within are the recorded names that it is part of.
func (r recordings) replace(e parser.Expr, within []string) (parser.Expr, error) {
	switch n := e.(type) {
	case *parser.VectorSelector:
		return r.expression(n, within)
	case *parser.MatrixSelector:
		selector := n.VectorSelector.(*parser.VectorSelector)
		if r[selector.Name] == nil {
			return e, nil
		}
		inner, err := r.expression(selector, within)
		if err != nil {
			return nil, err
		}
		return &parser.SubqueryExpr{Expr: inner, Range: n.Range}, nil
	}
	for _, part := range partsOf(e) {
		var err error
		if *part, err = r.replace(*part, within); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// partsOf are the places in a tree's root where other trees stand.
func partsOf(e parser.Expr) []*parser.Expr {
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
		var parts []*parser.Expr
		for i := range n.Args {
			parts = append(parts, &n.Args[i])
		}
		return parts
	}
	return nil
}

// expression is what stands for a selector: itself, or what its name records.
func (r recordings) expression(n *parser.VectorSelector, within []string) (parser.Expr, error) {
	recorded := r[n.Name]
	switch {
	case recorded == nil:
		return n, nil
	case slices.Contains(within, n.Name):
		return nil, fmt.Errorf("the recorded %s is made of itself", n.Name)
	case len(n.LabelMatchers) > 1:
		return nil, fmt.Errorf("it selects %s, which a recording rule makes: nothing is recorded here, so write its expression instead", n)
	case n.OriginalOffset != 0 || n.OriginalOffsetExpr != nil || n.Timestamp != nil || n.StartOrEnd != 0:
		return nil, errors.New("it reads the recorded " + n.Name + " of another time: nothing is recorded here, so write its expression instead")
	}
	tree, err := newParser().ParseExpr("(" + strings.Join(recorded, " or ") + ")")
	if err != nil {
		return nil, err
	}
	return r.replace(tree, append(slices.Clone(within), n.Name))
}
