package ui

import (
	"fmt"
	"strings"
)

// draw composes the screen: header, panes, caption, footer.
func (m *Model) draw() string {
	width, height := m.size()
	if m.left {
		return strings.Join(box(nil, height), "\n")
	}
	if width < leastWidth || height < leastHeight {
		return m.tooSmall(width, height)
	}
	lines := m.scene.header(m.header, width)
	for i, r := range m.layout() {
		if m.help.open {
			lines = append(lines, m.help.draw(&m.scene, true, width, m.room())...)
			break
		}
		lines = append(lines, m.current().panes[i].draw(&m.scene, m.current().focus == i, width, r.height)...)
	}
	lines = append(box(lines, height-m.below()-footerHeight), m.captionLines(width)...)
	return strings.Join(append(lines, m.footer(width)), "\n")
}

// tooSmall says the least size, and what is wrong if there is room.
func (m *Model) tooSmall(width, height int) string {
	l := m.scene.line(width)
	l.put(plain, fmt.Sprintf("needs %d×%d cells", leastWidth, leastHeight))
	if r := m.scene.report; r != nil && len(r.Findings) > 0 && r.Findings[0].Active() && r.Findings[0].Silenced == nil {
		f := &r.Findings[0]
		l.put(plain, " · ").put(styleOf(f.Severity), m.scene.sign.severity[f.Severity]+" "+f.Rule.Code).put(plain, " "+f.Title()+" "+m.scene.report.Where(f.Subject))
	}
	return strings.Join(box([]string{l.String()}, height), "\n")
}
