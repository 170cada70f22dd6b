package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// SeveritySeries tells how bad the finding of a rule is while it fires: 0 information, 1 warning, 2 critical; otherwise it is absent.
const SeveritySeries = "vllmscope:severity"

// An Alert is the finding of a rule in one severity, as an alerting rule. The value of its expression is the number of the rule's case,
// from 1 on, where the rule has cases.
type Alert struct {
	Rule     *Rule
	Severity Severity
	Expr     string
	// Lingers is for how long it is told after the firing test is no longer met, so that it ends when half a hold was calm.
	Lingers time.Duration
}

// alerts records when a rule fires and lists its alerts, the worst first.
func (r *recorder) alerts(rule *Rule) {
	fires := r.sustained(OutcomeSeries, rule.Code, rule.Hold)
	any, terms := fires, []string{fmt.Sprintf("%d + 0 * (%s)", rule.Severity, fires)}
	severities := []Severity{rule.Severity}
	if rule.Critical != nil {
		bad := r.sustained(CriticalSeries, rule.Code, rule.HoldForCritical())
		any, terms = bad+" or "+fires, append([]string{fmt.Sprintf("%d + 0 * (%s)", Critical, bad)}, terms...)
		severities = append(severities, Critical)
	}
	if rule.Mild != nil {
		series := fmt.Sprintf("%s{code=%q}", MildSeries, rule.Code)
		calm := series + " == 1"
		if span, n := r.ticks(min(mildFor, rule.Hold)); n > 1 {
			calm += fmt.Sprintf(" and min_over_time(%s[%s]) == 1", series, span)
		}
		terms = append([]string{fmt.Sprintf("0 * (%s) and (%s)", any, calm)}, terms...)
		severities = append(severities, Information)
	}
	r.add(&r.Outcomes, Recording{Record: SeveritySeries, Expr: strings.Join(terms, " or "), Code: rule.Code})
	slices.Sort(severities)
	severities = slices.Compact(severities)
	slices.Reverse(severities)
	for _, severity := range severities {
		expr := fmt.Sprintf("%s{code=%q} == %d", SeveritySeries, rule.Code, severity)
		if len(rule.Cases) > 0 {
			expr = fmt.Sprintf("%s{code=%q} and %s", CaseSeries, rule.Code, expr)
		}
		hold := rule.Hold
		if severity == Critical {
			hold = rule.HoldForCritical()
		}
		lingers := time.Duration((sustained - 0.5) * float64(hold)).Round(time.Second)
		r.Alerts = append(r.Alerts, Alert{Rule: rule, Severity: severity, Expr: expr, Lingers: lingers})
	}
}

// sustained is the firing test: true in so large a share of the ticks of the hold that could be judged, and enough could be.
func (r *recorder) sustained(series, code string, hold time.Duration) string {
	series = fmt.Sprintf("%s{code=%q}", series, code)
	span, n := r.ticks(hold)
	if n == 1 {
		return series + " == 1"
	}
	return fmt.Sprintf("sum_over_time(%s[%s]) >= %s * count_over_time(%s[%s]) and count_over_time(%s[%s]) >= %s",
		series, span, trimNumber(sustained), series, span, series, span, trimNumber(judgeable*float64(n)))
}

// ticks is a range that holds as many evaluations as a hold has, whether its older end counts (Prometheus 2) or not (3).
func (r *recorder) ticks(hold time.Duration) (span string, n int) {
	n = ticksIn(hold, r.settings.Step)
	return model.Duration((time.Duration(n)*r.settings.Step - r.settings.Step/3).Round(time.Millisecond)).String(), n
}
