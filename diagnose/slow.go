package diagnose

import (
	"context"
	"time"
)

// slowReadings are the newest readings of signals that are read now and then only, by their expression. A watch keeps them from chunk to
// chunk; without them they are read again, and are the same.
type slowReadings struct{ readings map[string]slowReading }

type slowReading struct {
	at     int64 // in milliseconds since the epoch
	series []Series
}

// at is what an expression said at a moment, where that is still known.
func (r *slowReadings) at(expr string, moment int64) (series []Series, ok bool) {
	if r == nil || r.readings[expr].at != moment {
		return nil, false
	}
	return r.readings[expr].series, true
}

// keep takes down what an expression says at a moment, the newest of the series.
func (r *slowReadings) keep(expr string, moment int64, series []Series) {
	switch {
	case r == nil:
		return
	case r.readings == nil:
		r.readings = map[string]slowReading{}
	}
	r.readings[expr] = slowReading{moment, momentOf(series, moment)}
}

// slowly reads a signal at the multiples of its Every, and gives each tick what the last one said.
func (c *computation) slowly(ctx context.Context, s *Signal) ([]Series, error) {
	resolved, err := c.resolver.resolve(s.Expr, c.settings, s.Window, s.Unit.isRate())
	if err != nil || resolved.futile {
		return nil, err
	}
	every := s.Every.Milliseconds()
	first, last := c.ticks[0]/every*every, c.ticks[len(c.ticks)-1]/every*every
	if known, ok := c.slow.at(resolved.expr, first); ok && first == last {
		return c.spread(known, every), nil
	}
	series, err := c.source.Range(ctx, resolved.expr, time.UnixMilli(first), time.UnixMilli(last), s.Every)
	if err != nil {
		return nil, err
	}
	c.slow.keep(resolved.expr, last, series)
	return c.spread(series, every), nil
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

// spread gives every tick the point of the last multiple of every at or before it.
func (c *computation) spread(series []Series, every int64) []Series {
	all := make([]Series, len(series))
	for i, one := range series {
		values := map[int64]float64{}
		for _, p := range one.Points {
			values[p.Time] = p.Value
		}
		all[i].Labels = one.Labels
		for _, tick := range c.ticks {
			if v, ok := values[tick/every*every]; ok {
				all[i].Points = append(all[i].Points, Point{Time: tick, Value: v})
			}
		}
	}
	return all
}
