package ui

import (
	"cmp"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Model is the dashboard. It is the only tea.Model here; panes are parts of it.
type Model struct {
	options  Options
	commands []command
	scene    scene
	header   headerState
	newest   *diagnose.Report // the scene's is older while paused
	arrived  time.Time        // when the newest came, on the clock of messages
	looking  bool             // a look at the clock is under way

	width, height int
	pages         []page
	page          pageID
	findings      findingsPane
	table         tablePane
	charts        chartsPane
	why           whyPane
	evidence      evidencePane

	help   helpPane
	mouse  bool
	status string // what a key did, until the next key
	frame  string // what is on the screen
	stale  bool   // the frame must be drawn anew
	left   bool   // the program ends
	all    bool   // every signal of the rules was asked for
}

// New makes the dashboard. It draws from Options.Reports and does nothing by itself.
func New(o Options) *Model {
	if o.NoColor {
		o.Theme = Mono
	}
	m := &Model{
		options: o, commands: newCommands(o),
		scene: scene{
			look: newLook(o.Theme, o.ASCII), waiting: cmp.Or(o.Waiting, "waiting for the first report"), span: spans[1],
			location: cmp.Or(o.Location, time.Local),
		},
	}
	m.pace(o.Interval)
	m.begin()
	return m
}

// begin makes the pages, with nothing selected yet, and shows the first.
func (m *Model) begin() {
	m.findings, m.table, m.charts, m.why, m.evidence = findingsPane{}, tablePane{}, chartsPane{}, whyPane{}, evidencePane{why: &m.why}
	m.page, m.pages = overviewPage, newPages(m)
	m.settle()
}

// Init waits for the first report, and asks for the terminal's background where the theme depends on it.
func (m *Model) Init() tea.Cmd {
	commands := []tea.Cmd{waitFor(m.options.Reports)}
	if m.options.Theme == Auto {
		commands = append(commands, tea.RequestBackgroundColor)
	}
	return tea.Batch(commands...)
}

// View is the frame. It is called after every message and drawn anew only when something changed. The last one is empty: tmux, when it
// was resized, leaves a line of what is on the screen then in the shell.
func (m *Model) View() tea.View {
	if m.stale {
		m.frame, m.stale = m.draw(), false
	}
	v := tea.NewView(m.frame)
	v.AltScreen = true
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// current is the page that is shown.
func (m *Model) current() *page { return &m.pages[m.page] }

// focused is the pane that keys go to.
func (m *Model) focused() pane {
	if m.help.open {
		return &m.help
	}
	p := m.current()
	return p.panes[p.focus]
}

// size is that of the screen; one that is not known, or makes no sense, is taken to be the usual one.
func (m *Model) size() (width, height int) {
	if m.width <= 0 || m.height <= 0 {
		return defaultWidth, defaultHeight
	}
	return m.width, m.height
}

// layout is where the panes of the page are.
func (m *Model) layout() []rectangle {
	return layout(m.room(), m.current().heights)
}

// room is how many lines the panes have.
func (m *Model) room() int {
	_, height := m.size()
	return max(0, height-headerHeight-m.below()-footerHeight)
}

// pageHeight is how far page keys go.
func (m *Model) pageHeight() int {
	_, height := m.size()
	if i := slices.Index(m.current().panes, m.focused()); i >= 0 {
		height = m.layout()[i].height
	}
	return max(1, height-3)
}

// settle lets the panes of the page take the scene in, and the selection decide what it is about.
func (m *Model) settle() {
	m.stale = true
	for _, p := range m.current().panes {
		p.settle(&m.scene)
	}
	m.follow()
	m.showAll()
}

// showAll has every signal of the rules computed while the page that shows them is open.
func (m *Model) showAll() {
	if on := m.page == whyPage; on != m.all && m.options.Deeds.ShowAll != nil {
		m.all = on
		m.options.Deeds.ShowAll(on)
	}
}
