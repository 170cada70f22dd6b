package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Update routes a message to whom it concerns.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case fromMsg:
		return m, m.hear(msg)
	case reportMsg:
		return m, m.take(msg)
	case lateMsg:
		return m, m.lookAgain(time.Time(msg))
	case endedMsg:
		m.header.ended, m.stale = true, true
	case deedMsg:
		m.done(msg)
	case tea.WindowSizeMsg:
		m.width, m.height, m.stale = msg.Width, msg.Height, true
	case tea.BackgroundColorMsg:
		m.adapt(msg)
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.MouseMsg:
		m.point(msg)
	}
	return m, nil
}

// hear takes what a channel of reports brought, unless that was left for another.
func (m *Model) hear(msg fromMsg) tea.Cmd {
	if msg.reports != m.options.Reports {
		return nil
	}
	_, cmd := m.Update(msg.msg)
	return cmd
}

// take shows a report, or keeps it while the screen is paused, and waits for the next.
func (m *Model) take(msg reportMsg) tea.Cmd {
	m.newest, m.arrived = msg.report, msg.at
	m.header.newest, m.scene.late = msg.report.Time, 0
	if m.header.paused {
		m.stale = true
	} else {
		m.show(msg.report)
	}
	commands := []tea.Cmd{waitFor(m.options.Reports)}
	if !m.looking && m.header.interval > 0 {
		m.looking = true
		commands = append(commands, lookAt(2*m.header.interval))
	}
	return tea.Batch(commands...)
}

// show makes a report the one that is drawn.
func (m *Model) show(r *diagnose.Report) {
	m.scene.report, m.scene.now = r, r.Time
	m.settle()
}

// lookAgain lets ages grow when no report has come for two intervals. One such look is under way at any time: after a report that
// came in time the next is when that one would be late.
func (m *Model) lookAgain(now time.Time) tea.Cmd {
	if m.header.ended || m.newest == nil {
		m.looking = false
		return nil
	}
	silent := now.Sub(m.arrived)
	if left := 2*m.header.interval - silent; left > 0 {
		return lookAt(left)
	}
	m.scene.late = silent
	if !m.header.paused {
		m.scene.now = m.scene.report.Time.Add(silent)
		m.settle()
	}
	m.stale = true
	return lookAt(m.header.interval)
}

// done says how a deed ended.
func (m *Model) done(msg deedMsg) {
	m.status, m.stale = msg.status, true
	if msg.err != nil {
		m.status = msg.err.Error()
		if msg.undo != nil {
			msg.undo(m)
		}
	}
}

// adapt takes the light colours on a light background, where nobody chose any.
func (m *Model) adapt(background tea.BackgroundColorMsg) {
	if m.scene.theme == Auto && !background.IsDark() {
		m.paint(Light)
	}
}

// paint changes the colours.
func (m *Model) paint(t Theme) {
	m.scene.look, m.stale = newLook(t, m.options.ASCII), true
}

// paste adds pasted text to the filter while that is typed.
func (m *Model) paste(text string) {
	if m.scene.filter.editing {
		m.scene.filter.typed(text)
		m.settle()
	}
}

// paneAt is the pane in a line of the screen, and the line below its rule.
func (m *Model) paneAt(y int) (index, line, height int, ok bool) {
	for i, r := range m.layout() {
		if r.contains(y) && !m.help.open {
			return i, y - r.top - 1, r.height - 1, true
		}
	}
	return 0, 0, 0, false
}

// point selects what was clicked, or moves the selection of the pane under the wheel.
func (m *Model) point(msg tea.MouseMsg) {
	mouse := msg.Mouse()
	i, line, height, ok := m.paneAt(mouse.Y)
	if !ok || m.current().panes[i].place() == inCharts {
		return
	}
	p := m.current().panes[i]
	switch msg.(type) {
	case tea.MouseClickMsg:
		m.current().focus = i
		p.click(line, height)
	case tea.MouseWheelMsg:
		to := moveDown
		if mouse.Button == tea.MouseWheelUp {
			to = moveUp
		}
		p.move(to, height)
	default:
		return
	}
	m.settle()
}
