package ui

import (
	"math"
	"slices"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// history is a signal's values at successive ticks; NaN is a gap.
type history struct {
	first  time.Time
	step   time.Duration
	values []float64
}

func historyOf(r *diagnose.Report, signal string, subject diagnose.Subject) history {
	first, values := r.History(signal, subject)
	return history{first, r.Settings.Step, values}
}

// last is the newest value that there is, NaN when there is none.
func (h history) last() float64 {
	for _, v := range slices.Backward(h.values) {
		if !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}

// since is the part of the history that lies within a span before the end.
func (h history) since(end time.Time, span time.Duration) history {
	skip := 0
	if h.step > 0 {
		skip = min(max(0, int(end.Add(-span).Sub(h.first)/h.step)), len(h.values))
	}
	return history{h.first.Add(time.Duration(skip) * h.step), h.step, h.values[skip:]}
}

// columns sums a history up in n columns that together make up the span, by what sumUp makes of the ticks in each; NaN where there is
// none.
//
// The columns are bound to the clock: a column begins at a multiple of span/n since the epoch, whoever looks and whenever. So only
// the last one changes from one report to the next, and a replay draws what the live screen drew.
func (h history) columns(end time.Time, span time.Duration, n int, sumUp func([]float64) float64) []float64 {
	if n <= 0 || h.step <= 0 {
		return nil
	}
	width := max(1, span.Milliseconds()/int64(n))
	begin := (end.UnixMilli()/width - int64(n) + 1) * width
	columns := make([]float64, n)
	for c := range columns {
		from := begin + int64(c)*width
		columns[c] = sumUp(h.between(from, min(from+width, end.UnixMilli()+1)))
		if width < h.step.Milliseconds() && math.IsNaN(columns[c]) {
			columns[c] = h.at(from, end.UnixMilli())
		}
	}
	return columns
}

// between is the values of the ticks from one moment up to, and without, another.
func (h history) between(from, to int64) []float64 {
	step := h.step.Milliseconds()
	index := func(moment int64) int { return int((moment - h.first.UnixMilli() + step - 1) / step) }
	first, behind := max(0, index(from)), min(index(to), len(h.values))
	if behind <= first {
		return nil
	}
	return h.values[first:behind]
}

// at is the value of the tick that covers a moment: a tick stands for the step behind it, and none for what is after the end.
func (h history) at(moment, end int64) float64 {
	since := moment - h.first.UnixMilli()
	i := since / h.step.Milliseconds()
	if since < 0 || moment > end || i >= int64(len(h.values)) {
		return math.NaN()
	}
	return h.values[i]
}

// Trends.
const (
	falling = -1
	level   = 0
	rising  = 1
)

// A trend must be a tenth of the value (judgement): what is less is how such numbers breathe.
const noteworthy = 0.1

// trend compares the last sixth of a span with its first half; ok is false where one of them has no value. Changes that are small
// in themselves, below the least, are none.
func (h history) trend(end time.Time, span time.Duration, least float64) (direction int, ok bool) {
	values := h.since(end, span).values
	newest := max(1, len(values)/6)
	if len(values) < 2*newest {
		return level, false
	}
	before, now := mean(values[:len(values)/2]), mean(values[len(values)-newest:])
	change := now - before
	switch {
	case math.IsNaN(change):
		return level, false
	case math.Abs(change) < max(least, noteworthy*max(math.Abs(before), math.Abs(now))):
		return level, true
	case change > 0:
		return rising, true
	}
	return falling, true
}

// mean is that of the values that there are; NaN of none.
func mean(values []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}

// highest is the highest of the values that there are; NaN of none.
func highest(values []float64) float64 {
	most := math.NaN()
	for _, v := range values {
		if v > most || math.IsNaN(most) {
			most = v
		}
	}
	return most
}
