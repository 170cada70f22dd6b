package ui

import "slices"

// cursor is a selection in a list that is kept by key: lists are sorted anew, and their rows come and go. Until somebody chooses, it
// is on the first row, whatever that is.
type cursor[K comparable] struct {
	key    K
	row    int // where the key was last seen
	set    bool
	chosen bool
}

// settle finds the selected key in the list as it is now. When it is gone, what took its row is selected.
func (c *cursor[K]) settle(keys []K) {
	if i := slices.Index(keys, c.key); c.chosen && i >= 0 {
		c.row, c.set = i, true
		return
	}
	if !c.chosen {
		c.row = 0
	}
	c.set = len(keys) > 0
	if c.set {
		c.row = min(c.row, len(keys)-1)
		c.key = keys[c.row]
	}
}

// choose selects a key, wherever it will be.
func (c *cursor[K]) choose(key K) { c.key, c.set, c.chosen = key, true, true }

// move goes to another row; a page is so many rows.
func (c *cursor[K]) move(keys []K, to move, page int) {
	if len(keys) == 0 {
		return
	}
	c.row = min(max(0, to.from(c.row, len(keys), page)), len(keys)-1)
	c.choose(keys[c.row])
}

// release goes back to the first row, and stays there.
func (c *cursor[K]) release() { *c = cursor[K]{} }

// move is a way to go in a list or a text.
type move uint8

const (
	moveUp move = iota
	moveDown
	movePageUp
	movePageDown
	moveFirst
	moveLast
	moveLeft
	moveRight
)

// from is the row to go to in a list of n; it may lie outside.
func (m move) from(row, n, page int) int {
	switch m {
	case moveUp:
		return row - 1
	case moveDown:
		return row + 1
	case movePageUp:
		return row - page
	case movePageDown:
		return row + page
	case moveFirst:
		return 0
	case moveLast:
		return n - 1
	}
	return row
}

// scrolled is the first row to show of n, so that the rows from start up to end are within the height, and as little moves as can be.
func scrolled(top, start, end, n, height int) int {
	top = max(top, end-height)
	top = min(top, start)
	return max(0, min(top, n-height))
}
