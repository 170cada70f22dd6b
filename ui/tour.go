package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Caption is what stands below the page about what is shown: where it comes from, what happened there and where to look.
type Caption struct {
	Title, Text string
	Remark      string // at the right of the title
}

// Stop is a place of a tour.
type Stop struct {
	Caption
	// Reports are those of the stop's own fleet; nil lets those go on that are shown. The ones before are left for good.
	Reports <-chan *diagnose.Report
}

// The caption's lines: its title in a rule, and its text. A low screen has room for one line of both.
const (
	captionHeight = 3
	captionFrom   = 20 // lines of the screen
)

// below is how many lines the caption has on a screen: none where there is no caption, and none while the help needs them.
func (m *Model) below() int {
	_, height := m.size()
	switch {
	case m.options.Caption == Caption{} || m.help.open:
		return 0
	case height < captionFrom:
		return 1
	}
	return captionHeight
}

// captionLines draws the caption.
func (m *Model) captionLines(width int) []string {
	c, s := m.options.Caption, &m.scene
	switch m.below() {
	case 0:
		return nil
	case 1:
		return []string{s.line(width).at(1).put(strong, c.Title).put(plain, "  "+c.Text).String()}
	}
	lines := []string{s.rule(width, strong, c.Title, c.Remark)}
	for _, text := range s.wrap(c.Text, width-2, captionHeight-1) {
		lines = append(lines, s.line(width).at(1).put(plain, text).String())
	}
	return box(lines, captionHeight)
}

// tours goes to another stop of the tour. Another fleet begins anew: of the one before nothing stays but how people like to look.
func tours(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		stop, err := m.options.Deeds.Turn(by)
		if err != nil {
			m.status = err.Error()
			return nil
		}
		m.options.Caption = stop.Caption
		if stop.Reports == nil {
			return nil
		}
		m.options.Reports, m.newest = stop.Reports, nil
		m.header = headerState{interval: m.header.interval}
		m.scene.report, m.scene.late, m.scene.filter, m.scene.subject = nil, 0, filter{}, diagnose.Subject{}
		m.begin()
		return waitFor(stop.Reports)
	}
}
