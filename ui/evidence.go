package ui

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// evidencePane shows what the selected row of the signal table rests on, and what to do.
type evidencePane struct {
	why    *whyPane
	cursor int // line
	top    int
	lines  []evidenceLine
}

func (p *evidencePane) place() place     { return inEvidence }
func (p *evidencePane) settle(*scene)    {}
func (p *evidencePane) click(row, _ int) { p.cursor = p.top + row }

func (p *evidencePane) move(to move, page int) { p.cursor = to.from(p.cursor, len(p.lines), page) }

// chosen is the selected line.
func (p *evidencePane) chosen() evidenceLine {
	if p.cursor < len(p.lines) {
		return p.lines[p.cursor]
	}
	return evidenceLine{}
}

func (p *evidencePane) draw(s *scene, focused bool, width, height int) []string {
	row := p.why.chosen()
	if row == nil {
		p.lines = nil
		return box([]string{s.rule(width, focus(focused), "evidence", "")}, height)
	}
	lines := s.evidence(row, width)
	p.cursor, p.lines = min(max(0, p.cursor), len(lines)-1), lines
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = s.pointer(width, focused, focused && i == p.cursor).raw(l.text).String()
	}
	var foot []string
	if focused && height > 2*mostExpression {
		foot = s.expression(p.chosen().signal, width)
	}
	room := max(0, height-1-len(foot))
	p.top = scrolled(p.top, p.cursor, p.cursor+1, len(lines), room)
	remark := ""
	if len(lines) > room && room > 0 {
		remark = fmt.Sprintf("lines %d–%d of %d", p.top+1, min(len(lines), p.top+room), len(lines))
	}
	title := "evidence: " + row.rule.Code + " " + row.rule.Title + " · " + s.report.Where(row.subject)
	return slices.Concat([]string{s.rule(width, focus(focused), title, remark)}, box(texts[p.top:], room), foot)
}

// mostExpression is how many lines an expression gets; what is longer can be copied.
const mostExpression = 3

// expression is the selected signal as PromQL, at the foot of the pane.
func (s *scene) expression(signal string, width int) []string {
	if signal == "" {
		return nil
	}
	var lines []string
	for i, text := range s.wrap(s.report.PromQL(signal), width-indent-paragraphWidth-1, mostExpression) {
		l := s.line(width).at(indent)
		if i == 0 {
			l.put(faint, "PromQL")
		}
		lines = append(lines, l.at(indent+paragraphWidth).put(faint, text).String())
	}
	return lines
}

// evidenceLine is a line of the evidence, with the signal that it tells, and the command that it names; "" where it has none.
type evidenceLine struct{ text, signal, command string }

// evidence lists the comparisons with what they looked at, then everything that the finding says.
func (s *scene) evidence(row *reason, width int) []evidenceLine {
	var lines []evidenceLine
	title := min(evidenceTitle(row), max(leastLabel, width-behindLabel))
	for _, c := range row.conditions {
		lines = append(lines, evidenceLine{text: s.comparison(&c, title, width), signal: c.Is.Signal})
	}
	if f := row.finding; f != nil {
		for _, e := range f.Evidence {
			if e.Plain {
				l := s.label(e.Fact.Signal, title, width).cell(s.measuredStyle(e.Fact), valueWidth+wantsWidth, e.Text())
				lines = append(lines, evidenceLine{text: l.put(faint, s.observations(e.Fact)).String(), signal: e.Is.Signal})
			}
		}
	}
	for _, p := range s.paragraphs(row) {
		for i, text := range s.wrap(p.text, width-1-indent-paragraphWidth, 4) {
			l := s.line(width - 1).at(indent - 1)
			if i == 0 {
				l.put(faint, p.label)
			}
			lines = append(lines, evidenceLine{l.at(indent+paragraphWidth-1).put(plain, text).String(), p.signal, p.command})
		}
	}
	return lines
}

// Widths of labels: what they have at least, and what stands behind them: value, comparison, observations.
const leastLabel, behindLabel = 18, 52

// Widths of the columns behind a label, the blank at their end included.
const valueWidth, wantsWidth, basisWidth = 15, 22, 14

// leastOrigin is the room below which the beginning of an origin says nothing.
const leastOrigin = 16

// evidenceTitle is the width of the longest title.
func evidenceTitle(row *reason) int {
	width := 0
	for _, c := range row.conditions {
		width = max(width, ansi.StringWidth(c.Fact.Signal.Title))
	}
	if row.finding != nil {
		for _, e := range row.finding.Evidence {
			width = max(width, ansi.StringWidth(e.Fact.Signal.Title))
		}
	}
	return width
}

