package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
)

// said is what the configuration says of flags, servers and rules, with the lines where it does.
type said struct {
	Servers  yaml.Node             `yaml:"servers"`
	Models   yaml.Node             `yaml:"models"`
	Flags    yaml.Node             `yaml:"flags"`
	Runbook  yaml.Node             `yaml:"runbook"`
	Rules    map[string]saidOfRule `yaml:"rules"`
	Silences []saidSilence         `yaml:"silences"`
	Others   map[string]any        `yaml:",inline"`
}

// saidOfRule is a changed rule. What rules compare is known only with the book, so it is checked there.
type saidOfRule struct {
	line int
	node yaml.Node
}

// UnmarshalYAML keeps the line.
func (s *saidOfRule) UnmarshalYAML(node *yaml.Node) error {
	s.line, s.node = node.Line, *node
	if node.Kind != yaml.MappingNode {
		return wrongLine(node.Line, "write what is to change of the rule: {severity: critical, hold: 2m, thresholds: {signal: 1}}")
	}
	return nil
}

// saidSilence is a silence, with its line.
type saidSilence struct {
	diagnose.Silence
	line int
}

// UnmarshalYAML reads one; a silence must have an end.
func (s *saidSilence) UnmarshalYAML(node *yaml.Node) error {
	s.line = node.Line
	if err := s.settings().read(node, "a silence has no"); err != nil {
		return err
	}
	switch {
	case s.Code == "":
		return wrongLine(node.Line, "a silence lacks the code of its rule")
	case s.Until.IsZero():
		return wrongLine(node.Line, "the silence of %s has no end; write until: %s", s.Code, tomorrow(time.Now()))
	}
	return nil
}

func (s *saidSilence) settings() settings {
	return settings{
		{"code", textInto(&s.Code)},
		{"instance", textInto(&s.Instance)},
		{"model", textInto(&s.Model)},
		{"until", func(value *yaml.Node) (err error) {
			if s.Until, err = time.Parse(time.RFC3339, value.Value); err != nil {
				return fmt.Errorf("write a time like %s", tomorrow(time.Now()))
			}
			return nil
		}},
		{"reason", func(value *yaml.Node) error {
			s.Reason = diagnose.Plain(value.Value)
			return nil
		}},
	}
}

// tomorrow is a whole hour of the next day as a silence takes it, so that what is proposed has not passed.
func tomorrow(now time.Time) string {
	return now.UTC().Truncate(time.Hour).AddDate(0, 0, 1).Format(time.RFC3339)
}

func (s *said) silences() []diagnose.Silence {
	var all []diagnose.Silence
	for _, one := range s.Silences {
		all = append(all, one.Silence)
	}
	return all
}

// overrides turns what is said into changes of the book, save what is wrong.
func (s *said) overrides(b *diagnose.Book) (map[string]diagnose.Override, error) {
	all := map[string]diagnose.Override{}
	wrong := []error{s.runbooks(b, all)}
	for _, code := range slices.Sorted(maps.Keys(s.Rules)) {
		one := s.Rules[code]
		rule, err := knownRule(b, code)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", one.line, err))
			continue
		}
		changed := all[rule.Code]
		err = one.read(b, rule, &changed)
		if err == nil {
			err = one.fits(b, rule.Code, changed)
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		all[rule.Code] = changed
	}
	return all, errors.Join(wrong...)
}

// read reads the changes of one rule.
func (s *saidOfRule) read(b *diagnose.Book, rule *diagnose.Rule, o *diagnose.Override) error {
	all := settingsOfRule(b, rule, o)
	var wrong []error
	for key, value := range pairs(&s.node) {
		one, ok := all.of(key.Value)
		if !ok {
			wrong = append(wrong, fmt.Errorf("line %d: of a rule nothing is called %q%s", key.Line, key.Value, didYouMean(key.Value, all.keys())))
		} else if err := one.read(value); err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %s: %w", value.Line, key.Value, err))
		}
	}
	return errors.Join(wrong...)
}

