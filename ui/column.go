package ui

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// column is a figure of the table. All widths are in cells.
type column struct {
	title  string
	short  string // where the title does not fit; it need not if it is empty
	signal string
	unit   string  // left out behind a value, since the title has it
	value  int     // width of the value, its arrow included
	arrow  bool    // whether the value rises or falls
	least  float64 // a smaller change is none
	spark  int     // width of the sparkline, 0 while there is no room for one
	bar    bool    // a bar instead of the sparkline
	adds   bool    // values of several replicas may be added
	dips   bool    // its lows matter as its peaks do: sparklines show the mean
	floor  float64 // the sparkline's top is at least this
	name   int     // width of a name: the first two columns hold no figures
}

// Places of the columns.
const (
	nameColumn = iota
	modelColumn
	waitingColumn
	runningColumn
	kvColumn
	ttftColumn
	tpotColumn
	outputColumn
	gpuColumn
	requestsColumn
	preemptionsColumn
	columnCount
)

// columns are what a table could show; widths are given by grant.
func (s *scene) columns() [columnCount]column {
	slo := diagnose.SLO{}
	if s.report != nil {
		slo = objectiveOf(s.report, s.report.Replicas)
	}
	return [...]column{
		nameColumn:        {title: "REPLICA"},
		modelColumn:       {title: "MODEL"},
		waitingColumn:     {title: "waiting", short: "wait", signal: "waiting", arrow: true, least: 1, adds: true, floor: 5},
		runningColumn:     {title: "running", signal: "running", least: 1, adds: true},
		kvColumn:          {title: "KV cache", short: "KV", signal: "kv_usage", least: 0.02, bar: true, floor: 1},
		ttftColumn:        {title: "TTFT p99", signal: "ttft_p99", arrow: true, least: 0.005, floor: slo.TTFT.Seconds()},
		tpotColumn:        {title: "TPOT p99", signal: "tpot_p99", least: 0.001, floor: slo.TPOT.Seconds()},
		outputColumn:      {title: "out tok/s", short: "tok/s", signal: "generation_tokens_per_second", unit: " tok/s", least: 1, adds: true, dips: true},
		gpuColumn:         {title: "GPU", signal: "gpu_busy", least: 0.02, floor: 1, dips: true},
		requestsColumn:    {title: "req/min", signal: "requests_per_minute", unit: " a minute", least: 1, adds: true},
		preemptionsColumn: {title: "preempt/min", signal: "preemptions_per_minute", unit: " a minute", least: 1, adds: true},
	}
}

// A wish is width that a column would like to have.
type wish struct {
	column, width int
	what          wished
}

type wished uint8

const (
	forValue wished = iota
	forSpark
	forName
)

// Widths that names are given before and after the figures.
const (
	leastName, someName, mostName = 14, 21, 40
	leastModel, mostModel         = 10, 32
)

// wishes lists what columns want, in the order in which a wider screen grants it: first the figures that tell a sick replica from a
// healthy one, at 80 columns; sparklines from 100 on; rates from 140 on.
func wishes(name, model, models int) []wish {
	name, model = max(name, leastName), max(model, leastModel)
	early, late := wish{modelColumn, leastModel, forName}, wish{}
	if models < 2 {
		early, late = late, early
	}
	return []wish{
		{nameColumn, leastName, forName},
		{waitingColumn, 7, forValue},
		{kvColumn, 6, forValue},
		{ttftColumn, 13, forValue},
		{runningColumn, 9, forValue},
		{tpotColumn, 10, forValue},
		{nameColumn, min(name, someName), forName},
		early,
		{outputColumn, 5, forValue},
		{gpuColumn, 5, forValue},
		late,
		{waitingColumn, 7, forSpark},
		{ttftColumn, 5, forSpark},
		{kvColumn, 6, forSpark},
		{outputColumn, 5, forSpark},
		{tpotColumn, 5, forSpark},
		{gpuColumn, 3, forSpark},
		{requestsColumn, 7, forValue},
		{preemptionsColumn, 11, forValue},
		{nameColumn, min(name, mostName), forName},
		{modelColumn, min(model, mostModel), forName},
		{waitingColumn, 15, forSpark},
		{ttftColumn, 15, forSpark},
		{tpotColumn, 10, forSpark},
		{outputColumn, 10, forSpark},
		{gpuColumn, 8, forSpark},
		{kvColumn, 12, forSpark},
	}
}

// grant gives the columns their widths, wish by wish while there is room. Of several wishes for one thing the last granted counts.
func grant(columns [columnCount]column, wishes []wish, width int) [columnCount]column {
	left := width - indent
	for _, w := range wishes {
		c := &columns[w.column]
		had := map[wished]*int{forValue: &c.value, forSpark: &c.spark, forName: &c.name}[w.what]
		cost := w.width - *had
		if *had == 0 {
			cost++ // the blank before it
		}
		if w.width > *had && cost <= left {
			left -= cost
			*had = w.width
		}
	}
	return columns
}

// shown tells whether a column has any room.
func (c *column) shown() bool { return c.name > 0 || c.value > 0 }

// width is what the column takes, without the blank before it.
func (c *column) width() int {
	switch {
	case c.name > 0:
		return c.name
	case c.spark > 0:
		return c.spark + 1 + c.value
	}
	return c.value
}

// squeeze leaves blanks out of a value where that makes it fit.
func squeeze(text string, width int) string {
	for _, blank := range []string{" – ", " "} {
		if len([]rune(text)) > width {
			text = strings.ReplaceAll(text, blank, strings.TrimSpace(blank))
		}
	}
	return text
}

// top is the top of a column's sparklines, the same for all rows so that they can be compared.
func (s *scene) top(c *column) float64 {
	most := c.floor
	for _, replica := range s.report.Replicas {
		if v := highest(historyOf(s.report, c.signal, replica).since(s.report.Time, s.span).values); v > most {
			most = v
		}
	}
	if most > 0 && most == c.floor {
		return most // an objective stays what it is
	}
	return niceTop(most)
}

// sumUp makes one column of a sparkline of several ticks: their peak, since a short queue or a slow minute must not vanish in a long
// span, or their mean where a stall must not.
func (c *column) sumUp(values []float64) float64 {
	if c.dips {
		return mean(values)
	}
	return highest(values)
}

// fact is a row's figure in a column, over the screen's window as its history: the replica's own, or what the fold makes of the group's.
func (s *scene) fact(w *tableRow, c *column) diagnose.Fact {
	var known []diagnose.Fact
	for _, m := range w.members {
		if f := s.report.Figure(c.signal, m); f.Known() || w.key.fold == unfolded {
			known = append(known, f)
		}
	}
	absent := diagnose.Fact{Signal: s.report.Book().Signal(c.signal), Value: math.NaN(), Absence: diagnose.Blank}
	if len(known) == 0 || w.key.fold == totalOf && !c.adds {
		return absent
	}
	slices.SortStableFunc(known, func(a, b diagnose.Fact) int { return cmp.Compare(a.Value, b.Value) })
	switch w.key.fold {
	case worstOf:
		if !c.dips {
			return known[len(known)-1]
		}
	case medianOf:
		return known[(len(known)-1)/2]
	case totalOf:
		sum := absent
		sum.Value, sum.Absence = 0, diagnose.Present
		for _, f := range known {
			sum.Value += f.Value
		}
		sum.Low, sum.High = sum.Value, sum.Value
		return sum
	}
	return known[0]
}
