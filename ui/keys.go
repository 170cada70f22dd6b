package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// command is a key: how it is called, where it counts, what it does. Footer and help are made of the same rows.
type command struct {
	key.Binding
	group group
	where place
	brief string // what the footer says; nothing where it is not in it
	do    func(*Model) tea.Cmd
}

// group is a heading in the help.
type group uint8

const (
	moving group = iota
	looking
	doing
	leaving
	groups
)

var groupTitles = [groups]string{"move", "look", "do", "leave"}

// bind binds keys to what the help says about them.
func bind(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// newCommands lists every key there is. What the caller cannot do has no key.
func newCommands(o Options) []command {
	commands := []command{
		{Binding: bind("enter", "details", "enter"), group: moving, where: inFindings | inTable, brief: "details", do: (*Model).enter},
		{Binding: bind("esc", "back, clear filter", "esc"), group: moving, where: anywhere, do: (*Model).back},
		{Binding: bind("tab", "next pane", "tab"), group: moving, where: onPages, brief: "pane", do: turns(1)},
		{Binding: bind("shift+tab", "pane before", "shift+tab"), group: moving, where: onPages, do: turns(-1)},
		{Binding: bind("1", "overview", "1"), group: moving, where: onPages, do: opens(overviewPage)},
		{Binding: bind("3", "why: the signal table", "3"), group: moving, where: onPages, do: opens(whyPage)},
		{Binding: bind("k up", "up", "up", "k"), group: moving, where: anywhere, do: moves(moveUp)},
		{Binding: bind("j down", "down", "down", "j"), group: moving, where: anywhere, do: moves(moveDown)},
		{Binding: bind("h left", "signals before", "left", "h"), group: moving, where: inWhy, do: moves(moveLeft)},
		{Binding: bind("l right", "more signals", "right", "l"), group: moving, where: inWhy, brief: "signals", do: moves(moveRight)},
		{Binding: bind("pgup", "page up", "pgup", "ctrl+b"), group: moving, where: anywhere, do: moves(movePageUp)},
		{Binding: bind("pgdown", "page down", "pgdown", "ctrl+f"), group: moving, where: anywhere, do: moves(movePageDown)},
		{Binding: bind("g", "first", "g", "home"), group: moving, where: anywhere, do: moves(moveFirst)},
		{Binding: bind("G", "last", "G", "end"), group: moving, where: anywhere, do: moves(moveLast)},
		{Binding: bind("n", "next stop of the tour", "n"), group: moving, where: onPages, brief: "next", do: tours(1)},
		{Binding: bind("p", "stop before", "p"), group: moving, where: onPages, brief: "back", do: tours(-1)},

		{Binding: bind("/", "filter (! inverts)", "/"), group: looking, where: onOverview, brief: "filter", do: (*Model).filter},
		{Binding: bind("s", "sort by next column", "s"), group: looking, where: onOverview, brief: "sort", do: sorts(true)},
		{Binding: bind("S", "sort the other way", "S"), group: looking, where: onOverview, do: sorts(false)},
		{Binding: bind("o", "fold models", "o"), group: looking, where: onOverview, do: (*Model).fold},
		{Binding: bind("a", "all rules, or those near", "a"), group: looking, where: onWhy, brief: "all/near", do: (*Model).allRules},
		{Binding: bind("[", "shorter charts", "["), group: looking, where: onPages, do: stretches(false)},
		{Binding: bind("]", "longer charts", "]"), group: looking, where: onPages, do: stretches(true)},
		{Binding: bind("space", "pause the screen", "space"), group: looking, where: onPages, brief: "pause", do: (*Model).pause},
		{Binding: bind("t", "theme: dark, light, mono", "t"), group: looking, where: onPages, do: (*Model).nextTheme},
		{Binding: bind("m", "mouse on or off", "m"), group: looking, where: onPages, do: (*Model).switchMouse},

		{Binding: bind("r", "scrape now", "r"), group: doing, where: onPages, do: (*Model).scrapeNow},
		{Binding: bind("+", "longer interval", "+", "="), group: doing, where: onPages, do: paces(true)},
		{Binding: bind("-", "shorter interval", "-"), group: doing, where: onPages, do: paces(false)},
		{Binding: bind("y", "copy PromQL or command", "y"), group: doing, where: inFindings | inTable | inWhy | inEvidence, brief: "copy", do: (*Model).yank},

		{Binding: bind("?", "help", "?"), group: leaving, where: anywhere, brief: "help", do: (*Model).openHelp},
		{Binding: bind("q", "quit", "q"), group: leaving, where: anywhere, brief: "quit", do: (*Model).quit},
		{Binding: bind("ctrl+c", "quit, whatever is open", "ctrl+c"), group: leaving, where: anywhere, do: leave},
		{Binding: bind("ctrl+z", "suspend", "ctrl+z"), group: leaving, where: anywhere, do: suspend},
	}
	possible := map[string]bool{
		"r": o.Deeds.ScrapeNow != nil, "+": o.Deeds.SetInterval != nil, "-": o.Deeds.SetInterval != nil,
		"n": o.Deeds.Turn != nil, "p": o.Deeds.Turn != nil, "t": !o.NoColor,
	}
	for i := range commands {
		if can, listed := possible[commands[i].Help().Key]; listed {
			commands[i].SetEnabled(can)
		}
	}
	return commands
}

// Keys while a filter is typed; everything else is text.
var typingKeys = struct{ keep, clear, erase, leave key.Binding }{
	keep:  bind("enter", "keep", "enter", "tab", "down", "up"),
	clear: bind("esc", "clear", "esc"),
	erase: bind("backspace", "erase", "backspace", "ctrl+h"),
	leave: bind("ctrl+c", "quit", "ctrl+c"),
}
