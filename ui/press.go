package ui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// press does what a key does: text while a filter is typed, otherwise the command that counts where the focus is.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.status, m.stale = "", true
	if m.scene.filter.editing {
		return m.typing(msg)
	}
	here := m.focused().place()
	i := slices.IndexFunc(m.commands, func(c command) bool { return c.where&here != 0 && key.Matches(msg, c.Binding) })
	if i < 0 {
		return nil
	}
	cmd := m.commands[i].do(m)
	m.settle()
	return cmd
}

// typing takes a key while a filter is typed.
func (m *Model) typing(msg tea.KeyPressMsg) tea.Cmd {
	f := &m.scene.filter
	switch {
	case key.Matches(msg, typingKeys.leave):
		return leave(m)
	case key.Matches(msg, typingKeys.keep):
		f.editing = false
	case key.Matches(msg, typingKeys.clear):
		*f = filter{}
	case key.Matches(msg, typingKeys.erase):
		f.erase()
	default:
		f.typed(msg.Text)
	}
	m.settle()
	return nil
}

func moves(to move) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.focused().move(to, m.pageHeight())
		return nil
	}
}

func turns(by int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.current().next(m.room(), by)
		return nil
	}
}

func opens(id pageID) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.page = id
		m.current().focus = 0
		return nil
	}
}

// follow makes charts and the Why page be about what is selected on the overview, and the table select what a finding is about. What is
// said of all targets is about none of them, whichever finding stands first.
func (m *Model) follow() {
	if m.page != overviewPage {
		return
	}
	m.scene.subject = diagnose.Subject{}
	switch one := m.findings.chosen(); {
	case m.focused().place() == inTable && m.table.cursor.set:
		m.scene.subject = m.table.cursor.key.subject
	case one != nil:
		if ref, _ := one.about(); one.key.what != silent {
			m.scene.subject = ref.Subject
		}
		m.table.point(&m.scene)
	}
}

// enter goes from a finding or a row to its signal table. What is about all, as that nothing was found, has none: there the first rule
// of the first replica would look like the answer. What cannot be judged is not near, and stands among all rules only.
func (m *Model) enter() tea.Cmd {
	m.why.cursor = cursor[diagnose.Ref]{}
	if one := m.findings.chosen(); one != nil && m.focused().place() == inFindings {
		ref, ok := one.about()
		if !ok {
			m.status = "no details of this line: select a finding, or a replica in the table below (tab)"
			return nil
		}
		m.why.cursor.choose(ref)
		m.why.all = m.why.all || one.lack != nil
	}
	m.why.left, m.evidence.cursor = 0, 0
	return opens(whyPage)(m)
}

// back closes what was opened last: help, page, filter; at last the selections go back to the top.
func (m *Model) back() tea.Cmd {
	switch {
	case m.help.open:
		m.help.open = false
	case m.page != overviewPage:
		m.page = overviewPage
	default:
		m.scene.filter = filter{}
		m.findings.cursor.release()
		m.table.cursor.release()
	}
	return nil
}

func (m *Model) filter() tea.Cmd {
	m.scene.filter.editing = true
	return nil
}

func sorts(next bool) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.table.sort(next)
		return nil
	}
}

func (m *Model) fold() tea.Cmd {
	m.table.fold()
	return nil
}

func (m *Model) allRules() tea.Cmd {
	m.why.all = !m.why.all
	return nil
}

func stretches(longer bool) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		m.scene.span = neighbour(spans[:], m.scene.span, longer)
		return nil
	}
}

// pause freezes what is shown; reports go on coming in.
func (m *Model) pause() tea.Cmd {
	if m.newest == nil {
		return nil
	}
	m.header.paused = !m.header.paused
	if !m.header.paused {
		m.show(m.newest)
	}
	return nil
}

func (m *Model) nextTheme() tea.Cmd {
	t := m.scene.theme
	if t == Auto {
		t = Dark
	}
	m.paint(t.next())
	m.status = "theme: " + m.scene.theme.String()
	return nil
}

func (m *Model) switchMouse() tea.Cmd {
	m.mouse = !m.mouse
	m.status = map[bool]string{true: "mouse on: click and wheel; text cannot be selected", false: "mouse off: text can be selected"}[m.mouse]
	return nil
}

func (m *Model) scrapeNow() tea.Cmd {
	m.status = "scraping now"
	return do(m.options.Deeds.ScrapeNow, "scraped", nil)
}

// paces makes the interval the next longer or shorter one.
func paces(longer bool) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		before := m.header.interval
		interval := neighbour(intervals[:], before, longer)
		m.pace(interval)
		m.status = "interval " + diagnose.Duration(interval)
		return do(m.options.Deeds.setInterval(interval), m.status, func(m *Model) { m.pace(before) })
	}
}

// pace takes an interval over for what the screen says of it.
func (m *Model) pace(interval time.Duration) {
	m.header.interval = interval
	if advise := m.options.Advice; advise != nil && interval > 0 {
		m.scene.advice = advise(interval)
	}
}

func (m *Model) openHelp() tea.Cmd {
	m.help = helpPane{open: !m.help.open, commands: m.commands}
	return nil
}

// quit leaves the help, or the program.
func (m *Model) quit() tea.Cmd {
	if m.help.open {
		m.help.open = false
		return nil
	}
	return leave(m)
}

// leave ends the program.
func leave(m *Model) tea.Cmd {
	m.left, m.stale = true, true
	return tea.Quit
}

func suspend(*Model) tea.Cmd { return tea.Suspend }
