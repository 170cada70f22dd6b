package simulate

import "math"

// rhythm is how the rate of an open loop changes with the fleet's clock. Without one it is always the same.
type rhythm struct {
	period float64 // seconds of a cycle, of which the fleet's clock began one at 0

	swing float64 // of a day curve: how far the rate moves up and down from its mean, 0 to 1; the cycle begins at the lowest
	burst float64 // of bursts: seconds at the start of a cycle in which requests come; 0 means all the time

	growth float64 // how many times the rate becomes,
	over   float64 // in so many seconds from the start of the load
}

// steady says that the rate never changes.
func (r rhythm) steady() bool { return r == rhythm{} }

// at is the rate of a moment as a multiple of the load's: now by the fleet's clock, age since the load began.
func (r rhythm) at(now, age float64) float64 {
	factor := 1.0
	if r.over > 0 {
		factor = 1 + (r.growth-1)*min(1, age/r.over)
	}
	if r.period == 0 {
		return factor
	}
	phase := math.Mod(now, r.period)
	if r.burst > 0 && phase >= r.burst {
		return 0
	}
	return factor * (1 - r.swing*math.Cos(2*math.Pi*phase/r.period))
}

// highest is the most that at can be.
func (r rhythm) highest() float64 {
	highest := 1 + r.swing
	if r.over > 0 {
		highest *= max(1, r.growth)
	}
	return highest
}

// limits are the ranges of its numbers.
func (r rhythm) limits(load string) []limits {
	return []limits{
		{"period of load " + load, r.period, 0, 7 * 86400},
		{"swing of load " + load, r.swing, 0, 1},
		{"burst of load " + load, r.burst, 0, r.period},
		{"growth of load " + load, r.growth, 0, 1000},
		{"time of growth of load " + load, r.over, 0, 7 * 86400},
	}
}
