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

// keys binds keys to what the help says about them.
func keys(shown, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, does))
}

// newCommands lists every key there is. What the caller cannot do has no key.
func newCommands(o Options) []command {
	commands := []command{
		{Binding: keys("enter", "details", "enter"), group: moving, where: inFindings | inTable, brief: "details", do: (*Model).enter},
		{Binding: keys("esc", "back, clear filter", "esc"), group: moving, where: anywhere, do: (*Model).back},
		{Binding: keys("tab", "next pane", "tab"), group: moving, where: onPages, brief: "pane", do: turns(1)},
		{Binding: keys("shift+tab", "pane before", "shift+tab"), group: moving, where: onPages, do: turns(-1)},
		{Binding: keys("1", "overview", "1"), group: moving, where: onPages, do: opens(overviewPage)},
		{Binding: keys("3", "why: the signal table", "3"), group: moving, where: onPages, do: opens(whyPage)},
		{Binding: keys("k up", "up", "up", "k"), group: moving, where: anywhere, do: moves(moveUp)},
		{Binding: keys("j down", "down", "down", "j"), group: moving, where: anywhere, do: moves(moveDown)},
		{Binding: keys("h left", "signals before", "left", "h"), group: moving, where: inWhy, do: moves(moveLeft)},
		{Binding: keys("l right", "more signals", "right", "l"), group: moving, where: inWhy, brief: "signals", do: moves(moveRight)},
		{Binding: keys("pgup", "page up", "pgup", "ctrl+b"), group: moving, where: anywhere, do: moves(movePageUp)},
		{Binding: keys("pgdown", "page down", "pgdown", "ctrl+f"), group: moving, where: anywhere, do: moves(movePageDown)},
		{Binding: keys("g", "first", "g", "home"), group: moving, where: anywhere, do: moves(moveFirst)},
		{Binding: keys("G", "last", "G", "end"), group: moving, where: anywhere, do: moves(moveLast)},
		{Binding: keys("n", "next stop of the tour", "n"), group: moving, where: onPages, brief: "next", do: tours(1)},
		{Binding: keys("p", "stop before", "p"), group: moving, where: onPages, brief: "back", do: tours(-1)},

		{Binding: keys("/", "filter (! inverts)", "/"), group: looking, where: onOverview, brief: "filter", do: (*Model).filter},
		{Binding: keys("s", "sort by next column", "s"), group: looking, where: onOverview, brief: "sort", do: sorts(true)},
		{Binding: keys("S", "sort the other way", "S"), group: looking, where: onOverview, do: sorts(false)},
		{Binding: keys("o", "fold models", "o"), group: looking, where: onOverview, do: (*Model).fold},
		{Binding: keys("a", "all rules, or those near", "a"), group: looking, where: onWhy, brief: "all/near", do: (*Model).allRules},
		{Binding: keys("[", "shorter charts", "["), group: looking, where: onPages, do: stretches(false)},
		{Binding: keys("]", "longer charts", "]"), group: looking, where: onPages, do: stretches(true)},
		{Binding: keys("space", "pause the screen", "space"), group: looking, where: onPages, brief: "pause", do: (*Model).pause},
		{Binding: keys("t", "theme: dark, light, mono", "t"), group: looking, where: onPages, do: (*Model).nextTheme},
		{Binding: keys("m", "mouse on or off", "m"), group: looking, where: onPages, do: (*Model).switchMouse},

		{Binding: keys("r", "scrape now", "r"), group: doing, where: onPages, do: (*Model).scrapeNow},
		{Binding: keys("+", "longer interval", "+", "="), group: doing, where: onPages, do: paces(true)},
		{Binding: keys("-", "shorter interval", "-"), group: doing, where: onPages, do: paces(false)},
		{Binding: keys("y", "copy PromQL or command", "y"), group: doing, where: inFindings | inTable | inWhy | inEvidence, brief: "copy", do: (*Model).yank},

		{Binding: keys("?", "help", "?"), group: leaving, where: anywhere, brief: "help", do: (*Model).openHelp},
		{Binding: keys("q", "quit", "q"), group: leaving, where: anywhere, brief: "quit", do: (*Model).quit},
		{Binding: keys("ctrl+c", "quit, whatever is open", "ctrl+c"), group: leaving, where: anywhere, do: leave},
		{Binding: keys("ctrl+z", "suspend", "ctrl+z"), group: leaving, where: anywhere, do: suspend},
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
	keep:  keys("enter", "keep", "enter", "tab", "down", "up"),
	clear: keys("esc", "clear", "esc"),
	erase: keys("backspace", "erase", "backspace", "ctrl+h"),
	leave: keys("ctrl+c", "quit", "ctrl+c"),
}
