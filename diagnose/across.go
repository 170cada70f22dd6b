package diagnose

import (
	"math"
	"slices"
)

// acrossGPUs adds, for each server, one column for all its GPUs.
func (c *computation) acrossGPUs(s *Signal) {
	if s.Level != GPU {
		return
	}
	servers := map[Subject]bool{}
	for _, t := range c.topology {
		for server := range t.gpus {
			servers[server] = true
		}
	}
	for server := range servers {
		col := newColumn(len(c.ticks))
		for i, t := range c.topology {
			var values []float64
			for _, gpu := range t.gpus[server] {
				if one := c.column(s, gpu); one != nil && !math.IsNaN(one.value[i]) {
					values = append(values, one.value[i])
				}
			}
			col.value[i] = s.Across.of(values)
		}
		k := c.meet(server)
		if k.across == nil {
			k.across = make([]*column, c.catalogue.count[GPU])
		}
		k.across[s.place] = col
	}
}

// of sums up the values of several GPUs; none gives NaN.
func (a Across) of(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	switch a {
	case Highest:
		return slices.Max(values)
	case Lowest:
		return slices.Min(values)
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
