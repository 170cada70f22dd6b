package diagnose

import (
	"context"
	"slices"
)

// smallFleet is how many replicas have their distributions read at every tick. A larger fleet has them read with the whole book: buckets
// are the most that there is to evaluate, and what they say of a minute is at most two ticks old then (judgement).
const smallFleet = 8

// queryBuckets evaluates an expression over a distribution's buckets as often as it says, or else as the fleet of each tick allows: a tick
// says the same in whatever chunk it is judged.
func (c *computation) queryBuckets(ctx context.Context, d *Distribution, expr string) ([]Series, error) {
	large := make([]bool, len(c.ticks))
	for i := range c.ticks {
		large[i] = c.replicasAt(i) > smallFleet
	}
	if d.Every > 0 || !slices.Contains(large, true) {
		return c.query(ctx, expr, d.Window, false, d.Every)
	}
	slow := slowTicks * c.settings.Step
	if !slices.Contains(large, false) {
		return c.query(ctx, expr, d.Window, false, slow)
	}
	often, err := c.query(ctx, expr, d.Window, false, 0)
	if err != nil {
		return nil, err
	}
	seldom, err := c.query(ctx, expr, d.Window, false, slow)
	return append(c.atTicks(often, large, false), c.atTicks(seldom, large, true)...), err
}

// replicasAt is how many replicas are there at a tick.
func (c *computation) replicasAt(i int) (n int) {
	for _, k := range c.byLevel[Replica] {
		if k.isPresent(i) {
			n++
		}
	}
	return n
}

// atTicks are the points of series at the ticks that are marked so.
func (c *computation) atTicks(series []Series, marked []bool, so bool) []Series {
	all := make([]Series, len(series))
	for n, one := range series {
		all[n].Labels = one.Labels
		for _, p := range one.Points {
			if i := c.index(p.Time); i >= 0 && marked[i] == so {
				all[n].Points = append(all[n].Points, p)
			}
		}
	}
	return all
}
