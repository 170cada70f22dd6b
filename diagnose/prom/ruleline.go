package prom

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
)

// parseRules reads one rule file, and says all that is wrong with it, a sentence each, with the line, the group and the rule as far as they
// are known. Prometheus tells of words that it does not know, or else of the rest; where the file is no YAML, twice.
func parseRules(file string) (*rulefmt.RuleGroups, []string) {
	parse := func(lax bool) (*rulefmt.RuleGroups, []error) {
		return rulefmt.ParseFile(file, lax, model.UTF8Validation, newParser(), slog.New(slog.DiscardHandler))
	}
	groups, wrong := parse(false)
	if len(wrong) == 0 {
		return groups, nil
	}
	_, rest := parse(true)
	root := document(file)
	var told []string
	for _, err := range append(wrong, rest...) {
		for _, text := range located(file, root, err) {
			if text = diagnose.Plain(strings.Join(strings.Fields(text), " ")); !slices.Contains(told, text) {
				told = append(told, text)
			}
		}
	}
	return nil, told
}

// document is what stands in a file, an empty node where that is no YAML.
func document(file string) *yaml.Node {
	var document yaml.Node
	text, err := os.ReadFile(file) //nolint:gosec // the file that the user named
	if err != nil || yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 {
		return &yaml.Node{}
	}
	return document.Content[0]
}

// located is what is wrong with a rule file, with the place: Prometheus tells none of templates, of names that are no names, and of times.
func located(file string, root *yaml.Node, wrong error) []string {
	if types, ok := errors.AsType[*yaml.TypeError](wrong); ok {
		var texts []string
		for _, text := range types.Errors {
			var line int
			_, reason, _ := strings.Cut(text, ": ")
			if _, err := fmt.Sscanf(text, "line %d:", &line); err != nil {
				line, reason = 0, text
			}
			reason, _, _ = strings.Cut(reason, " in type rulefmt.")
			texts = append(texts, fmt.Sprintf("%s: %d: %s%s", file, line, around(root, line), reason))
		}
		return texts
	}
	if of, ok := errors.AsType[*rulefmt.Error](wrong); ok && strings.HasPrefix(of.Error(), "group ") {
		for _, group := range sequence(root, "groups") {
			if name := field(group, "name"); name == nil || name.Value != of.Group {
				continue
			}
			if rules := sequence(group, "rules"); of.Rule >= 1 && of.Rule <= len(rules) {
				at := place(rules[of.Rule-1], of.Err.Error())
				return []string{fmt.Sprintf("%s: %d:%d: %v", file, at.Line, at.Column, of)}
			}
		}
	}
	if at := mentioned(root, wrong.Error()); at != nil {
		return []string{fmt.Sprintf("%s: %d:%d: %s%s", file, at.Line, at.Column, around(root, at.Line), strings.TrimPrefix(wrong.Error(), file+": "))}
	}
	return []string{wrong.Error()}
}

// around names the group and the rule in which a line is.
func around(root *yaml.Node, line int) string {
	before := func(nodes []*yaml.Node) int {
		last := -1
		for i, n := range nodes {
			if n.Line <= line {
				last = i
			}
		}
		return last
	}
	groups := sequence(root, "groups")
	g := before(groups)
	if g < 0 {
		return ""
	}
	text := fmt.Sprintf("group %d", g+1)
	if name := field(groups[g], "name"); name != nil {
		text = fmt.Sprintf("group %q", name.Value)
	}
	rules := sequence(groups[g], "rules")
	r := before(rules)
	if r < 0 {
		return text + ": "
	}
	text += fmt.Sprintf(", rule %d", r+1)
	for _, kind := range []string{"alert", "record"} {
		if name := field(rules[r], kind); name != nil {
			text += fmt.Sprintf(", %q", name.Value)
		}
	}
	return text + ": "
}

// mentioned is the time in a rule file that a mistake quotes, nil where it quotes none.
func mentioned(node *yaml.Node, mistake string) *yaml.Node {
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 1 && slices.Contains([]string{"for", "keep_firing_for", "interval", "query_offset"}, node.Content[i-1].Value) &&
			strings.Contains(mistake, strconv.Quote(child.Value)) {
			return child
		}
		if at := mentioned(child, mistake); at != nil {
			return at
		}
	}
	return nil
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
