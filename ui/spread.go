package ui

import "github.com/charmbracelet/x/ansi"

// segment is a piece of the header. Where there is no room for all, those of the highest rank go first.
type segment struct {
	style style
	text  string
	rank  int
}

// gap is how far segments stand apart.
const gap = 2

// spread puts segments at the left, in the middle and at the right of a line, without those that do not fit.
func (k *look) spread(width int, left, middle, right []segment) string {
	parts := [][]segment{left, middle, right}
	for k.runs(parts) > width && drop(parts) {
	}
	l := k.line(width).at(1)
	l.run(parts[0])
	end := width - 1 - k.runs(parts[2:])
	l.at(l.width + max(gap, (end-l.width-k.runs(parts[1:2]))/2))
	l.run(parts[1])
	l.at(end + 1)
	l.run(parts[2])
	return l.String()
}

// run puts segments side by side.
func (l *line) run(segments []segment) {
	for i, s := range segments {
		if i > 0 {
			l.at(l.width + gap)
		}
		l.put(s.style, s.text)
	}
}

// runs is the width that parts take, with a gap behind each segment but the last and a blank at either end.
func (k *look) runs(parts [][]segment) int {
	width := 0
	for _, part := range parts {
		for _, s := range part {
			width += ansi.StringWidth(k.text(s.text)) + gap
		}
	}
	return width
}

// drop takes the segment of the highest rank away, unless it is the only one.
func drop(parts [][]segment) bool {
	at, of, n := 0, 0, 0
	for i, part := range parts {
		for j, s := range part {
			if n++; n == 1 || s.rank > parts[at][of].rank {
				at, of = i, j
			}
		}
	}
	if n < 2 {
		return false
	}
	parts[at] = append(append([]segment(nil), parts[at][:of]...), parts[at][of+1:]...)
	return true
}
