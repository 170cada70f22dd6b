package diagnose

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// SlowInterval is how often signals are read that have an Every: all have the same.
const SlowInterval = time.Minute

// slowReadings are the newest readings of signals that are read now and then only, by their expression. A watch keeps them from chunk to
// chunk; without them they are read again, and are the same.
type slowReadings struct{ readings map[string]slowReading }

type slowReading struct {
	at     int64 // in milliseconds since the epoch
	series []Series
}

// at is what an expression said at a moment, where that is still known.
func (r *slowReadings) at(expr string, moment int64) (series []Series, ok bool) {
	if r == nil {
		return nil, false
	}
	if one, known := r.readings[expr]; known && one.at == moment {
		return one.series, true
	}
	return nil, false
}

// keep takes down what an expression says at a moment, the newest of the series, and forgets what nobody will ask for again: expressions
// change with the names that the targets have.
func (r *slowReadings) keep(expr string, moment int64, series []Series) {
	switch {
	case r == nil:
		return
	case r.readings == nil:
		r.readings = map[string]slowReading{}
	}
	maps.DeleteFunc(r.readings, func(_ string, one slowReading) bool { return one.at < moment-2*SlowInterval.Milliseconds() })
	r.readings[expr] = slowReading{moment, momentOf(series, moment)}
}

// readSlowly evaluates an expression at multiples of a span, and gives each tick what the last one said. While the data is young every tick is
// asked by itself: what a reading lacks then is there a moment later.
func (c *computation) readSlowly(ctx context.Context, resolved resolvedExpr, every time.Duration) ([]Series, error) {
	span := every.Milliseconds()
	begun := (c.begin.Add(youth).UnixMilli() + span - 1) / span * span
	n, _ := slices.BinarySearch(c.ticks, begun)
	var early, late []Series
	var err error
	if n > 0 {
		early, err = c.source.Range(ctx, resolved.expr, c.first(), time.UnixMilli(c.ticks[n-1]), c.settings.Step)
	}
	if n < len(c.ticks) && err == nil {
		late, err = c.readings(ctx, resolved.expr, c.ticks[n]/span*span, c.ticks[len(c.ticks)-1]/span*span, every)
	}
	return append(early, c.spread(late, c.ticks[n:], span)...), err
}

// readings are what an expression says at multiples of a span; what is still known of the first is not asked again.
func (c *computation) readings(ctx context.Context, expr string, first, last int64, every time.Duration) ([]Series, error) {
	known, ok := c.slow.at(expr, first)
	if ok {
		first += every.Milliseconds()
	}
	if first > last {
		return known, nil
	}
	series, err := c.source.Range(ctx, expr, time.UnixMilli(first), time.UnixMilli(last), every)
	if err != nil {
		return nil, err
	}
	c.slow.keep(expr, last, series)
	return slices.Concat(known, series), nil
}

// momentOf is what series say of one moment.
func momentOf(series []Series, at int64) []Series {
	var all []Series
	for _, one := range series {
		for _, p := range one.Points {
			if p.Time == at {
				all = append(all, Series{Labels: one.Labels, Points: []Point{p}})
			}
		}
	}
	return all
}

// spread gives every tick the point of the last multiple of a span at or before it.
func (c *computation) spread(series []Series, ticks []int64, span int64) []Series {
	all := make([]Series, len(series))
	points := make([]Point, 0, len(series)*len(ticks))
	for i, one := range series {
		begin := len(points)
		for _, tick := range ticks {
			at, found := slices.BinarySearchFunc(one.Points, tick/span*span, func(p Point, at int64) int { return cmp.Compare(p.Time, at) })
			if found {
				points = append(points, Point{Time: tick, Value: one.Points[at].Value})
			}
		}
		all[i] = Series{Labels: one.Labels, Points: points[begin:len(points):len(points)]}
	}
	return all
}

// everyFor is how often what is taken over a span of this length is read: of minutes at every tick, as 0 says.
func everyFor(window time.Duration) time.Duration {
	if window < 30*time.Minute {
		return 0
	}
	return SlowInterval
}
