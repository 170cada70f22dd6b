package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// findingsPane is the list of what is wrong. Where there is no room for all of it, what is critical is told before anything else, and
// what somebody selected in full.
type findingsPane struct {
	cursor cursor[itemKey]
	items  []item
	// reserved is how many lines each item has had: a figure that gets longer must not push the others down at every report.
	reserved map[itemKey]extent
	width    int
	top      int
}

func (p *findingsPane) place() place { return inFindings }

func (p *findingsPane) settle(s *scene) {
	p.items = s.items()
	p.cursor.settle(p.keys())
}

func (p *findingsPane) keys() []itemKey {
	keys := make([]itemKey, len(p.items))
	for i := range p.items {
		keys[i] = p.items[i].key
	}
	return keys
}

func (p *findingsPane) move(to move, page int) { p.cursor.move(p.keys(), to, page) }

// click selects the item drawn in a row of the pane.
func (p *findingsPane) click(row, height int) {
	at := p.top + row
	for i, lines := range p.blocks(height) {
		if at -= lines; at < 0 {
			p.cursor.choose(p.items[i].key)
			return
		}
	}
}

// chosen is the selected item, nil when there is none.
func (p *findingsPane) chosen() *item {
	for i := range p.items {
		if p.cursor.set && p.items[i].key == p.cursor.key {
			return &p.items[i]
		}
	}
	return nil
}

func (p *findingsPane) draw(s *scene, focused bool, width, height int) []string {
	texts := p.texts(s, focused, width)
	var lines []string
	start, end := 0, 0
	cut := make([]bool, len(p.items))
	for i, n := range p.blocks(height - 1) {
		cut[i] = n < p.reserved[p.items[i].key][uncut]
		if p.items[i].key == p.cursor.key {
			start, end = len(lines), len(lines)+n
		}
		lines = append(lines, box(whole(texts[i], n), n)...)
	}
	p.top = scrolled(p.top, start, end, len(lines), height-1)
	var remarks []string
	if len(lines) > height-1 {
		remarks = append(remarks, fmt.Sprintf("lines %d–%d of %d", p.top+1, p.top+height-1, len(lines)))
	}
	if focused && slices.Contains(cut, true) {
		remarks = append(remarks, "j, k: in full")
	}
	if n := s.hidden(); n > 0 {
		remarks = append(remarks, diagnose.Plural(n, "finding")+" hidden by the filter")
	}
	return append([]string{s.rule(width, focus(focused), "findings", strings.Join(remarks, " · "))}, box(lines[p.top:], height-1)...)
}

// texts draws all items and reserves the lines that each has had at this width.
func (p *findingsPane) texts(s *scene, focused bool, width int) []texts {
	reserved := make(map[itemKey]extent, len(p.items))
	all := make([]texts, len(p.items))
	for i := range p.items {
		key := p.items[i].key
		all[i] = texts{p.text(s, &p.items[i], focused, width, false), p.text(s, &p.items[i], focused, width, true)}
		e := extentOf(all[i])
		if p.width == width {
			for part, n := range p.reserved[key] {
				e[part] = max(e[part], n)
			}
		}
		reserved[key] = e
	}
	p.width, p.reserved = width, reserved
	return all
}

// blocks is how many lines each item gets: its first one, and then, part by part for as long as they fit, what is critical up to what
// to do first, the item that somebody selected, the others' sentences, what to do first of them, and the rest. The worst and the
// selected one are told whatever is pushed out below. Lines that are left over go to what would be cut.
func (p *findingsPane) blocks(height int) []int {
	share := share{left: height, blocks: make([]int, len(p.items))}
	for i := range p.items {
		share.extents = append(share.extents, p.reserved[p.items[i].key])
		share.grow(i, 0, true)
	}
	worst := slices.IndexFunc(p.items, func(one item) bool { return one.wrong(diagnose.Critical) })
	for i := range p.items {
		if p.items[i].wrong(diagnose.Critical) {
			share.grow(i, advised, i == worst)
		}
	}
	if i := slices.Index(p.keys(), p.cursor.key); i >= 0 && p.cursor.chosen {
		share.grow(i, uncut, true)
	}
	tellable := p.tellable()
	for _, to := range []int{said, advised, toldAll, uncut} {
		for _, i := range tellable {
			share.grow(i, to, false)
		}
	}
	return share.blocks
}

// tellable lists the items that may have more than their first line: no information while something is wrong.
func (p *findingsPane) tellable() []int {
	wrong := slices.ContainsFunc(p.items, func(one item) bool { return one.wrong(diagnose.Warning) })
	var items []int
	for i := range p.items {
		if f := p.items[i].finding; !wrong || f == nil || f.Severity > diagnose.Information {
			items = append(items, i)
		}
	}
	return items
}

// text draws an item part by part, in full or cut to few lines each.
func (p *findingsPane) text(s *scene, one *item, focused bool, width int, full bool) [][]string {
	l := s.pointer(width, focused, one.key == p.cursor.key)
	switch {
	case one.finding != nil:
		return append([][]string{{s.findingTitle(l, diagnose.Told{Finding: one.finding, Others: one.others})}}, s.findingBody(one.finding, width, full)...)
	case one.lack != nil:
		text := s.lack(one.lack)
		if !full {
			text = s.brieflyLack(one.lack, l.limit-indent)
		}
		return [][]string{s.hanging(l, plain, text, full)}
	}
	return [][]string{s.hanging(l, one.style, one.remark, full)}
}

// hanging draws a text that begins with its mark, which stands before all of its lines.
func (s *scene) hanging(l *line, st style, text string, full bool) []string {
	lines := s.wrap(text, l.limit-indent, mostLines(1, full))
	lines[0] = l.put(st, lines[0]).String()
	for i := 1; i < len(lines); i++ {
		lines[i] = s.line(l.limit).at(indent).put(st, lines[i]).String()
	}
	return lines
}

// mostLines is how many lines a text may have: no error message may fill the screen.
func mostLines(cut int, full bool) int {
	if full {
		return 8
	}
	return cut
}

// pointer begins a line of a list with the cursor, when it is there.
func (k *look) pointer(width int, focused, here bool) *line {
	l := k.line(width)
	if here {
		l.put(focus(focused), k.sign.cursor)
	}
	return l.at(1)
}

// focus is the style of what shows where keys go.
func focus(focused bool) style {
	if focused {
		return strong
	}
	return faint
}
