package ui

import (
	"math"
	"strings"
	"time"

	"github.com/NimbleMarkets/ntcharts/v2/canvas"
	"github.com/NimbleMarkets/ntcharts/v2/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/v2/linechart"

	"github.com/vllmscope/vllmscope/diagnose"
)

// chart is a picture of signals over a span of time.
type chart struct {
	unit    diagnose.Unit
	series  []trace
	limit   float64 // drawn across; NaN for none
	top     float64 // of the scale; 0 for what the values need
	least   float64 // what that is at least
	end     time.Time
	span    time.Duration
	restart time.Time // a mark on the time axis; zero for none
}

// trace is one line of a chart.
type trace struct {
	style   style
	title   string
	now     string // the newest value
	history history
}

// A chart below this size is its title only: the library panics below a few cells, and nobody can read it.
const (
	leastChartWidth  = 16
	leastChartHeight = 5
	chartLabels      = 6 // width of the figures at the left
)

// chart draws a chart in exactly its size. It is the only way to the library, and keeps from it what it cannot bear: values that
// are not finite, and sizes without room. Everything is drawn anew from the values, so nothing is kept between two pictures.
func (k *look) chart(c *chart, width, height int) []string {
	head := c.title(k, width, len(c.series))
	if c.title(k, width+1, len(c.series)).width > width {
		head = c.title(k, width, 1)
	}
	if width < leastChartWidth || height < leastChartHeight {
		return box([]string{head.String()}, height)
	}
	columns := width - chartLabels - 1
	traces, top := c.columns(columns*k.dots(), c.top)
	m := c.canvas(k, width, height-1, columns, top)
	for i, values := range traces {
		k.trace(&m, values, top, c.series[i].style)
	}
	k.across(&m, c.limit, top)
	k.axis(&m, c, columns)
	return box(append([]string{head.String()}, k.rows(&m)...), height)
}

// rows reads a picture cell by cell and styles runs of them: the library styles each cell by itself, which costs more than all the
// rest of a frame.
func (k *look) rows(m *linechart.Model) []string {
	frame := strings.NewReplacer(k.sign.frame...)
	rows := make([]string, m.Height())
	for y := range rows {
		l := k.line(m.Width())
		var run []rune
		last := plain
		for x := range m.Width() {
			c := m.Canvas.Cell(canvas.Point{X: x, Y: y})
			s := styleOfCell(c)
			if c.Rune == 0 {
				c.Rune, s = ' ', last // a blank looks the same in every style
			}
			if s != last {
				l.put(last, frame.Replace(string(run)))
				run, last = run[:0], s
			}
			run = append(run, c.Rune)
		}
		rows[y] = l.put(last, frame.Replace(string(run))).String()
	}
	return rows
}

// styleOfCell finds the style again by which a cell was drawn: charts have no others.
func styleOfCell(c canvas.Cell) style {
	switch {
	case c.Style.GetFaint():
		return faint
	case c.Style.GetBold():
		return warning
	}
	return plain
}

// title names what is drawn, with the newest values of the last traces: there may be no room for all.
func (c *chart) title(k *look, width, values int) *line {
	l := k.line(width)
	for i, s := range c.series {
		l.at(l.width+min(i, 1)).put(s.style, s.title)
		if i >= len(c.series)-values {
			l.at(l.width+1).put(s.style, s.now)
		}
	}
	return l
}

// dots is how many columns of points a cell has.
func (k *look) dots() int {
	if k.ascii {
		return 1
	}
	return 2
}

// columns reads what is drawn, and the top of its scale.
func (c *chart) columns(n int, top float64) ([][]float64, float64) {
	all := make([][]float64, len(c.series))
	most := c.least
	for i, s := range c.series {
		all[i] = s.history.columns(c.end, c.span, n, highest)
		for j, v := range all[i] {
			if math.IsInf(v, 0) {
				all[i][j] = math.NaN()
			} else if v > most {
				most = v
			}
		}
	}
	if top > 0 && !math.IsInf(top, 0) {
		return all, top
	}
	return all, niceTop(most)
}

