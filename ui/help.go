package ui

import (
	"slices"
	"strings"
)

// helpPane lists all keys, by group. It stands where the panes of the page are.
type helpPane struct {
	open     bool
	commands []command
	top      int
}

func (p *helpPane) place() place           { return inHelp }
func (p *helpPane) settle(*scene)          {}
func (p *helpPane) click(_, _ int)         {}
func (p *helpPane) move(to move, page int) { p.top = max(0, to.from(p.top, len(p.commands), page)) }

// helpWidth is that of a column of the help.
const helpWidth = 38

func (p *helpPane) draw(s *scene, _ bool, width, height int) []string {
	blocks := p.blocks(s)
	columns := max(1, width/helpWidth)
	lines := make([]*line, 0, height)
	at, row := 0, 0
	for _, block := range blocks {
		if row > 0 && at < columns-1 && row+len(block) > tallest(blocks, columns) {
			at, row = at+1, 0
		}
		for _, text := range block {
			for len(lines) <= row {
				lines = append(lines, s.line(width))
			}
			lines[row].at(1 + at*helpWidth).raw(text)
			row++
		}
	}
	p.top = scrolled(p.top, p.top, p.top+1, len(lines), height-1)
	texts := []string{s.rule(width, strong, "keys", "")}
	for _, l := range lines[p.top:] {
		texts = append(texts, l.String())
	}
	return box(texts, height)
}

// blocks draws the groups, each with a blank line behind it.
func (p *helpPane) blocks(s *scene) [groups][]string {
	var blocks [groups][]string
	for g := range groups {
		blocks[g] = []string{s.line(helpWidth).put(strong, groupTitles[g]).String()}
	}
	for i := range p.commands {
		if c := &p.commands[i]; c.Enabled() {
			l := s.line(helpWidth-1).at(1).put(strong, c.Help().Key).at(12).put(plain, c.Help().Desc)
			blocks[c.group] = append(blocks[c.group], l.String())
		}
	}
	for g := range blocks {
		blocks[g] = append(blocks[g], "")
	}
	return blocks
}

// tallest is the height that lets the blocks fill so many columns.
func tallest(blocks [groups][]string, columns int) int {
	all, most := 0, 0
	for _, b := range blocks {
		all, most = all+len(b), max(most, len(b))
	}
	return max(most, (all+columns-1)/columns)
}

// footer is the last line: what the last key did, or the keys that count here.
func (m *Model) footer(width int) string {
	l := m.scene.line(width).at(1)
	f := m.scene.filter
	switch {
	case f.editing:
		l.put(strong, "filter: "+f.text).put(reversed, " ")
		return l.put(faint, "  enter keep · esc clear · ! in front inverts").String()
	case m.status != "":
		return l.put(strong, m.status).String()
	case f.on() && m.page == overviewPage:
		l.put(strong, "filter: "+f.text).put(faint, " (esc clears)").at(l.width + gap)
	}
	for _, c := range m.briefly(width - l.width) {
		l.put(strong, c.name()).put(faint, " "+c.brief).at(l.width + gap)
	}
	return l.String()
}

// briefly lists the keys of the footer that count here and fit. How to leave, and how to learn more, is always among them.
func (m *Model) briefly(width int) []command {
	here := m.focused().place()
	list := slices.Clone(m.commands)
	list = slices.DeleteFunc(list, func(c command) bool { return c.brief == "" || !c.Enabled() || c.where&here == 0 })
	for {
		wide := 0
		for _, c := range list {
			wide += len(c.name()) + 1 + len(c.brief) + gap
		}
		last := lastOther(list)
		if wide <= width || last < 0 {
			return list
		}
		list = slices.Delete(list, last, last+1)
	}
}

// lastOther is the last key that is not about leaving.
func lastOther(list []command) int {
	for i, c := range slices.Backward(list) {
		if c.group != leaving {
			return i
		}
	}
	return -1
}

// name is the key's first name.
func (c *command) name() string {
	name, _, _ := strings.Cut(c.Help().Key, " ")
	return name
}
