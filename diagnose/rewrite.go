package diagnose

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// promqlParser reads expressions as Prometheus does.
var promqlParser = parser.NewParser(parser.Options{})

// A rewriter puts the names that the targets really have into expressions of the catalogue. It knows the metric names and the
// older label names that have samples; a spelling without any is left out, so that it costs nothing.
type rewriter struct {
	names  map[string]bool
	labels map[string]bool
}

// rewrite returns the expression over the present spellings. rate((new or old)[1m]) is not PromQL, so the smallest part with an
// instant value is repeated for each spelling: the selector, or the call that holds its range. Parts are joined with "or" on
// the labels of a target, which takes one spelling for each target and never adds two.
func (r rewriter) rewrite(expr string) (parser.Expr, error) {
	tree, err := promqlParser.ParseExpr(expr)
	if err == nil {
		tree, err = r.node(tree)
	}
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", expr, err)
	}
	return tree, nil
}

// node rewrites below one node of the tree. It stops at a part, so that what it puts in is not rewritten again.
func (r rewriter) node(e parser.Expr) (rewritten parser.Expr, err error) {
	rewritten = edit(e, func(e parser.Expr) parser.Expr {
		unit, selector := unitOf(e)
		if selector == nil || err != nil {
			return e
		}
		var replaced parser.Expr
		if replaced, err = r.unit(unit, selector); err != nil {
			return e
		}
		return replaced
	})
	return rewritten, err
}

// unitOf returns the part to be repeated and the selector in it, when e is such a part.
func unitOf(e parser.Expr) (parser.Expr, *parser.VectorSelector) {
	switch n := e.(type) {
	case *parser.VectorSelector:
		return n, n
	case *parser.Call:
		for _, arg := range n.Args {
			if m, ok := arg.(*parser.MatrixSelector); ok {
				return n, m.VectorSelector.(*parser.VectorSelector)
			}
		}
	}
	return nil, nil
}

// unit returns the part once for each present spelling of its selector, joined.
func (r rewriter) unit(unit parser.Expr, selector *parser.VectorSelector) (parser.Expr, error) {
	choices := r.present(selector.Name)
	texts := make([]string, 0, len(choices))
	for _, c := range choices {
		if c.scale != 0 {
			if err := scalable(unit); err != nil {
				return nil, err
			}
		}
		texts = append(texts, r.spell(unit, selector, c)...)
	}
	if len(texts) == 1 && texts[0] == unit.String() {
		return unit, nil
	}
	// One page may have several models, each with names of its own. Always in parentheses: the printer adds none, and a product over "a or b" would read "a or b * 2".
	return promqlParser.ParseExpr("(" + strings.Join(texts, " or on("+targetLabels+", model_name) ") + ")")
}

// present lists the spellings of a metric name that have samples: those with a marker, the name itself, then the older ones.
// With none at all it is the name itself, which then finds nothing.
func (r rewriter) present(name string) []spelling {
	family, suffix := familyOf(name)
	var marked, plain []spelling
	for _, s := range append([]spelling{{name: family}}, spellings[family]...) {
		for _, full := range prefixed(s.name + suffix) {
			if !r.names[full] {
				continue
			}
			s.name = full
			if suffix == "_count" {
				s.scale = 0
			}
			if s.marker != "" {
				marked = append(marked, s)
			} else {
				plain = append(plain, s)
			}
		}
	}
	if found := append(marked, plain...); len(found) > 0 {
		return found
	}
	return []spelling{{name: name}}
}

// familyOf splits a metric name into the family that the alias table knows and the suffix of a histogram's part.
func familyOf(name string) (family, suffix string) {
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if family, ok := strings.CutSuffix(name, suffix); ok {
			return family, suffix
		}
	}
	return name, ""
}

// prefixed lists the ways in which a name is written, vLLM's own first.
func prefixed(name string) []string {
	rest, ok := strings.CutPrefix(name, "vllm:")
	if !ok {
		return []string{name}
	}
	all := make([]string, len(vllmPrefixes))
	for i, prefix := range vllmPrefixes {
		all[i] = prefix + rest
	}
	return all
}

// scalable tells whether a unit change outside the part equals one inside it.
func scalable(unit parser.Expr) error {
	call, ok := unit.(*parser.Call)
	if !ok {
		return nil
	}
	switch call.Func.Name {
	case "rate", "increase", "delta", "deriv", "avg_over_time", "min_over_time", "max_over_time", "sum_over_time",
		"quantile_over_time", "last_over_time", "stddev_over_time":
		return nil
	}
	return fmt.Errorf("%s cannot be taken over a family whose unit differs between versions", call.Func.Name)
}

// spell prints the part with the selector spelled in one way; in two where a matcher names a label that has an older name.
func (r rewriter) spell(unit parser.Expr, selector *parser.VectorSelector, s spelling) []string {
	renames := r.renames(selector.Name)
	texts := []string{r.print(unit, selector, s, renames, nil)}
	for _, l := range renames {
		for _, m := range selector.LabelMatchers {
			if m.Name == l.name {
				texts = append(texts, r.print(unit, selector, s, renames, &l))
			}
		}
	}
	return texts
}

// renames lists the older label names that occur in the data on families like this one.
func (r rewriter) renames(name string) []labelSpelling {
	var found []labelSpelling
	for _, l := range labelSpellings {
		if strings.HasPrefix(name, l.prefix) && r.labels[l.old] {
			found = append(found, l)
		}
	}
	return found
}

// print writes the part with another name, older matcher, scale, marker and labels, and leaves the tree as it was.
func (r rewriter) print(unit parser.Expr, selector *parser.VectorSelector, s spelling, renames []labelSpelling, matcher *labelSpelling) string {
	name, matchers := selector.Name, selector.LabelMatchers
	defer func() { selector.Name, selector.LabelMatchers = name, matchers }()
	selector.Name, selector.LabelMatchers = s.name, nil
	for _, m := range matchers {
		switch {
		case m.Name == model.MetricNameLabel:
			m = labels.MustNewMatcher(m.Type, m.Name, s.name)
		case matcher != nil && m.Name == matcher.name:
			m = labels.MustNewMatcher(m.Type, matcher.old, m.Value)
		}
		selector.LabelMatchers = append(selector.LabelMatchers, m)
	}
	text := unit.String()
	if s.scale != 0 {
		text += " * " + strconv.FormatFloat(s.scale, 'g', -1, 64)
	}
	if s.marker != "" {
		text = "(" + text + " and on(" + targetLabels + ") " + s.marker + ")"
	} else if s.scale != 0 {
		text = "(" + text + ")"
	}
	for _, l := range renames {
		text = fmt.Sprintf("label_replace(%s, %q, \"$1\", %q, \"(.+)\")", text, l.name, l.old)
	}
	return text
}
