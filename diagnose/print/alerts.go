package print

import (
	"io"
	"slices"
	"strings"

	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Exported is what an export of the rule book depends on beside the book.
type Exported struct {
	Settings diagnose.Settings
	// Jobs is a pattern of the jobs of the vLLM servers and GPU exporters; empty where they are to be known by their series.
	Jobs string
}

type ruleFile struct {
	Groups []ruleGroup `yaml:"groups"`
}

type ruleGroup struct {
	Name     string      `yaml:"name"`
	Interval string      `yaml:"interval"`
	Rules    []yaml.Node `yaml:"rules"`
}

type recordingRule struct {
	Record string            `yaml:"record"`
	Expr   string            `yaml:"expr"`
	Labels map[string]string `yaml:"labels,omitempty"`
}

type alertingRule struct {
	Alert         string            `yaml:"alert"`
	Expr          string            `yaml:"expr"`
	KeepFiringFor string            `yaml:"keep_firing_for,omitempty"`
	Labels        map[string]string `yaml:"labels"`
	Annotations   map[string]string `yaml:"annotations"`
}

// PrometheusRules writes the rule book as a rule file of Prometheus: signals, outcomes and alerts, in one group, whose rules are
// evaluated in order and at one moment. What is about hours has a slower group of its own.
func PrometheusRules(w io.Writer, b *diagnose.Book, set Exported) error {
	recorded, err := b.Recorded(set.Settings, set.Jobs)
	if err != nil {
		return err
	}
	group := ruleGroup{Name: "vllmscope", Interval: model.Duration(set.Settings.Step).String()}
	for i, one := range recorded.Signals {
		group.add(recordingRule{one.Record, one.Expr, nil}, titled(b, one.Record, i == 0))
	}
	for i, one := range recorded.Outcomes {
		comment := ""
		if one.Record == diagnose.OutcomeSeries {
			comment = one.Code + " " + b.Rule(one.Code).Title
		}
		if i == 0 {
			comment = "Outcomes: 1 holds, 0 does not, absent cannot be judged; the severity is there while a rule fires.\n\n" + comment
		}
		group.add(recordingRule{one.Record, one.Expr, map[string]string{"code": one.Code}}, comment)
	}
	for i, alert := range recorded.Alerts {
		comment := ""
		if i == 0 {
			comment = "Alerts"
		}
		group.add(alertOf(b, alert, recorded), comment)
	}
	slow := ruleGroup{Name: "vllmscope-slow", Interval: model.Duration(max(diagnose.SlowInterval, set.Settings.Step)).String()}
	for _, one := range recorded.Slow {
		slow.add(recordingRule{one.Record, one.Expr, nil}, titled(b, strings.TrimSuffix(one.Record, diagnose.ReadSuffix), false))
	}
	groups := []ruleGroup{group}
	if len(slow.Rules) > 0 {
		groups = append(groups, slow)
	}
	return writeYAML(w, alertsHead(b, recorded, set), ruleFile{groups})
}

// add appends a rule with a comment before it.
func (g *ruleGroup) add(rule any, comment string) {
	var node yaml.Node
	if err := node.Encode(rule); err != nil {
		panic("BUG: " + err.Error()) // a struct of texts
	}
	node.HeadComment = comment
	g.Rules = append(g.Rules, node)
}

// titled says what a series of a signal is.
func titled(b *diagnose.Book, series string, first bool) string {
	text := ""
	if s := b.Signal(series[strings.LastIndex(series, ":")+1:]); s != nil {
		text = s.Title + ": " + s.Help
	}
	if first {
		text = "Signals: vllmscope:LEVEL:NAME is what a subject of the level reads.\n\n" + text
	}
	return strings.TrimSpace(text)
}

func alertOf(b *diagnose.Book, a diagnose.Alert, recorded *diagnose.Recorded) alertingRule {
	r := a.Rule
	text := alertText{book: b, rule: r, recorded: recorded}
	annotations := map[string]string{
		"summary":     text.summary(),
		"description": text.byCase(func(c diagnose.Case) string { return c.Sentence }),
		"action":      text.byCase(func(c diagnose.Case) string { return firstAction(c.Actions) }),
		"runbook_url": r.Runbook,
	}
	for name, value := range annotations {
		if value == "" {
			delete(annotations, name)
		}
	}
	rule := alertingRule{
		Alert: r.Name, Expr: a.Expr,
		Labels:      map[string]string{"severity": a.Severity.String(), "code": r.Code},
		Annotations: annotations,
	}
	if a.Lingers > 0 {
		rule.KeepFiringFor = model.Duration(a.Lingers).String()
	}
	return rule
}

// firstAction is what a finding asks to do first: what costs nothing goes before a restart.
func firstAction(actions []diagnose.Action) string {
	if len(actions) == 0 {
		return ""
	}
	sorted := slices.Clone(actions)
	slices.SortStableFunc(sorted, func(a, b diagnose.Action) int { return int(a.When) - int(b.When) })
	return sorted[0].When.String() + ": " + sorted[0].Text
}
