package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// yank copies the command of what is selected, or the figure as PromQL, and says what it copied.
func (m *Model) yank() tea.Cmd {
	r := m.scene.report
	if r == nil {
		return nil
	}
	if command := m.command(r); command != "" {
		m.status = "copied the command: " + command
		return tea.SetClipboard(command)
	}
	signal := m.selected()
	if signal == "" {
		m.status = "nothing to copy: sort by a column, select evidence or a finding with a command"
		return nil
	}
	title := r.Fact(signal, diagnose.Subject{}).Signal.Title
	text, partly := r.PromQL(signal), r.Partly(signal, m.why.subject) // of a rule of the user's it is the rule's expression
	if m.focused().place() == inTable {
		text, partly = r.FigurePromQL(signal), r.FigurePartly(signal, m.table.cursor.key.subject)
	}
	if text == "" {
		m.status = "no PromQL for " + title
		return nil
	}
	m.status = "copied the PromQL of " + title
	if partly > 0 {
		m.status += ": it divides by the whole window, the figure here by the " + diagnose.Duration(partly) + " that were watched"
	}
	return tea.SetClipboard(text)
}

// selected is the signal of the figure that keys are about, "" when there is none.
func (m *Model) selected() string {
	switch m.focused().place() {
	case inTable:
		return m.scene.columns()[m.table.order.column].signal
	case inEvidence:
		return m.evidence.chosen().signal
	}
	return ""
}

// command is that of the selected line of the evidence, or where it tells no figure, of the selected finding; "" when there is none.
func (m *Model) command(r *diagnose.Report) string {
	switch m.focused().place() {
	case inFindings:
		if one := m.findings.chosen(); one != nil && one.finding != nil {
			return commandOf(r, one.finding.Rule, one.finding.Subject, one.finding)
		}
	case inWhy, inEvidence:
		line := evidenceLine{}
		if m.focused().place() == inEvidence {
			line = m.evidence.chosen()
		}
		if row := m.why.chosen(); row != nil && line.command == "" && line.signal == "" {
			return commandOf(r, row.rule, row.subject, row.finding)
		}
		return line.command
	}
	return ""
}

// commandOf is the first command among the actions of a finding, else the one that would settle it.
func commandOf(r *diagnose.Report, rule *diagnose.Rule, subject diagnose.Subject, f *diagnose.Finding) string {
	_, command := r.Settle(rule, subject)
	if f == nil {
		return command
	}
	return cmp.Or(f.Command(), command)
}
