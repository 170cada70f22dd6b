package ui

// The screen: two lines of header, the panes of the page, one line of footer.
const (
	headerHeight = 2
	footerHeight = 1
	// Below this size one line says so.
	leastWidth  = 60
	leastHeight = 15
	// What is drawn before the terminal told its size, or when it told none.
	defaultWidth  = 80
	defaultHeight = 24
)

// rectangle is a part of the screen over its whole width.
type rectangle struct{ top, height int }

// contains tells whether a line of the screen is in it.
func (r rectangle) contains(y int) bool { return y >= r.top && y < r.top+r.height }

// layout gives each pane its lines, from below the header down.
func layout(height int, heights func(int) []int) []rectangle {
	var all []rectangle
	top := headerHeight
	for _, h := range heights(max(0, height-headerHeight-footerHeight)) {
		all = append(all, rectangle{top, h})
		top += h
	}
	return all
}

// Heights of the overview's panes, their rules included.
const (
	chartsFrom   = 27 // lines of panes from which on there is room for charts
	mostCharted  = 12
	leastTable   = 4
	mostFindings = 18
)

// overviewHeights shares lines out among findings, table and charts. It looks at the number of the table's rows and at nothing that
// changes from one report to the next, so that panes stay where they are.
func overviewHeights(height, rows int) []int {
	charts := 0
	if height >= chartsFrom {
		charts = min(mostCharted, height/3)
	}
	rest := height - charts
	leastFindings := rest/3 + 1
	table := min(max(leastTable, rows+2), rest-leastFindings)
	findings := min(rest-table, mostFindings)
	return []int{findings, rest - findings, charts}
}

// whyHeights gives the signal table what its rows need, three fifths at most, and the evidence the rest.
func whyHeights(height, rows int) []int {
	table := min(max(rows+whyHead+1, height/3), height*3/5)
	return []int{table, height - table}
}
