package prom

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/vllmscope/vllmscope/diagnose"
)

// recordings are the expressions of recording rules, by the names that they record. An alert that reads such a name gets the expression
// in its place, which is what Prometheus would have recorded an evaluation later.
type recordings map[string][]string

func (r recordings) add(a alert) {
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
}

// mostWritten is how many recorded names are written out in one alert: two of the same in each of a row of rules double it with every rule.
const mostWritten = 1000

// A writing is one alert's expression being written out.
type writing struct {
	recordings
	names int // that have been
}

// writtenOut is an expression without recorded names.
func (r recordings) writtenOut(expr string) (string, error) {
	tree, err := newParser().ParseExpr(expr)
	if err != nil {
		return "", err
	}
	tree, err = (&writing{recordings: r}).replace(tree, nil)
	if err != nil {
		return "", err
	}
	return tree.String(), nil
}

// replace rebuilds a tree; within are the recorded names that it is part of.
func (w *writing) replace(e parser.Expr, within []string) (parser.Expr, error) {
	switch n := e.(type) {
	case *parser.VectorSelector:
		return w.expression(n, within)
	case *parser.MatrixSelector:
		selector := n.VectorSelector.(*parser.VectorSelector)
		if w.recordings[selector.Name] == nil {
			return e, nil
		}
		inner, err := w.expression(selector, within)
		if err != nil {
			return nil, err
		}
		return &parser.SubqueryExpr{Expr: inner, Range: n.Range}, nil
	}
	for _, part := range diagnose.Subtrees(e) {
		var err error
		if *part, err = w.replace(*part, within); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// expression is what stands for a selector: itself, or what its name records.
func (w *writing) expression(n *parser.VectorSelector, within []string) (parser.Expr, error) {
	recorded := w.recordings[n.Name]
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
	if w.names++; w.names > mostWritten {
		return nil, fmt.Errorf("with the recorded names that it reads written out, which stand for others in their turn, it is of more than %d: nothing is recorded here, so make it of fewer", mostWritten)
	}
	tree, err := newParser().ParseExpr("(" + strings.Join(recorded, " or ") + ")")
	if err != nil {
		return nil, err
	}
	return w.replace(tree, append(slices.Clone(within), n.Name))
}
