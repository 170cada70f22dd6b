package diagnose

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// PromQL is a signal as an expression for the user's own Prometheus, with the metric names that the targets have. Where a signal
// cannot be said in one expression (a number in a label, a text), it is the formula behind a "#".
func (r *Report) PromQL(id string) string {
	s := r.book.Signal(id)
	if own := r.book.Rule(id); s == nil && own != nil {
		return own.Expr
	}
	f, _ := r.facts.at(s, r.readAt(s))
	return f.written(s)
}

// FigurePromQL is the expression of a shown figure, which is over the screen's window.
func (r *Report) FigurePromQL(id string) string {
	s := r.book.Signal(id)
	if f, _ := r.figures.at(s, r.Time.UnixMilli()); f != nil {
		return f.written(s)
	}
	return r.PromQL(id)
}

// Partly is how much of the window a rate is measured over while its target is too new, or was started anew too lately, for all of it:
// PromQL divides by the whole. It is 0 where both give the same number.
func (r *Report) Partly(id string, subject Subject) time.Duration {
	s := r.book.Signal(id)
	if s == nil {
		return 0
	}
	f, i := r.facts.at(s, r.readAt(s))
	return f.partly(s, subject, i)
}

// FigurePartly is the same of a shown figure.
func (r *Report) FigurePartly(id string, subject Subject) time.Duration {
	if f, i := r.figures.at(r.book.Signal(id), r.Time.UnixMilli()); f != nil {
		return f.partly(r.book.Signal(id), subject, i)
	}
	return r.Partly(id, subject)
}

func (f *Facts) partly(s *Signal, subject Subject, i int) time.Duration {
	if f == nil || !f.catalogue.measuresWatched(s) {
		return 0
	}
	if watched := f.watched(subject, i); watched < f.settings.window(0) {
		return watched
	}
	return 0
}

// measuresWatched tells whether a signal is a rate over the watched part of the window, or made of one.
func (c *Catalogue) measuresWatched(s *Signal) bool {
	if s.Formula == "" {
		return s.overWatched()
	}
	return slices.ContainsFunc(c.formulas[s.ID].operands, func(id string) bool { return c.measuresWatched(c.index[id]) })
}

// written is a signal as PromQL, or as the formula behind a "#".
func (f *Facts) written(s *Signal) string {
	if f == nil || f.resolver == nil {
		return ""
	}
	text, ok := f.promql(s)
	if !ok {
		return "# " + strings.Join(strings.Fields(s.Formula+s.Expr+s.Info+s.Of), " ")
	}
	return text
}

// promql writes a signal out; ok is false where PromQL cannot say it.
func (f *Facts) promql(s *Signal) (text string, ok bool) {
	switch {
	case s.Label != "" || s.isText():
		return "", false
	case s.Setting != "":
		return f.settingText(s)
	case s.Of != "":
		return f.takeText(s)
	case s.Formula != "":
		return f.formulaText(s)
	}
	resolved, err := f.resolver.resolve(s.Expr, f.settings, s.Window, s.Unit.isRate())
	return resolved.expr, err == nil
}

// settingText writes a setting as the number that it is for every subject.
func (f *Facts) settingText(s *Signal) (text string, ok bool) {
	if s.Setting == "watched_seconds" {
		return trimNumber(f.settings.window(0).Seconds()), true
	}
	if s.Setting == "observed_seconds" {
		if len(f.ticks) == 0 { // of a server of which nothing is known
			return "", false
		}
		return trimNumber(f.last().Sub(f.begin).Seconds()), true
	}
	v := f.settings.value(s.Setting, Subject{})
	return trimNumber(v), v == v
}

// takeText writes what is read from a distribution.
func (f *Facts) takeText(s *Signal) (text string, ok bool) {
	d := f.catalogue.buckets[s.Of]
	resolved, err := f.resolver.resolve(d.Expr, f.settings, d.Window, false)
	if err != nil {
		return "", false
	}
	b := bucketsText{expr: resolved.expr}
	if less, err := f.resolver.resolve(d.Less, f.settings, d.Window, false); d.Less != "" && err == nil && !less.futile {
		b.less = less.expr
	}
	return b.take(s.Take, f.settings.window(d.Window).Seconds(), f.settings.value(s.Take.bound, Subject{}))
}

