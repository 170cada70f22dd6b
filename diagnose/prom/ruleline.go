package prom

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/internal/yamlwords"
)

// parseRules reads one rule file, and says that none of it runs and all that is wrong with it, a sentence each, with the line, the group and
// the rule as far as they are known. Prometheus tells of words that it does not know, or else of the rest, and of the first wrong time alone.
func parseRules(file string) ([]alert, []string) {
	text, err := os.ReadFile(file) //nolint:gosec // the file that the user named
	if err != nil {
		return nil, []string{diagnose.Plain(err.Error())}
	}
	groups, wrong := parse(text, false)
	if len(wrong) == 0 {
		return alertsOf(file, groups, document(text)), nil
	}
	told := []string{diagnose.Plain(fmt.Sprintf("%s: none of %s until it is mended", file, itsRules(document(text))))}
	for _, lax := range []bool{false, true} {
		for more := text; more != nil; {
			_, wrong := parse(more, lax)
			root := document(more)
			for _, err := range wrong {
				if root.Kind == 0 {
					err = yamlwords.WithoutTabs(err, text)
				}
				for _, text := range located(file, root, err) {
					if text = diagnose.Plain(strings.Join(strings.Fields(text), " ")); !slices.Contains(told, text) {
						told = append(told, text)
					}
				}
			}
			more = withoutWrongTime(more, root, wrong)
		}
	}
	return nil, told
}

func parse(text []byte, lax bool) (*rulefmt.RuleGroups, []error) {
	return rulefmt.Parse(text, lax, model.UTF8Validation, newParser(), slog.New(slog.DiscardHandler))
}

// itsRules says what of a file does not run: "its 6 rules run".
func itsRules(root *yaml.Node) string {
	n := 0
	for _, group := range sequence(root, "groups") {
		n += len(sequence(group, "rules"))
	}
	if n < 2 {
		return "its rules run"
	}
	return fmt.Sprintf("its %d rules run", n)
}

// withoutWrongTime is a rule file with no time in the place of a wrong one, nil where none is wrong: reading stops at the first, and what
// stands behind it is to be told too. All else keeps its line and its column.
func withoutWrongTime(text []byte, root *yaml.Node, wrong []error) []byte {
	for _, err := range wrong {
		at := mentioned(root, err.Error())
		if at == nil {
			continue
		}
		lines := strings.Split(string(text), "\n")
		line := []rune(lines[at.Line-1])
		before, rest := string(line[:at.Column-1]), string(line[at.Column-1:])
		value := at.Value
		for _, quote := range []string{`"`, "'"} {
			if strings.HasPrefix(rest, quote) {
				value = quote + value + quote
			}
		}
		if rest, ok := strings.CutPrefix(rest, value); ok {
			lines[at.Line-1] = before + "0" + strings.Repeat(" ", utf8.RuneCountInString(value)-1) + rest
			return []byte(strings.Join(lines, "\n"))
		}
	}
	return nil
}

// document is what stands in a file, an empty node where that is no YAML.
func document(text []byte) *yaml.Node {
	var document yaml.Node
	if yaml.Unmarshal(text, &document) != nil || len(document.Content) == 0 {
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
			texts = append(texts, fmt.Sprintf("%s: %d: %s%s", file, line, around(root, line), yamlwords.Plain(reason)))
		}
		return texts
	}
	if of, ok := errors.AsType[*rulefmt.Error](wrong); ok {
		if rule := ruleOf(root, of); rule != nil {
			return placed(file, rule, of)
		}
	}
	if at := mentioned(root, wrong.Error()); at != nil {
		return []string{fmt.Sprintf("%s: %d:%d: %s%s", file, at.Line, at.Column, around(root, at.Line), wrong)}
	}
	return []string{file + ": " + wrong.Error()}
}

// nowhere is where Prometheus sees what a rule lacks.
const nowhere = "0:0: "

// ruleOf is the rule that has a mistake of which Prometheus does not say where it is, nil where it says it.
func ruleOf(root *yaml.Node, of *rulefmt.Error) *yaml.Node {
	if text := of.Error(); !strings.HasPrefix(text, "group ") && !strings.HasPrefix(text, nowhere) {
		return nil
	}
	for _, group := range sequence(root, "groups") {
		rules := sequence(group, "rules")
		if name := field(group, "name"); name != nil && name.Value == of.Group && of.Rule >= 1 && of.Rule <= len(rules) {
			return rules[of.Rule-1]
		}
	}
	return nil
}

// placed is a mistake of a rule with its place. What the rule lacks is not told where an unknown word may stand for it, which is told.
func placed(file string, rule *yaml.Node, of *rulefmt.Error) []string {
	text := strings.ReplaceAll(of.Error(), nowhere, "")
	for i := 0; text != of.Error() && i+1 < len(rule.Content); i += 2 {
		if !slices.Contains([]string{"alert", "record", "expr", "for", "keep_firing_for", "labels", "annotations"}, rule.Content[i].Value) {
			return nil
		}
	}
	at := place(rule, of.Err.Error())
	return []string{fmt.Sprintf("%s: %d:%d: %s", file, at.Line, at.Column, text)}
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
