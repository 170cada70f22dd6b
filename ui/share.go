package ui

import "slices"

// An item is told in parts: its first line, the sentence, what to do now, what to do at a restart, what it hides; and last the lines that
// it takes to cut none of them.
const (
	said      = 1 // the part that says what is wrong
	advised   = 2 // the part that says what to do first
	toldAll   = 4 // the last part, each as short as it may be
	uncut     = 5
	partCount = 6
)

// texts are an item's parts, drawn cut to few lines each, and in full.
type texts struct{ cut, full [][]string }

// extent is how many lines an item takes up to the end of each part.
type extent [partCount]int

// extentOf measures an item; parts that it does not have take nothing.
func extentOf(t texts) (e extent) {
	n := 0
	for i := range e {
		if i < len(t.cut) {
			n += len(t.cut[i])
		}
		e[i] = n
	}
	e[uncut] = max(n, len(slices.Concat(t.full...)))
	return e
}

// whole is an item in full where that fits into a height, else as many of its parts as do: none ends in its middle.
func whole(t texts, height int) []string {
	if full := slices.Concat(t.full...); len(full) <= height {
		return full
	}
	var lines []string
	for _, part := range t.cut {
		if len(lines)+len(part) > height {
			break
		}
		lines = append(lines, part...)
	}
	return lines
}

// share gives the lines of a pane to its items.
type share struct {
	extents []extent
	blocks  []int // what each item has
	left    int
}

// grow gives an item the lines for its parts up to one, as long as they fit, or whether they do or not.
func (s *share) grow(i, to int, must bool) {
	for _, n := range s.extents[i][:to+1] {
		if more := n - s.blocks[i]; more > 0 && (more <= s.left || must) {
			s.blocks[i] += more
			s.left -= more
		}
	}
}
