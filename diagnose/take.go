package diagnose

import (
	"context"
	"math"
	"strconv"
)

// distribution is the cumulative buckets of each subject at each tick.
type distribution map[Subject][]buckets

// distribution returns a distribution, and reads it when nobody has.
func (c *computation) distribution(ctx context.Context, d *Distribution) (distribution, error) {
	if known := c.distributions[d.ID]; known != nil {
		return known, nil
	}
	found, err := c.readBuckets(ctx, d)
	if err != nil {
		return nil, err
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
	c.distributions[d.ID] = found
	return found, c.shorten(ctx, d, found)
}

// readBuckets evaluates a distribution, or adds it up; nothing is read where a shorter one says it all.
func (c *computation) readBuckets(ctx context.Context, d *Distribution) (distribution, error) {
	if short := c.catalogue.buckets[d.Shorter]; short != nil && c.within(len(c.ticks)-1, short.Window) {
		return distribution{}, nil
	}
	if d.Sums != "" {
		parts, err := c.distribution(ctx, c.catalogue.buckets[d.Sums])
		return c.sumBuckets(parts, d.Level), err
	}
	series, err := c.queryBuckets(ctx, d, d.Expr)
	if err != nil {
		return nil, err
	}
	found := distribution{}
	for _, one := range series {
		upper, err := strconv.ParseFloat(one.Labels.Get("le"), 64)
		if err != nil {
			continue
		}
		byTick := c.bucketsOf(found, subjectOf(d.Level, one.Labels))
		for _, p := range one.Points {
			if i := c.index(p.Time); i >= 0 && !math.IsNaN(p.Value) {
				if byTick[i] == nil {
					byTick[i] = make(buckets, 0, usualBuckets)
				}
				byTick[i] = append(byTick[i], bucket{upper, p.Value})
			}
		}
	}
	return found, c.lessen(ctx, d, found)
}

// lessen takes what are no real observations out of every bucket.
func (c *computation) lessen(ctx context.Context, d *Distribution, found distribution) error {
	if d.Less == "" {
		return nil
	}
	series, err := c.queryBuckets(ctx, d, d.Less)
	if err != nil {
		return err
	}
	for _, one := range series {
		byTick := found[subjectOf(d.Level, one.Labels)]
		for _, p := range one.Points {
			if i := c.index(p.Time); i >= 0 && byTick != nil && !math.IsNaN(p.Value) {
				for k := range byTick[i] {
					byTick[i][k].count = max(0, byTick[i][k].count-p.Value)
				}
			}
		}
	}
	return nil
}

// usualBuckets is room for the buckets of vLLM's distributions of latencies.
const usualBuckets = 24

// bucketsOf returns the ticks of a subject, which it may add.
func (c *computation) bucketsOf(d distribution, s Subject) []buckets {
	if d[s] == nil {
		d[s] = make([]buckets, len(c.ticks))
	}
	return d[s]
}

// sumBuckets adds up the buckets of all subjects that are part of the same subject of a higher level.
func (c *computation) sumBuckets(parts distribution, level Level) distribution {
	found := distribution{}
	for part, ticks := range parts {
		byTick := c.bucketsOf(found, part.At(level))
		for i := range ticks {
			byTick[i] = byTick[i].plus(ticks[i])
		}
	}
	return found
}

// take reads one figure of a distribution into a column.
func (c *computation) take(ctx context.Context, s *Signal) error {
	found, err := c.distribution(ctx, c.catalogue.buckets[s.Of])
	if err != nil {
		return err
	}
	window := c.settings.window(c.catalogue.buckets[s.Of].Window).Seconds()
	if c.settings.lifetime {
		window = 1 // the buckets hold observations, not those of a second
	}
	for subject, byTick := range found {
		n := len(c.ticks)
		col := &column{value: absentColumn(n), low: absentColumn(n), high: absentColumn(n), n: absentColumn(n)}
		c.put(s, c.meet(subject), col)
		for i, b := range byTick {
			if b == nil {
				continue
			}
			col.value[i], col.low[i], col.high[i] = b.read(s.Take, c.settings.value(s.Take.bound, subject), window)
			col.n[i] = b.total() * window
		}
	}
	return nil
}

// noneOver says that nothing is over a bound that nobody has set; for that nothing needs to be read.
func (c *computation) noneOver(s *Signal) {
	for _, k := range c.byLevel[s.Level] {
		if k.present != nil {
			c.put(s, k.subjectFacts, &column{value: make([]float64, len(c.ticks))})
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
	case takeShareAtMost:
		_, high = b.shareOver(bound)
		return high, high, high
	case takeShareBeyond:
		beyond := 1 - b[len(b)-2].count/b.total()
		return beyond, beyond, beyond
	case takeEdgeBelow, takeEdgeAbove:
		low, high = b.around(bound)
		if t.kind == takeEdgeAbove {
			low = high
		}
		return low, low, low
	case takeSlowest:
		low, high = b.slowest()
		return low, low, high
	default:
		n := b.total() * window
		return n, n, n
	}
}
