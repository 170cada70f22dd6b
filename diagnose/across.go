package diagnose

import (
	"maps"
	"math"
	"slices"
)

// acrossGPUs adds, for each server, one column for all its GPUs.
func (c *computation) acrossGPUs(s *Signal) {
	if s.Level != GPU || c.columns[s.ID] == nil {
		return
	}
	byID := c.columns[s.ID]
	servers := map[Subject]bool{}
	for _, t := range c.topology {
		for server := range t.gpus {
			servers[server] = true
		}
	}
	for server := range maps.Keys(servers) {
		col := newColumn(len(c.ticks))
		for i, t := range c.topology {
			var values []float64
			for _, gpu := range t.gpus[server] {
				if one := byID[gpu]; one != nil && !math.IsNaN(one.value[i]) {
					values = append(values, one.value[i])
				}
			}
			col.value[i] = s.Across.of(values)
		}
		byID[server] = col
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