func settingsOfRule(b *diagnose.Book, rule *diagnose.Rule, o *diagnose.Override) settings {
	thresholds := func(into *map[string]float64) func(*yaml.Node) error {
		return func(value *yaml.Node) (err error) {
			*into, err = readThresholds(b, value)
			return err
		}
	}
	return settings{
		{"severity", func(value *yaml.Node) (err error) {
			o.Severity, err = readSeverity(value.Value)
			return err
		}},
		{"hold", func(value *yaml.Node) error { return (*duration)(&o.Hold).Set(value.Value) }},
		{"thresholds", thresholds(&o.Thresholds)},
		{"critical", thresholds(&o.Critical)},
		{"runbook", func(value *yaml.Node) (err error) {
			o.Runbook, err = runbookOf(rule, value.Value)
			return err
		}},
	}
}

// fits tries the changes, so that what does not fit is told with the line where it stands.
func (s *saidOfRule) fits(b *diagnose.Book, code string, o diagnose.Override) error {
	_, err := b.With(map[string]diagnose.Override{code: o})
	unknown, ok := asUnknownSignal(err)
	if !ok {
		if err != nil {
			return fmt.Errorf("line %d: %w", s.line, err)
		}
		return nil
	}
	line := s.line
	for _, part := range pairs(&s.node) {
		for key := range pairs(part) {
			if key.Value == unknown.Signal {
				line = key.Line
			}
		}
	}
	if near := nearest(unknown.Signal, unknown.Known); near != "" {
		return fmt.Errorf("line %d: %w; did you mean %q?", line, err, near)
	}
	return fmt.Errorf("line %d: %w", line, err)
}

func readSeverity(text string) (*diagnose.Severity, error) {
	var words []string
	for _, s := range []diagnose.Severity{diagnose.Information, diagnose.Warning, diagnose.Critical} {
		if s.String() == text {
			return &s, nil
		}
		words = append(words, s.String())
	}
	return nil, fmt.Errorf("%q is none%s", text, didYouMean(text, words))
}

func readThresholds(b *diagnose.Book, node *yaml.Node) (map[string]float64, error) {
	if node.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("write signals and numbers: {kv_median: 0.95}")
	}
	found := map[string]float64{}
	for key, value := range pairs(node) {
		id, _, _ := strings.Cut(key.Value, " ")
		v, err := readThreshold(b.Signal(id), value.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key.Value, err)
		}
		found[key.Value] = v
	}
	return found, nil
}

// readThreshold reads a number in the unit of its signal, 0.95 or 95% of a share, 2 or 2s of a time, which it can come to.
func readThreshold(s *diagnose.Signal, text string) (float64, error) {
	v, err := readNumber(s, text)
	if err != nil {
		return 0, err
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number", text)
	}
	if s != nil {
		if why := impossible(s.Unit, v); why != "" {
			return 0, fmt.Errorf("%q is %s", text, why)
		}
	}
	return v, nil
}

// impossible says why a value cannot be one of a unit, and what can; empty where it can.
func impossible(u diagnose.Unit, v float64) string {
	switch {
	case u == diagnose.Share && v > 1:
		return "more than all, which is 100%: write a share like 0.95 or 95%"
	case u == diagnose.Share && v < 0:
		return "less than none, which is 0%: write a share like 0.95 or 95%"
	case u == diagnose.Count && v < 0:
		return "less than none: write 0 or more"
	case u == diagnose.Seconds && v < 0:
		return "less than no time"
	case u == diagnose.YesNo && v != 0 && v != 1:
		return "neither yes (1) nor no (0)"
	}
	return ""
}

// readNumber reads a number with or without the sign of its unit.
func readNumber(s *diagnose.Signal, text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil {
		return v, nil
	}
	number, percent := strings.CutSuffix(text, "%")
	if v, err = strconv.ParseFloat(strings.TrimSpace(number), 64); percent && err == nil {
		return v / 100, nil
	}
	var d duration
	if s != nil && s.Unit == diagnose.Seconds && d.Set(text) == nil {
		return time.Duration(d).Seconds(), nil
	}
	return 0, fmt.Errorf("%q is no number", text)
}
