package prom

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
)

// ReadRules reads rule files of Prometheus. A pattern that no file fits is an error; a file that is wrong runs none of its rules, as in
// Prometheus, and the others run. Recorded names are written out in the alerts that read them.
func ReadRules(patterns []string) (*diagnose.OwnRules, error) {
	files, err := ruleFiles(patterns)
	if err != nil {
		return nil, err
	}
	own, recorded := &diagnose.OwnRules{}, recordings{}
	var alerts []alert
	for _, file := range files {
		rules, wrong := parseRules(file)
		own.Wrong = append(own.Wrong, wrong...)
		for _, one := range rules {
			if one.rule.Record == "" {
				alerts = append(alerts, one)
			} else {
				recorded.add(one)
			}
		}
	}
	for _, a := range alerts {
		rule, err := a.own("U"+strconv.Itoa(len(own.Rules)+1), recorded)
		if err != nil {
			own.Wrong = append(own.Wrong, diagnose.Plain(fmt.Sprintf("%s: %d:%d: group %q, %q: %v", a.file, a.at.Line, a.at.Column, a.group, a.rule.Alert, err)))
			continue
		}
		own.Rules = append(own.Rules, rule)
	}
	return own, nil
}

func newParser() parser.Parser { return parser.NewParser(parser.Options{}) }

// ruleFiles lists the files that patterns name, each once.
func ruleFiles(patterns []string) ([]string, error) {
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("no file %s", pattern)
		}
		for _, file := range found {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files, nil
}

// alert is a rule of a file.
type alert struct {
	rule        rulefmt.Rule
	group, file string
	at          *yaml.Node
	more        map[string]string // labels of the group
}

// alertsOf lists the rules of a file, with their places. Of a list that is an alias the place is not known, and its rules have the file's.
func alertsOf(file string, groups *rulefmt.RuleGroups, root *yaml.Node) []alert {
	var all []alert
	nodes := sequence(root, "groups")
	for i, g := range groups.Groups {
		var places []*yaml.Node
		if i < len(nodes) {
			places = sequence(nodes[i], "rules")
		}
		for j, r := range g.Rules {
			at := root
			if j < len(places) {
				at = places[j]
			}
			all = append(all, alert{rule: r, group: g.Name, file: file, at: at, more: g.Labels})
		}
	}
	return all
}

// own is the rule in the form in which it is judged.
func (a alert) own(code string, recorded recordings) (diagnose.OwnRule, error) {
	expr, err := recorded.writtenOut(a.rule.Expr)
	if err != nil {
		return diagnose.OwnRule{}, err
	}
	tree, err := newParser().ParseExpr(expr)
	if err != nil {
		return diagnose.OwnRule{}, err
	}
	name := diagnose.Plain(a.rule.Alert)
	return diagnose.OwnRule{
		Rule: diagnose.Rule{
			Code: code, Name: name, Title: name, Level: diagnose.Fleet, Hold: time.Duration(a.rule.For), Expr: expr, When: diagnose.All{},
			Source: diagnose.Plain(fmt.Sprintf("%s, group %s", a.file, a.group)),
		},
		KeepFiring: time.Duration(a.rule.KeepFiringFor), Tell: a.tell,
		Never: func(names []string) string { return never(tree, names) },
	}, nil
}
