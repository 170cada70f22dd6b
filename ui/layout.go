package ui

// The screen: two lines of header, the panes of the page, a caption where there is one, one line of footer.
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

// layout gives each pane its lines out of those that there is room for, from below the header down.
func layout(room int, heights func(int) []int) []rectangle {
	var all []rectangle
	top := headerHeight
	for _, h := range heights(room) {
		all = append(all, rectangle{top, h})
		top += h
	}
	return all
}

// Heights of the overview's panes, their rules included.
const (
	chartsFrom   = 27 // lines of panes from which on there is room for charts, whatever is found
	mostCharted  = 12
	leastCharted = leastChartHeight + 2
	leastTable   = 4
	mostFindings = 18
	// On a lower screen there are charts where findings need little: the rule and three lines, and so many for each cause.
	quietFindings = 4
	causeHeight   = 5
)

// overviewHeights shares lines out among findings, table and charts. It looks at the number of the table's rows and of the causes, and
// at nothing that changes from one report to the next, so that panes stay where they are.
func overviewHeights(height, rows, causes int) []int {
	wanted := max(leastTable, rows+2)
	charts := min(mostCharted, height/3)
	needed := max(quietFindings+causes*causeHeight, leastFindings(height-charts))
	if height < chartsFrom && (charts < leastCharted || height-wanted-charts < needed) {
		charts = 0
	}
	rest := height - charts
	table := min(wanted, rest-leastFindings(rest))
	findings := min(rest-table, mostFindings)
	return []int{findings, rest - findings, charts}
}

// leastFindings is what findings have of the lines that they share with the table.
func leastFindings(height int) int { return height/3 + 1 }

// whyHeights gives the signal table what its rows need, three fifths at most, and the evidence the rest.
func whyHeights(height, rows int) []int {
	table := min(max(rows+whyHead+1, height/3), height*3/5)
	return []int{table, height - table}
}
