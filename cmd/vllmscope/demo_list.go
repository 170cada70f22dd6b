package main

import (
	"fmt"
	"strings"

	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// listWidth is that of a terminal which nobody has made wider.
const listWidth = 80

// listScenarios prints a name and a description a line. On a terminal the groups have headings, and long lines go on below.
func (d *demoOptions) listScenarios() error {
	wide := 0
	for _, s := range simulate.Scenarios() {
		wide = max(wide, len(s.Name))
	}
	var b strings.Builder
	group := ""
	for _, s := range simulate.Scenarios() {
		text := s.Description
		if d.streams.terminal {
			if s.Group != group {
				fmt.Fprintf(&b, "%s%s\n", map[bool]string{false: "\n"}[group == ""], s.Group)
				group = s.Group
			}
			b.WriteString("  ")
			text = strings.Join(filled(text, listWidth-wide-4), "\n"+strings.Repeat(" ", wide+4))
		}
		fmt.Fprintf(&b, "%-*s  %s\n", wide, s.Name, text)
	}
	_, err := d.streams.out.Write([]byte(b.String()))
	return err
}

// find is the scenario of that name. The error names those that are near, and all.
func find(name string) (simulate.Scenario, error) {
	s, err := simulate.Find(name)
	if err == nil {
		return s, nil
	}
	names := []string{tourName}
	for _, s := range simulate.Scenarios() {
		names = append(names, s.Name)
	}
	meant := ""
	near := causedBy(name)
	if len(near) == 0 {
		near = nearestOf(strings.ToLower(name), names, 3)
	}
	if len(near) > 0 {
		meant = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	all := filled("choose one of "+strings.Join(names, ", "), listWidth)
	return simulate.Scenario{}, usage("no scenario %q%s\n%s", name, meant, strings.Join(all, "\n"))
}

// causedBy are the scenarios whose cause is the rule of that code.
func causedBy(code string) []string {
	var names []string
	for _, s := range simulate.Scenarios() {
		if s.Cause != "" && strings.EqualFold(s.Cause, code) {
			names = append(names, s.Name)
		}
	}
	return names
}

// filled breaks a text between words into lines of a width.
func filled(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
