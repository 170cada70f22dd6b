package ui

// place is a part of the screen that keys can go to.
type place uint8

const (
	inFindings place = 1 << iota
	inTable
	inCharts
	inWhy
	inEvidence
	inHelp
	anywhere   place = 1<<iota - 1
	onPages          = anywhere &^ inHelp
	onOverview       = inFindings | inTable | inCharts
	onWhy            = inWhy | inEvidence
)

// pane is a part of a page. It knows its rectangle and what it selects, and changes nothing but that.
type pane interface {
	place() place
	// settle takes a new scene in: the list may be another, the selection stays on its item.
	settle(s *scene)
	// draw returns exactly height lines, none wider than width; the first is a rule with the pane's title.
	draw(s *scene, focused bool, width, height int) []string
	// move moves the selection; a page is so many lines.
	move(to move, page int)
	// click selects what a line of the pane shows; the line below the rule is 0.
	click(line, height int)
}

// pageID names a page.
type pageID int

const (
	overviewPage pageID = iota
	whyPage
)

// page is a screenful: panes below each other, and who gets how many lines of a height. A further page is one row in newPages, its
// panes, and its key.
type page struct {
	panes   []pane
	heights func(height int) []int
	focus   int // which pane keys go to
}

func newPages(m *Model) []page {
	return []page{
		overviewPage: {
			panes:   []pane{&m.findings, &m.table, &m.charts},
			heights: func(height int) []int { return overviewHeights(height, len(m.table.rows), m.scene.causes()) },
		},
		whyPage: {
			panes:   []pane{&m.why, &m.evidence},
			heights: func(height int) []int { return whyHeights(height, len(m.why.rows)) },
		},
	}
}

// next goes to the next pane that has room and something to select.
func (p *page) next(height, by int) {
	heights := p.heights(height)
	for range p.panes {
		p.focus = (p.focus + by + len(p.panes)) % len(p.panes)
		if heights[p.focus] > 0 && p.panes[p.focus].place() != inCharts {
			return
		}
	}
}
