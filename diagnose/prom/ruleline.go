package prom

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/prometheus/prometheus/model/rulefmt"
	"go.yaml.in/yaml/v3"
)

// located is what is wrong with a rule file, with the line: Prometheus tells none of templates and of names that are no names.
func located(file string, wrong error) error {
	of, ok := errors.AsType[*rulefmt.Error](wrong)
	if !ok || !strings.HasPrefix(of.Error(), "group ") {
		return wrong
	}
	text, err := os.ReadFile(file) //nolint:gosec // the file that the user named
	if err != nil {
		return wrong
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || len(document.Content) == 0 {
		return wrong
	}
	for _, group := range sequence(document.Content[0], "groups") {
		if name := field(group, "name"); name == nil || name.Value != of.Group {
			continue
		}
		if rules := sequence(group, "rules"); of.Rule >= 1 && of.Rule <= len(rules) {
			at := place(rules[of.Rule-1], of.Err.Error())
			return fmt.Errorf("%s: %d:%d: %w", file, at.Line, at.Column, of)
		}
	}
	return wrong
}

// place is where a rule has the label or the annotation that a mistake names, or its beginning.
func place(rule *yaml.Node, mistake string) *yaml.Node {
	for kind, fields := range map[string]string{"label": "labels", "annotation": "annotations"} {
		var name string
		if _, err := fmt.Sscanf(mistake, kind+" %q:", &name); err != nil {
			continue
		}
		if at := field(field(rule, fields), name); at != nil {
			return at
		}
	}
	return rule
}

// field is a value of a mapping, nil where there is none.
func field(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; mapping != nil && mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// sequence are the items of a list in a mapping.
func sequence(mapping *yaml.Node, name string) []*yaml.Node {
	if list := field(mapping, name); list != nil && list.Kind == yaml.SequenceNode {
		return list.Content
	}
	return nil
}
