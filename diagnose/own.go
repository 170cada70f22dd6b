package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// OwnRules are the user's alerting rules, and what is wrong with those that cannot run, a sentence each.
type OwnRules struct {
	Rules []OwnRule
	Wrong []string
}

// OwnRule is an alerting rule as Prometheus has it. It is judged at every tick, and Prometheus's for and keep_firing_for are folded over
// the ticks.
type OwnRule struct {
	Rule                     // its Expr is the PromQL, and its Hold what Prometheus calls for
	KeepFiring time.Duration // how long it goes on when the expression has ended
	// Tell fills in the templates of one series: the labels of the alert, and its annotations.
	Tell func(series labels.Labels, value float64, at time.Time) (alert, annotations map[string]string)
	// Never says why the rule cannot fire while these are all names there are, "" when it can.
	Never func(names []string) string
}

// WithOwn is a copy of the book that has the user's rules beside its own, behind all of them.
func (b *Book) WithOwn(own *OwnRules) *Book {
	one := *b
	one.Own, one.places = own, maps.Clone(b.places)
	for i := range own.Rules {
		one.places[own.Rules[i].Code] = len(b.Rules) + i
	}
	return &one
}

// ownKey is a rule by its place, and a series of its answer.
type ownKey struct {
	rule   int
	series string
}

// ownRow is the value of one series of a rule's answer at each tick, NaN where it has none.
type ownRow struct {
	labels labels.Labels
	values []float64
}

// judgeOwn evaluates the user's rules at the track's ticks.
func (t *Track) judgeOwn(ctx context.Context, src Source, from, to time.Time) error {
	if t.book.Own == nil {
		return nil
	}
	names, err := src.Names(ctx, to)
	if err != nil {
		return err
	}
	t.own, t.ownRemarks = map[ownKey]ownRow{}, []string{}
	for n := range t.book.Own.Rules {
		rule := &t.book.Own.Rules[n]
		if why := rule.Never(names); why != "" {
			t.ownRemarks = append(t.ownRemarks, rule.Name+" can never fire: "+why)
			continue
		}
		series, err := src.Range(ctx, rule.Expr, from, to, t.settings.Step)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // of data, such as two series where one may be: the other rules run
			t.ownRemarks = append(t.ownRemarks, fmt.Sprintf("%s cannot be judged: %v", rule.Name, err))
			continue
		}
		for _, one := range series {
			row := ownRow{one.Labels, absentColumn(t.ticks)}
			for _, p := range one.Points {
				if i := t.position(time.UnixMilli(p.Time)); i >= 0 && i < t.ticks {
					row.values[i] = p.Value
				}
			}
			t.own[ownKey{n, one.Labels.String()}] = row
		}
	}
	return nil
}

// addOwn takes over what another track judged.
func (t *Track) addOwn(o *Track, shift, offset, n int) {
	for key, row := range t.own {
		row.values = stretchAbsent(row.values, shift, n)
		t.own[key] = row
	}
	for key, newer := range o.own {
		row, known := t.own[key]
		if !known {
			row = ownRow{newer.labels, absentColumn(n)}
		}
		copy(row.values[offset:], newer.values)
		if t.own == nil {
			t.own = map[ownKey]ownRow{}
		}
		t.own[key] = row
	}
	if o.ownRemarks != nil {
		t.ownRemarks = o.ownRemarks
	}
}

// forgetOwn drops the first ticks.
func (t *Track) forgetOwn(drop int) {
	for key, row := range t.own {
		row.values = cutFront(row.values, drop)
		if t.own[key] = row; !slices.ContainsFunc(row.values, func(v float64) bool { return !math.IsNaN(v) }) {
			delete(t.own, key)
		}
	}
}

// An alertFold reads the state of one alert out of its values, as Prometheus does evaluation by evaluation. Ticks stand for times; -1 is
// never.
type alertFold struct {
	hold, keep   time.Duration
	step         time.Duration
	since, gone  int // active since, without a value since while it is kept firing
	began, ended int // of the last that fired and is over
	firing       bool
}

// next takes the value of one more tick in.
func (a *alertFold) next(tick int, has bool) {
	switch {
	case has:
		if a.since < 0 {
			a.since = tick
		}
		a.gone, a.firing = -1, a.firing || time.Duration(tick-a.since)*a.step >= a.hold
	case a.firing && a.kept(tick):
	default:
		if a.firing {
			a.began, a.ended = a.since, tick
		}
		a.since, a.gone, a.firing = -1, -1, false
	}
}

// kept tells whether an alert that fires goes on without a value.
func (a *alertFold) kept(tick int) bool {
	if a.gone < 0 {
		a.gone = tick
	}
	return time.Duration(tick-a.gone)*a.step < a.keep
}

