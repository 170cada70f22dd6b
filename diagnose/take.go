package diagnose

import (
	"context"
	"math"
	"strconv"
)

// readBuckets evaluates a distribution: the cumulative buckets of each subject at each tick.
func (c *computation) readBuckets(ctx context.Context, d *Distribution) (map[Subject][]buckets, error) {
	series, err := c.query(ctx, d.Expr, d.Window, false)
	if err != nil {
		return nil, err
	}
	found := map[Subject][]buckets{}
	for _, one := range series {
		upper, err := strconv.ParseFloat(one.Labels.Get("le"), 64)
		if err != nil {
			continue
		}
		subject := subjectOf(d.Level, one.Labels)
		if found[subject] == nil {
			found[subject] = make([]buckets, len(c.ticks))
		}
		for _, p := range one.Points {
			if i := c.index(p.Time); i >= 0 && !math.IsNaN(p.Value) {
				found[subject][i] = append(found[subject][i], bucket{upper, p.Value})
			}
		}
	}
	for _, byTick := range found {
		for i, b := range byTick {
			if b, ok := b.tidy(); ok {
				byTick[i] = b
			} else {
				byTick[i] = nil
			}
		}
	}
	return found, nil
}

// take reads one figure of a distribution into a column.
func (c *computation) take(s *Signal, distribution map[Subject][]buckets) {
	window := c.settings.window(c.catalogue.buckets[s.Of].Window).Seconds()
	if c.settings.lifetime {
		window = 1 // the buckets hold observations, not those of a second
	}
	c.columns[s.ID] = map[Subject]*column{}
	for subject, byTick := range distribution {
		n := len(c.ticks)
		col := &column{value: absentColumn(n), low: absentColumn(n), high: absentColumn(n), n: absentColumn(n)}
		c.columns[s.ID][subject] = col
		for i, b := range byTick {
			if b == nil {
				continue
			}
			col.value[i], col.low[i], col.high[i] = b.read(s.Take, c.settings.value(s.Take.bound, subject), window)
			col.n[i] = b.total() * window
		}
	}
}

// read takes one figure with its bounds; buckets hold observations a second.
func (b buckets) read(t Take, bound, window float64) (value, low, high float64) {
	switch t.kind {
	case takeQuantile:
		return b.quantile(t.quantile)
	case takeShareOver:
		low, high = b.shareOver(bound)
		return low, low, high
	case takeSlowest:
		low, high = b.slowest()
		return low, low, high
	default:
		n := b.total() * window
		return n, n, n
	}
}
