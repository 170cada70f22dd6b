package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// Names of the series that are recorded for each rule; the label code says for which.
const (
	OutcomeSeries  = "vllmscope:outcome"  // 1 where the rule holds, 0 where it does not, absent where it cannot be judged
	CriticalSeries = "vllmscope:critical" // the same of its critical form
	MildSeries     = "vllmscope:mild"     // 1 where users feel nothing of it
	CaseSeries     = "vllmscope:case"     // which of its cases it is, from 1 on; 0 is the rule's own sentence
)

// opposite is the comparison that is true of the same value when the other is false.
var opposite = map[Op]Op{Above: AtMost, AtLeast: Below, Below: AtLeast, AtMost: Above, Equals: Not, Not: Equals}

var promqlOps = map[Op]string{Above: ">", AtLeast: ">=", Below: "<", AtMost: "<=", Equals: "==", Not: "!="}

// rule records the outcome of a rule and how bad it is, after the signals that it reads.
func (r *recorder) rule(rule *Rule) {
	for _, id := range rule.judgedAndTold() {
		r.signal(id, rule.Level)
	}
	labels, present := labelsOf(rule.Level), r.present(rule.Level)
	outcome := fmt.Sprintf("(group by(%s) (%s) or 0 * group by(%s) (%s)) and %s",
		labels, r.filter(rule.When, rule.Level, true), labels, r.filter(rule.When, rule.Level, false), present)
	r.add(&r.Outcomes, Recording{Record: OutcomeSeries, Expr: outcome, Code: rule.Code})
	own := fmt.Sprintf("%s{code=%q}", OutcomeSeries, rule.Code)
	if rule.Critical != nil {
		bad := fmt.Sprintf("group by(%s) (%s == 1 and ignoring(code) (%s)) or ignoring(code) 0 * %s", labels, own, r.filter(rule.Critical, rule.Level, true), own)
		r.add(&r.Outcomes, Recording{Record: CriticalSeries, Expr: bad, Code: rule.Code})
	}
	if rule.Mild != nil {
		mild := fmt.Sprintf("group by(%s) (%s) or 0 * group by(%s) (%s)",
			labels, r.filter(rule.Mild, rule.Level, true), labels, r.filter(rule.Mild, rule.Level, false))
		r.add(&r.Outcomes, Recording{Record: MildSeries, Expr: mild, Code: rule.Code})
	}
	if len(rule.Cases) > 0 {
		var terms []string
		for i, c := range rule.Cases {
			terms = append(terms, fmt.Sprintf("%d * group by(%s) (%s)", i+1, labels, r.filter(c.If, rule.Level, true)))
		}
		terms = append(terms, fmt.Sprintf("0 * %s", present))
		r.add(&r.Outcomes, Recording{Record: CaseSeries, Expr: strings.Join(terms, " or "), Code: rule.Code})
	}
}

// judgedAndTold lists the signals that judging the rule takes, how bad it is included, and those of its sentences and actions.
func (r *Rule) judgedAndTold() []string {
	ids := slices.Concat(r.judged(), r.graded(), placeholders(r.Sentence))
	for _, c := range r.Cases {
		ids = append(append(ids, signalsOf(c.If)...), placeholders(c.Sentence)...)
		for _, a := range c.Actions {
			ids = append(ids, placeholders(a.Text)...)
		}
	}
	for _, a := range r.Actions {
		ids = append(ids, placeholders(a.Text)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// filter keeps the subjects for which a test is known to have a truth. A part whose signal is absent keeps nobody, so that the logic
// is the three-valued one of Test: what is kept by neither is unknown.
func (r *recorder) filter(t Test, level Level, truth bool) string {
	switch t := t.(type) {
	case Is:
		op := t.Op
		if !truth {
			op = opposite[op]
		}
		return fmt.Sprintf("%s %s %s", SeriesOf(level, t.Signal), promqlOps[op], trimNumber(t.Threshold))
	case Also:
		return r.filter(t.Is, level, truth)
	case All:
		return r.filters(t, level, truth, truth)
	case Any:
		return r.filters(t, level, truth, !truth)
	}
	panic(fmt.Sprintf("BUG: a test of type %T", t))
}

// filters joins the parts of a test: all must have the truth that have one, or one is enough.
func (r *recorder) filters(parts []Test, level Level, truth, all bool) string {
	word := " or "
	if all {
		word = " and "
	}
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = "(" + r.filter(part, level, truth) + ")"
		if also, is := part.(Also); is && all {
			texts[i] = fmt.Sprintf("(%s or (%s unless %s))", texts[i], r.present(level), SeriesOf(level, also.Signal))
		}
	}
	return strings.Join(texts, word)
}