// ownLife folds for and keep_firing_for over the values up to tick i.
func (t *Track) ownLife(rule *OwnRule, values []float64, i int) life {
	a := alertFold{hold: rule.Hold, keep: rule.KeepFiring, step: t.settings.Step, since: -1, gone: -1, ended: -1}
	for j := range i + 1 {
		a.next(j, !math.IsNaN(values[j]))
	}
	switch {
	case a.firing && a.gone >= 0:
		return life{Firing, a.since, i - a.since + 1, i - a.gone + 1}
	case a.firing:
		return life{Firing, a.since, i - a.since + 1, 0}
	case a.since >= 0:
		return life{Pending, a.since, i - a.since + 1, 0}
	case a.ended >= 0 && i-a.ended < ticksIn(afterglow, t.settings.Step):
		return life{Resolved, a.began, 0, i - a.ended}
	}
	return life{}
}

// ownThroughout tells whether a rule's expression had a value at every tick of its hold up to tick i, at two at least. At the first tick of the
// data it need not: a rate takes two scrapes.
func (t *Track) ownThroughout(rule *OwnRule, values []float64, i int) bool {
	yes := 0
	for j := max(-1, i-ticksIn(rule.Hold, t.settings.Step)); j <= i; j++ {
		switch {
		case j >= 0 && !math.IsNaN(values[j]):
			yes++
		case t.tick(j) > t.begin.UnixMilli():
			return false
		}
	}
	return yes >= 2
}

// ownDue is the tick up to which the user's rules are judged when the report of a moment is asked for.
func (t *Track) ownDue(at int64) int64 {
	if at-t.begin.UnixMilli() < youth.Milliseconds() {
		return at
	}
	return t.slowTick(at)
}

// addOwn tells what the user's rules find; series about one subject are one finding.
func (r *Report) addOwn(t *Track) {
	if t.book.Own == nil {
		return
	}
	r.Remarks = slices.Concat(t.book.Own.Wrong, t.ownRemarks)
	i := t.position(time.UnixMilli(t.ownDue(r.Time.UnixMilli())))
	found, others := map[Ref]*Finding{}, map[Ref]int{}
	keys := slices.SortedFunc(maps.Keys(t.own), func(a, b ownKey) int {
		return cmp.Or(a.rule-b.rule, strings.Compare(a.series, b.series))
	})
	var order []Ref
	for _, key := range keys {
		f := r.ownFinding(t, &t.book.Own.Rules[key.rule], t.own[key], i)
		if f == nil {
			continue
		}
		ref := f.Ref()
		switch before := found[ref]; {
		case before == nil:
			found[ref], order = f, append(order, ref)
		case f.State > before.State || f.State == before.State && f.Severity > before.Severity:
			found[ref], others[ref] = f, others[ref]+1
		default:
			others[ref]++
		}
	}
	for _, ref := range order {
		if n := others[ref]; n > 0 {
			found[ref].Sentence += fmt.Sprintf(" (and %d more series)", n)
		}
		r.Findings = append(r.Findings, *found[ref])
	}
}

// ownFinding is what one series of a rule's answer comes to; nil when there is nothing to tell.
func (r *Report) ownFinding(t *Track, rule *OwnRule, row ownRow, i int) *Finding {
	if i < 0 || i >= len(row.values) {
		return nil
	}
	l := t.ownLife(rule, row.values, i)
	if l.state == Inactive {
		return nil
	}
	last := i
	for last > 0 && math.IsNaN(row.values[last]) {
		last--
	}
	alert, annotations := rule.Tell(row.labels, row.values[last], time.UnixMilli(t.tick(i)))
	f := &Finding{
		Rule: &rule.Rule, Subject: r.subjectOfAlert(alert), Severity: severityOf(alert["severity"]), State: l.state,
		Since: time.UnixMilli(t.tick(l.since)), Held: time.Duration(max(0, l.held-1)) * t.settings.Step, Hold: rule.Hold,
		Quiet: time.Duration(l.quiet) * t.settings.Step, Throughout: t.ownThroughout(rule, row.values, i),
		Confidence: mostConfident, Sentence: sentenceOf(rule, annotations),
		Runbook: plainLine(cmp.Or(annotations["runbook_url"], annotations["runbook"])),
	}
	value := row.values[last]
	s := &Signal{ID: rule.Code, Title: "value of its expression", Unit: Ratio, Expr: rule.Expr}
	f.Evidence = []Evidence{{Fact: Fact{Signal: s, Subject: f.Subject, Value: value, Low: value, High: value, N: math.NaN()}, Is: Is{Signal: s.ID}, Plain: true}}
	return f
}

// severityOf maps the label that people give their alerts.
func severityOf(word string) Severity {
	switch strings.ToLower(word) {
	case "critical", "page":
		return Critical
	case "warning", "warn":
		return Warning
	}
	return Information
}

// sentenceOf is what the annotations say, or else the expression.
func sentenceOf(rule *OwnRule, annotations map[string]string) string {
	var parts []string
	for _, name := range []string{"summary", "description", "message"} {
		if text := plainLine(annotations[name]); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, strings.TrimSuffix(text, "."))
		}
	}
	if len(parts) == 0 {
		return "This is so: " + plainLine(rule.Expr)
	}
	return strings.Join(parts, ". ") + "."
}

// plainLine is somebody's text as one line that is safe to show.
func plainLine(text string) string { return Plain(strings.Join(strings.Fields(text), " ")) }
