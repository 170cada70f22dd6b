package diagnose

import "testing"

// Of one page a counter is read as it stands, and by the uptime where the figure is one a second.
func TestCountersOfOnePageAreSinceTheStart(t *testing.T) {
	const uptime = `(time() - max by (` + targetLabels + `) (process_start_time_seconds))`
	for _, c := range []struct {
		expr      string
		perSecond bool
		want      string
	}{
		{`sum by (instance) (rate(x_total{a="b"}[1m]))`, false, `sum by (instance) (x_total{a="b"})`},
		{`sum by (instance) (rate(x_total{a="b"}[1m]))`, true, `sum by (instance) ((x_total{a="b"} / on (` + targetLabels + `) group_left () ` + uptime + `))`},
		{`-increase(x_total[1m]) / (rate(y_total[1m]) > 0)`, false, `-x_total / (y_total > 0)`},
		{`label_replace(rate(x_total[1m]), "a", "$1", "b", "(.*)")`, false, `label_replace(x_total, "a", "$1", "b", "(.*)")`},
		{`max_over_time(x[1m]) + x`, true, `max_over_time(x[1m]) + x`},
	} {
		tree, err := promqlParser.ParseExpr(c.expr)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sinceStart(tree, c.perSecond)
		if err != nil || got.String() != c.want {
			t.Errorf("%s, a second %v: %v, %v, want %s", c.expr, c.perSecond, got, err, c.want)
		}
	}
}
