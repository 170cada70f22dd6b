package diagnose

import (
	"cmp"
	"math"
	"slices"
)

// bucket is one cumulative bucket: how many observations are at most upper.
type bucket struct{ upper, count float64 }

// buckets are sorted by upper and end with +Inf.
type buckets []bucket

// Fewest observations for a quantile that is worth a number: with fewer it is marked as rough (judgement).
func fewest(q float64) float64 {
	switch {
	case q > 0.95:
		return 300
	case q > 0.5:
		return 100
	}
	return 20
}

// tidy sorts the buckets and makes them usable as Prometheus does: counts that fall are raised to the count before, since
// scrapes of several series are no snapshot. Without a +Inf bucket, or without observations, there is nothing to read.
func (b buckets) tidy() (buckets, bool) {
	slices.SortFunc(b, func(x, y bucket) int { return cmp.Compare(x.upper, y.upper) })
	for i := 1; i < len(b); i++ {
		b[i].count = math.Max(b[i].count, b[i-1].count)
	}
	return b, len(b) > 1 && math.IsInf(b[len(b)-1].upper, 1) && b[len(b)-1].count > 0
}

// plus adds other buckets edge by edge, as sum by (le) does.
func (b buckets) plus(o buckets) buckets {
	if len(b) == 0 {
		return slices.Clone(o)
	}
	for _, one := range o {
		if i, found := slices.BinarySearchFunc(b, one, func(x, y bucket) int { return cmp.Compare(x.upper, y.upper) }); found {
			b[i].count += one.count
		} else {
			b = slices.Insert(b, i, one)
		}
	}
	return b
}

// total is the number of observations.
func (b buckets) total() float64 { return b[len(b)-1].count }

// quantile returns the estimate that Prometheus's histogram_quantile gives and the bucket that holds it. In the last bucket the
// estimate is its lower edge, and the upper one is infinite.
func (b buckets) quantile(q float64) (value, low, high float64) {
	rank := q * b.total()
	i := slices.IndexFunc(b, func(x bucket) bool { return x.count >= rank })
	if i < 0 || i == len(b)-1 {
		edge := b[len(b)-2].upper
		return edge, edge, math.Inf(1)
	}
	low, below := 0.0, 0.0
	if i > 0 {
		low, below = b[i-1].upper, b[i-1].count
	}
	high = b[i].upper
	if i == 0 && high <= 0 {
		return high, high, high
	}
	if b[i].count == below {
		return low, low, high
	}
	return low + (high-low)*(rank-below)/(b[i].count-below), low, high
}

// shareOver returns the share of observations above the bound as an interval; both ends are equal when the bound is an edge. Without a
// bound there is none.
func (b buckets) shareOver(bound float64) (low, high float64) {
	if math.IsNaN(bound) {
		return bound, bound
	}
	i := slices.IndexFunc(b, func(x bucket) bool { return x.upper >= bound })
	low = 1 - b[i].count/b.total()
	switch {
	case b[i].upper == bound:
		return low, low
	case i == 0:
		return low, 1
	}
	return low, 1 - b[i-1].count/b.total()
}

// around returns the edges between which a bound lies, or the bound twice when it is an edge.
func (b buckets) around(bound float64) (low, high float64) {
	i := slices.IndexFunc(b, func(x bucket) bool { return x.upper >= bound })
	switch {
	case b[i].upper == bound:
		return bound, bound
	case i > 0:
		low = b[i-1].upper
	}
	return low, b[i].upper
}

// slowest returns the highest bucket with an observation in it. Rates of equal counts may differ in the last digits.
func (b buckets) slowest() (low, high float64) {
	i := slices.IndexFunc(b, func(x bucket) bool { return x.count >= b.total()*(1-1e-9) })
	if i > 0 {
		low = b[i-1].upper
	}
	return low, b[i].upper
}
