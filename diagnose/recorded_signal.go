package diagnose

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// everySpelling is a rewriter that knows all names of vLLM and of the exporters, for servers that are not asked which they have. Names
// that others put before vLLM's are left out, since each would double every expression.
func everySpelling() rewriter {
	r := rewriter{names: map[string]bool{}, labels: map[string]bool{"hostname": true}}
	for family, older := range spellings {
		for _, s := range append([]spelling{{name: family}}, older...) {
			for _, suffix := range []string{"", "_bucket", "_sum", "_count"} {
				r.names[s.name+suffix] = s.marker == ""
			}
		}
	}
	for family := range spellings {
		r.names[family] = true
	}
	return r
}

// resolve fills the placeholders of an expression and puts every spelling in; what does not bear that becomes nothing.
func (r *recorder) resolve(expr string, window time.Duration) string {
	tree, err := r.spelling.rewrite(fill(expr, r.settings, window))
	if err != nil {
		return ""
	}
	return tree.String()
}

// expression says a signal that is read from series.
func (r *recorder) expression(s *Signal) (expr, why string) {
	expr = r.resolve(s.Expr, s.Window)
	if s.Every > r.settings.Step {
		return r.gated(s, r.recordSlowly(s, expr)), ""
	}
	if s.Label != "" {
		expr = numberIn(s.Label, expr, s.Level)
	}
	if s.overWatched() {
		expr = fmt.Sprintf("(%s) * on(%s) group_left() (%s / %s)",
			expr, keysOf(s.Level), trimNumber(r.settings.window(0).Seconds()), r.watched())
	}
	return r.gated(s, plausible(s.Unit, expr)), ""
}

// recordSlowly records a signal as it is read, every SlowInterval.
func (r *recorder) recordSlowly(s *Signal, expr string) string {
	series := SeriesOf(s.Level, s.ID+ReadSuffix)
	if !r.known[series] {
		r.known[series] = true
		r.add(&r.Slow, Recording{Record: series, Expr: plausible(s.Unit, expr)})
	}
	return series
}

// numberIn reads a number out of a label: a histogram with all of its observations in one bucket has its edge as the highest value.
func numberIn(label, expr string, level Level) string {
	const number = `"([0-9.]+)"`
	return fmt.Sprintf(`max by(%s) (histogram_quantile(1, label_replace(%s, "le", "$1", %q, %s) or label_replace(%s, "le", "+Inf", %q, %s)))`,
		labelsOf(level), expr, label, number, expr, label, number)
}

// plausible leaves out what cannot be real, which is what Unit.plausible keeps; quotients may be no number or infinite.
func plausible(u Unit, expr string) string {
	switch low, high := u.limits(); {
	case !math.IsInf(high, 1):
		return fmt.Sprintf("(%s) >= %s < %s", expr, trimNumber(low), trimNumber(high))
	case strings.Contains(expr, "/"):
		return "(" + expr + ") > -Inf < +Inf"
	}
	return expr
}

// knownOnly leaves out what is no number, which is absent.
func knownOnly(expr string) string { return "(" + expr + ") >= -Inf" }

// gated leaves out the targets that do not answer, since a rate outlives them by a window, and those that are not meant, and what is not
// to be believed.
func (r *recorder) gated(s *Signal, expr string) string {
	if s.Unless != "" {
		if doubt, ok := r.signal(s.Unless, s.Level); ok {
			expr = fmt.Sprintf("(%s) unless on(%s) (%s > 0)", expr, labelsOf(s.Level), doubt)
		}
	}
	switch {
	case s.Level == Model:
		return expr
	case s.Ungated:
		return fmt.Sprintf("(%s) and on(%s) %s", expr, targetLabels, r.present(Target))
	}
	up, _ := r.signal("up", Target)
	return fmt.Sprintf("(%s) and on(%s) (%s == 1)", expr, keysOf(s.Level), up)
}

// distribution says what is read from a histogram.
func (r *recorder) distribution(s *Signal) (expr, why string) {
	d := r.book.buckets[s.Of]
	b := bucketsText{expr: r.resolve(d.Expr, d.Window)}
	if d.Less != "" {
		b.less = r.resolve(d.Less, d.Window)
	}
	var terms []string
	for _, part := range r.bounds(s.Take.bound) {
		if text, ok := b.of(part.matchers()...).take(s.Take, r.settings.window(d.Window).Seconds(), part.value); ok {
			terms = append(terms, knownOnly(text))
		}
	}
	if len(terms) == 0 {
		return "", "needs an objective"
	}
	expr = strings.Join(terms, " or ")
	if d.Every > r.settings.Step {
		expr = r.recordSlowly(s, expr)
	}
	return r.gated(s, expr), ""
}

// formula says arithmetic over other signals, which are recorded first.
func (r *recorder) formula(s *Signal) (expr, why string) {
	f := r.book.formulas[s.ID]
	x := expansion{texts: map[string]string{}, numbers: map[string]float64{}}
	var missing []string
	for _, id := range f.operands {
		if r.book.Signal(id).Setting == "" && !reaches(s.Level, r.book.Signal(id).Level) {
			continue
		}
		if series, ok := r.signal(id, s.Level); ok {
			x.texts[id] = series
		} else {
			missing = append(missing, id)
		}
	}
	expr, ok := x.print(f.tree)
	switch {
	case !ok:
		return "", "lacks " + strings.Join(missing, ", ")
	case strings.ContainsAny(expr, "/%"):
		return knownOnly(expr), ""
	}
	return expr, ""
}

// translated puts values through a table: one term for each result.
func translated(table map[int]float64, expr string) string {
	from := map[float64][]int{}
	for v, result := range table {
		from[result] = append(from[result], v)
	}
	var terms []string
	for _, result := range slices.Sorted(maps.Keys(from)) {
		slices.Sort(from[result])
		var values []string
		for _, v := range from[result] {
			values = append(values, "("+expr+") == "+strconv.Itoa(v))
		}
		terms = append(terms, fmt.Sprintf("0 * (%s) + %s", strings.Join(values, " or "), trimNumber(result)))
	}
	return strings.Join(terms, " or ")
}