// formulaText writes a formula with its parts in place. Parts of another level would need a join, which is left to the reader.
func (f *Facts) formulaText(s *Signal) (text string, ok bool) {
	formula := f.catalogue.formulas[s.ID]
	x := expansion{texts: map[string]string{}, numbers: map[string]float64{}}
	for _, id := range formula.operands {
		part := f.catalogue.index[id]
		text, known := f.promql(part)
		switch {
		case part.Setting != "" && known:
			x.numbers[id], x.texts[id] = labelValue(text), text
		case part.Setting == "" && known && part.Level == s.Level:
			x.texts[id] = "(" + text + ")"
		case part.Setting == "":
			return "", false
		}
	}
	return x.print(formula.tree)
}

// An expansion prints a formula with the texts of its parts. Settings are numbers: what is made of them alone is worked out, since
// PromQL has no functions of numbers, and a setting that is not given makes "or" take its other side.
type expansion struct {
	texts   map[string]string
	numbers map[string]float64
}

func (x expansion) print(e parser.Expr) (text string, ok bool) {
	if v := eval(e, x.number); v == v {
		return trimNumber(v), true
	}
	switch n := e.(type) {
	case *parser.VectorSelector:
		text, ok = x.texts[n.Name]
		return text, ok
	case *parser.ParenExpr:
		text, ok = x.print(n.Expr)
		return "(" + text + ")", ok
	case *parser.UnaryExpr:
		text, ok = x.print(n.Expr)
		return n.Op.String() + text, ok
	case *parser.BinaryExpr:
		return x.printBinary(n)
	case *parser.Call:
		args := make([]string, len(n.Args))
		for i, a := range n.Args {
			if args[i], ok = x.print(a); !ok {
				return "", false
			}
		}
		return n.Func.Name + "(" + strings.Join(args, ", ") + ")", true
	}
	return e.String(), true
}

// number is the value of a setting, NaN for every other signal.
func (x expansion) number(id string) float64 {
	if v, ok := x.numbers[id]; ok {
		return v
	}
	return math.NaN()
}

func (x expansion) printBinary(n *parser.BinaryExpr) (text string, ok bool) {
	left, leftOK := x.print(n.LHS)
	right, rightOK := x.print(n.RHS)
	if n.Op == parser.ADD && leftOK && x.isNothing(n.RHS) {
		return left, true
	}
	if n.Op == parser.LOR {
		switch {
		case !leftOK:
			return right, rightOK
		case x.isGiven(n.LHS), !rightOK, left == right:
			return left, true
		case strings.ContainsAny(left, "/%"):
			left = "(" + left + ") >= -Inf" // no number is absent
		}
		return left + " or " + right, true
	}
	return left + " " + n.Op.String() + " " + right, leftOK && rightOK
}

// isNothing tells whether a part is 0 at all times: the excess of a text over itself. A rate over the last seconds is the same as one over
// the window where targets are read so seldom that both are as long.
func (x expansion) isNothing(e parser.Expr) bool {
	switch n := e.(type) {
	case *parser.ParenExpr:
		return x.isNothing(n.Expr)
	case *parser.Call:
		return n.Func.Name == "clamp_min" && x.isNothing(n.Args[0]) && n.Args[1].String() == "0"
	case *parser.BinaryExpr:
		left, leftOK := x.print(n.LHS)
		right, rightOK := x.print(n.RHS)
		return n.Op == parser.SUB && leftOK && rightOK && left == right
	}
	return false
}

// isGiven tells whether a part rests on a setting, and so is there for every subject.
func (x expansion) isGiven(e parser.Expr) bool {
	given := false
	parser.Inspect(e, func(node parser.Node, _ []parser.Node) error {
		if n, ok := node.(*parser.VectorSelector); ok && x.number(n.Name) == x.number(n.Name) {
			given = true
		}
		return nil
	})
	return given
}

// PromQL is a signal as an expression for a Prometheus server of which nothing is known: with every spelling of its metrics. Each series
// is narrowed by what narrow says for its name, such as the variables of a dashboard. It is empty where PromQL cannot say it in one
// expression.
func (b *Book) PromQL(id string, set Settings, narrow func(name string) []*labels.Matcher) string {
	f := &Facts{catalogue: b.Catalogue, settings: set, resolver: &resolver{rewriter: everySpelling(), resolved: map[resolvedKey]resolvedExpr{}}}
	text, ok := f.promql(b.Signal(id))
	tree, err := promqlParser.ParseExpr(text)
	if !ok || err != nil {
		return ""
	}
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			selector.LabelMatchers = append(selector.LabelMatchers, narrow(selector.Name)...)
		}
		return nil
	})
	return tree.String()
}
