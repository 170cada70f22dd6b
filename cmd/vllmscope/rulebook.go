package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// book is the rule book as the user has changed it.
func (o *options) book() *diagnose.Book {
	if o.changed != nil {
		return o.changed
	}
	return diagnose.Default()
}

// readRules makes the changes that the configuration wants, and says all that is wrong with them.
func (o *options) readRules() error {
	said := &o.config.said
	overrides, err := said.overrides(diagnose.Default())
	wrong := []error{err}
	if o.changed, err = diagnose.Default().With(overrides); err != nil {
		return o.config.wrong(errors.Join(append(wrong, err)...))
	}
	files := o.readRuleFiles()
	for _, s := range said.Silences {
		if _, err := knownRule(o.changed, s.Code); err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", s.line, err))
		}
	}
	return together(o.config.wrong(errors.Join(wrong...)), files)
}

// readRuleFiles adds the user's own alerting rules: those that --rules names, and those of the configuration.
func (o *options) readRuleFiles() error {
	patterns := slices.Clone(o.ruleFiles)
	if len(patterns) > 0 {
		if _, err := prom.ReadRules(patterns); err != nil {
			return usage("--rules: %w", err)
		}
	}
	for _, file := range o.config.RuleFiles {
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(o.config.path), file)
		}
		patterns = append(patterns, file)
	}
	if len(patterns) == 0 {
		return nil
	}
	own, err := prom.ReadRules(patterns)
	if err != nil {
		return usage("configuration %s: rule_files: %w", o.config.path, err)
	}
	o.changed = o.changed.WithOwn(own)
	return nil
}

func asUnknownSignal(err error) (*diagnose.UnknownSignalError, bool) {
	return errors.AsType[*diagnose.UnknownSignalError](err)
}

// knownRule finds a rule by its code or its name, the user's own included, or says which comes nearest.
func knownRule(b *diagnose.Book, word string) (*diagnose.Rule, error) {
	var rules []*diagnose.Rule
	for i := range b.Rules {
		rules = append(rules, &b.Rules[i])
	}
	if b.Own != nil {
		for i := range b.Own.Rules {
			rules = append(rules, &b.Own.Rules[i].Rule)
		}
	}
	var words []string
	for _, r := range rules {
		if strings.EqualFold(word, r.Code) || strings.EqualFold(word, r.Name) {
			return r, nil
		}
		words = append(words, r.Code, r.Name)
	}
	if near := nearest(strings.ToUpper(word), words); near != "" {
		return nil, fmt.Errorf("no rule %q; did you mean %q?", word, near)
	}
	return nil, fmt.Errorf("no rule %q; vllmscope rules list has them all", word)
}
