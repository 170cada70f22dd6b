package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
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
		var wrong []error
		for key, value := range pairs(&s.Runbook) {
			rule, err := knownRule(b, key.Value)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("line %d: %w", key.Line, err))
				continue
			}
			text, err := runbookOf(rule, value.Value)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("line %d: runbook: %w", value.Line, err))
			}
			all[rule.Code] = diagnose.Override{Runbook: text}
		}
		return errors.Join(wrong...)
	}
	return fmt.Errorf("line %d: runbook: write an address with {code} in it, or addresses by code", s.Runbook.Line)
}

// oneRunbook adds an address for every rule, with its code or its name in it.
func oneRunbook(b *diagnose.Book, address string, all map[string]diagnose.Override) error {
	for i := range b.Rules {
		r := &b.Rules[i]
		text, err := runbookOf(r, address)
		if err != nil {
			return err
		}
		all[r.Code] = diagnose.Override{Runbook: text}
	}
	return nil
}

// runbookOf reads an address that may have the code or the name of its rule in it.
func runbookOf(r *diagnose.Rule, address string) (string, error) {
	return readURL(strings.NewReplacer("{code}", r.Code, "{name}", r.Name).Replace(address))
}

// readURL reads where a runbook is: an address, and nothing that a terminal would obey.
func readURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || text != diagnose.Plain(text) {
		return "", fmt.Errorf("%q is no address; write one like https://wiki.example.com/{code}", cmp.Or(diagnose.Plain(text), text))
	}
	return text, nil
}