// label begins a line of the evidence with what it tells, in fewer words where there is no room.
func (s *scene) label(signal *diagnose.Signal, title, width int) *line {
	text := signal.Title
	if ansi.StringWidth(s.text(text)) > title {
		text = s.shortTitle(signal.ID)
	}
	return s.line(width-1).at(indent-1).left(plain, title, text).at(indent + title + 1)
}

// comparison draws one condition: the value, what is wanted, whether it is so, from how many observations, where the threshold is from.
func (s *scene) comparison(c *diagnose.Evidence, title, width int) string {
	l := s.label(c.Fact.Signal, title, width).cell(s.measuredStyle(c.Fact), valueWidth, c.Reading())
	mark, st := s.holds(c)
	l.put(plain, s.fit(s.text("true if "+c.TrueIf(c.Is)), wantsWidth-2-ansi.StringWidth(mark))+" ").put(st, mark)
	l.at(indent + title + 1 + valueWidth + wantsWidth)
	if origin := l.width + basisWidth; width >= origin+leastOrigin {
		return l.cell(faint, basisWidth, s.observations(c.Fact)).put(faint, string(c.Origin)).String()
	}
	return l.put(faint, s.observations(c.Fact)).String()
}

// moot marks another way that need not be open; below the conditions it says so.
const moot = "(or)"

// holds is the mark of a condition: another way that need not be open, or whether it is so.
func (s *scene) holds(c *diagnose.Evidence) (string, style) {
	switch {
	case c.Moot:
		return moot, faint
	case c.Outcome == diagnose.True:
		return s.sign.yes, healthy
	case c.Outcome == diagnose.False:
		return s.sign.no, strong
	}
	return s.sign.unknown, strong
}

// observations says what a value rests on: the span it is taken over, and the observations where they are counted; or why there is
// no value.
func (s *scene) observations(f diagnose.Fact) string {
	if !f.Known() {
		return f.Absence.String()
	}
	return s.report.Basis(f)
}

// paragraph is a labelled text.
type paragraph struct{ label, text, signal, command string }

const paragraphWidth = 11 // of the labels

// paragraphs are what a rule or its finding says in words.
func (s *scene) paragraphs(row *reason) []paragraph {
	var all []paragraph
	if f := row.finding; f != nil {
		all = append(all, paragraph{label: "finding", text: f.Sentence})
		if f.Silenced != nil {
			all = append(all, paragraph{label: "silenced", text: f.Silenced.String()})
		}
		for _, a := range f.Actions {
			text := a.Text
			if a.Watch != "" {
				watch := s.report.Fact(a.Watch, row.subject)
				text += " · watch " + watch.Signal.Title + ": " + watch.Text()
			}
			all = append(all, paragraph{a.When.String(), text, a.Watch, a.Command})
		}
		all = append(all, s.relations(f)...)
	}
	for _, way := range s.report.Enable(row.key()) {
		all = append(all, paragraph{label: "to judge", text: way})
	}
	if gpu := s.report.GPULine(row.subject); gpu != "" {
		all = append(all, paragraph{label: "GPU", text: gpu})
	}
	if row.rule.Settle != "" {
		text, command := s.report.Settle(row.rule, row.subject)
		all = append(all, paragraph{label: "settle", text: text, command: command})
	}
	if slices.ContainsFunc(row.conditions, func(c diagnose.Evidence) bool { return c.Moot }) {
		all = append(all, paragraph{label: moot, text: "need not be true: one of several ways is enough, and another is true"})
	}
	all = append(all, paragraph{label: "source", text: row.rule.Source})
	runbook := row.rule.Runbook
	if row.finding != nil {
		runbook = row.finding.Runbook
	}
	if runbook != "" {
		all = append(all, paragraph{label: "runbook", text: runbook})
	}
	return all
}

// relations are how a finding stands to others: its cause, its consequences, what it mutes, what it is not.
func (s *scene) relations(f *diagnose.Finding) []paragraph {
	var all []paragraph
	if f.ExplainedBy != nil {
		all = append(all, paragraph{label: "explained", text: "by " + s.titles([]diagnose.Ref{*f.ExplainedBy}, "") + " · " + s.report.Where(f.ExplainedBy.Subject)})
	}
	if len(f.Explains) > 0 {
		all = append(all, paragraph{label: "hides", text: s.titles(f.Explains, f.Rule.Code)})
	}
	if muted := f.Muted(); muted != "" {
		all = append(all, paragraph{label: "mutes", text: muted})
	}
	for _, n := range f.RuledOut {
		all = append(all, paragraph{label: "ruled out", text: n.Code + ": " + n.Because})
	}
	return all
}
