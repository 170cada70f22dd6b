package ui

import (
	"math"
	"slices"
	"strings"
)

// order is how the table is sorted.
type order struct {
	column  int
	reverse bool
}

// clearly is by which part one row must be ahead of the one before it to change places with it (judgement).
const clearly = 0.2

// sorted brings rows in order. Those that were there before keep the order they had (were) unless the figures differ clearly, so that
// they do not dance; with nothing before them, all are sorted strictly.
func (s *scene) sorted(rows []tableRow, by order, columns [columnCount]column, were []rowKey) []tableRow {
	if by.column == nameColumn || by.column == modelColumn {
		return s.byName(rows, by)
	}
	values := map[rowKey]float64{}
	for i := range rows {
		values[rows[i].key] = s.weight(&rows[i], &columns[by.column])
	}
	ahead := func(a, b tableRow, least, share float64) bool { // highest first, what has no figure last
		x, y := values[a.key], values[b.key]
		if by.reverse {
			x, y = -x, -y
		}
		if math.IsNaN(x) || math.IsNaN(y) {
			return math.IsNaN(y) && !math.IsNaN(x)
		}
		return x-y > max(least, share*max(math.Abs(x), math.Abs(y)))
	}
	strictly := func(a, b tableRow) int {
		switch {
		case ahead(a, b, 0, 0):
			return -1
		case ahead(b, a, 0, 0):
			return 1
		}
		return 0
	}
	if len(were) == 0 {
		slices.SortStableFunc(rows, strictly)
		return rows
	}
	least := columns[by.column].least
	place := func(w tableRow) int {
		if i := slices.Index(were, w.key); i >= 0 {
			return i
		}
		return len(were)
	}
	slices.SortStableFunc(rows, func(a, b tableRow) int { return place(a) - place(b) })
	settle(rows, func(a, b tableRow) bool { return ahead(a, b, 0, 0) }, func(a, b tableRow) bool { return ahead(a, b, least, clearly) })
	return rows
}

// settle brings a list in order and moves as little as it can: next comes whoever stood first among those that the best one left is
// not clearly ahead of.
func settle[T any](list []T, ahead, clearly func(a, b T) bool) {
	for i := range list {
		left := list[i:]
		best := left[0]
		for _, one := range left[1:] {
			if ahead(one, best) {
				best = one
			}
		}
		next := slices.IndexFunc(left, func(one T) bool { return !clearly(best, one) })
		one := left[next]
		copy(left[1:], left[:next])
		left[0] = one
	}
}

// byName sorts by name or model; rows of equal names stay in the report's order.
func (s *scene) byName(rows []tableRow, by order) []tableRow {
	if by.column == modelColumn {
		slices.SortStableFunc(rows, func(a, b tableRow) int { return strings.Compare(a.key.subject.Model, b.key.subject.Model) })
	}
	if by.reverse {
		slices.Reverse(rows)
	}
	return rows
}

// weight is what a row is sorted by.
func (s *scene) weight(w *tableRow, c *column) float64 {
	if w.remark != "" {
		return math.NaN()
	}
	if w.down {
		return historyOf(s.report, c.signal, w.key.subject).last()
	}
	return s.fact(w, c).Value
}
