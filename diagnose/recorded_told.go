package diagnose

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
)

// A givenNumber is what the user says of some subjects: those of one label value, or all that have none of their own.
type givenNumber struct {
	label  string
	only   string
	others []string // that have their own
	value  float64
}

func (g givenNumber) matchers() []*labels.Matcher {
	switch {
	case g.only != "":
		return []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, g.label, g.only)}
	case len(g.others) > 0:
		return []*labels.Matcher{labels.MustNewMatcher(labels.MatchNotRegexp, g.label, anyOf(g.others))}
	}
	return nil
}

// bounds are the numbers that a setting has: objectives and sizes by model, the rest by server. NaN is not given.
func (r *recorder) bounds(name string) []givenNumber {
	set, label, names := r.settings, "instance", map[string]bool{}
	if _, ok := set.objective(name, ""); ok || strings.HasPrefix(name, shapePrefix) {
		label = "model_name"
		note(names, maps.Keys(set.SLOByModel))
		note(names, maps.Keys(set.Shapes))
	} else {
		note(names, maps.Keys(set.MaxNumSeqsByInstance))
		note(names, maps.Keys(set.TokenBudgetByInstance))
		note(names, maps.Keys(set.Hardware))
	}
	rest := givenNumber{label: label, value: set.value(name, Subject{})}
	var all []givenNumber
	for _, one := range slices.Sorted(maps.Keys(names)) {
		v := set.value(name, Subject{Instance: one, Model: one})
		if v != rest.value && !(math.IsNaN(v) && math.IsNaN(rest.value)) {
			all = append(all, givenNumber{label: label, only: one, value: v})
			rest.others = append(rest.others, one)
		}
	}
	return append(all, rest)
}

// told says a number that the user gives, for the subjects of a level.
func (r *recorder) told(name string, level Level) (expr, why string) {
	var terms []string
	for _, p := range r.bounds(name) {
		if p.only != "" && !slices.Contains(LabelsOf(level), p.label) {
			continue
		}
		if !slices.Contains(LabelsOf(level), p.label) {
			p.others = nil
		}
		if p.value == p.value {
			terms = append(terms, fmt.Sprintf("%s * %s", withMatchers(r.present(level), p.matchers()...), trimNumber(p.value)))
		}
	}
	if len(terms) == 0 {
		return "", "is not given"
	}
	return strings.Join(terms, " or "), ""
}

func note(names map[string]bool, more func(func(string) bool)) {
	for name := range more {
		names[name] = true
	}
}

// anyOf is a pattern of some texts.
func anyOf(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, regexp.QuoteMeta(text))
	}
	return strings.Join(all, "|")
}