// canvas has the axes: three figures at the left, blanks below for the times.
func (c *chart) canvas(k *look, width, height, columns int, top float64) linechart.Model {
	faint := k.theme.styles()[faint]
	rows := height - 2
	m := linechart.New(width, height, 0, float64(columns), 0, top,
		linechart.WithXYSteps(columns+1, max(1, rows/2)),
		linechart.WithStyles(faint, faint, faint),
		linechart.WithXLabelFormatter(func(int, float64) string { return "" }),
		linechart.WithYLabelFormatter(func(i int, v float64) string {
			text := ""
			if i == 0 || i == rows/2 && rows > 3 || i == rows {
				text = asciiOnly(squeeze(c.unit.Format(v), 0))
			}
			return blanks(chartLabels-len(text)) + text[:min(len(text), chartLabels)]
		}),
	)
	m.DrawXYAxisAndLabel()
	return m
}

// trace draws one line, broken where values are missing.
func (k *look) trace(m *linechart.Model, values []float64, top float64, s style) {
	w, h := m.GraphWidth(), m.GraphHeight()
	if k.ascii {
		for i, v := range values {
			if !math.IsNaN(v) {
				m.Canvas.SetCell(canvas.Point{X: m.Origin().X + 1 + i, Y: rowOf(v, top, h)}, canvas.NewCellWithStyle(k.sign.dot, k.theme.styles()[s]))
			}
		}
		return
	}
	grid := graph.NewBrailleGrid(w, h, 0, float64(2*w-1), 0, top)
	var last canvas.Point
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		p := grid.GridPoint(canvas.Float64Point{X: float64(i), Y: min(max(v, 0), top)})
		if i == 0 || math.IsNaN(values[i-1]) {
			last = p
		}
		for _, dot := range graph.GetLinePoints(last, p) {
			grid.Set(dot)
		}
		last = p
	}
	graph.DrawBraillePatterns(&m.Canvas, canvas.Point{X: m.Origin().X + 1}, grid.BraillePatterns(), k.theme.styles()[s])
}

// rowOf is the row of a value, from the top.
func rowOf(v, top float64, rows int) int {
	return rows - 1 - min(max(0, int(math.Round(v/top*float64(rows-1)))), rows-1)
}

// across draws a limit where nothing else is, if it is on the scale.
func (k *look) across(m *linechart.Model, limit, top float64) {
	if !(limit > 0) || limit > top {
		return
	}
	y := rowOf(limit, top, m.GraphHeight())
	for x := m.Origin().X + 1; x < m.Width(); x++ {
		if p := (canvas.Point{X: x, Y: y}); m.Canvas.Cell(p).Rune == 0 {
			m.Canvas.SetCell(p, canvas.NewCellWithStyle(k.sign.limit, k.theme.styles()[faint]))
		}
	}
}

// axis writes the times below, and marks a restart.
func (k *look) axis(m *linechart.Model, c *chart, columns int) {
	faint := k.theme.styles()[faint]
	x, y := m.Origin().X, m.Height()-1
	m.Canvas.SetStringWithStyle(canvas.Point{X: x, Y: y}, "-"+diagnose.Duration(c.span), faint)
	m.Canvas.SetStringWithStyle(canvas.Point{X: m.Width() - len("now"), Y: y}, "now", faint)
	width := max(1, c.span.Milliseconds()/int64(columns))
	at := int64(columns) - 1 - (c.end.UnixMilli()/width - c.restart.UnixMilli()/width)
	if !c.restart.IsZero() && at >= 0 && at < int64(columns) {
		m.Canvas.SetStringWithStyle(canvas.Point{X: x + 1 + int(at), Y: y - 1}, k.sign.restart, k.theme.styles()[warning])
	}
}
