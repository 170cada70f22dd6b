package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// runbooks adds where the user's notes are: one address for all rules, with {code} and {name} in it, or one for each of some.
func (s *said) runbooks(b *diagnose.Book, all map[string]diagnose.Override) error {
	switch s.Runbook.Kind {
	case 0:
		return nil
	case yaml.ScalarNode:
		if err := oneRunbook(b, s.Runbook.Value, all); err != nil {
			return fmt.Errorf("line %d: runbook: %w", s.Runbook.Line, err)
		}
		return nil
	case yaml.MappingNode:
		for key, value := range pairs(&s.Runbook) {
			rule, err := knownRule(b, key.Value)
			if err != nil {
				return fmt.Errorf("line %d: %w", key.Line, err)
			}
			text, err := readURL(strings.NewReplacer("{code}", rule.Code, "{name}", rule.Name).Replace(value.Value))
			if err != nil {
				return fmt.Errorf("line %d: runbook: %w", value.Line, err)
			}
			all[rule.Code] = diagnose.Override{Runbook: text}
		}
		return nil
	}
	return fmt.Errorf("line %d: runbook: write an address with {code} in it, or addresses by code", s.Runbook.Line)
}

// oneRunbook adds an address for every rule, with its code or its name in it.
func oneRunbook(b *diagnose.Book, address string, all map[string]diagnose.Override) error {
	for _, r := range b.Rules {
		text, err := readURL(strings.NewReplacer("{code}", r.Code, "{name}", r.Name).Replace(address))
		if err != nil {
			return err
		}
		all[r.Code] = diagnose.Override{Runbook: text}
	}
	return nil
}

// book is the rule book as the user has changed it.
func (o *options) book() *diagnose.Book {
	if o.own != nil {
		return o.own
	}
	return diagnose.Default()
}

// readRules makes the changes that the configuration wants.
func (o *options) readRules() error {
	said := &o.config.said
	overrides, err := said.overrides(diagnose.Default())
	if err == nil {
		o.own, err = diagnose.Default().With(overrides)
	}
	if err != nil {
		return usage("configuration %s: %w", o.config.path, err)
	}
	if err := o.readRuleFiles(); err != nil {
		return err
	}
	for _, s := range said.Silences {
		if _, err := knownRule(o.own, s.Code); err != nil {
			return usage("configuration %s: line %d: %w", o.config.path, s.line, err)
		}
	}
	return nil
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
	o.own = o.own.WithOwn(own)
	return nil
}

func asUnknownSignal(err error) (*diagnose.UnknownSignalError, bool) {
	return errors.AsType[*diagnose.UnknownSignalError](err)
}
