package ui

// An item is told in parts: its first line, the sentence, what to do now, what to do at a restart, what it hides.
const (
	said      = 1 // the part that says what is wrong
	advised   = 2 // the part that says what to do first
	partCount = 5
)

// extent is how many lines an item takes up to the end of each part.
type extent [partCount]int

// extentOf measures an item; parts that it does not have take nothing.
func extentOf(texts [][]string) (e extent) {
	n := 0
	for i := range e {
		if i < len(texts) {
			n += len(texts[i])
		}
		e[i] = n
	}
	return e
}

// whole is as many parts as fit into a height: none is cut in its middle.
func whole(texts [][]string, height int) []string {
	var lines []string
	for _, part := range texts {
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
