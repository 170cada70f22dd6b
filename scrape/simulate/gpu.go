package simulate

import (
	"math"
	"math/rand/v2"
)

// gpu is what the exporter lists: a device, or a MIG slice of one, and what it saw of it last.
type gpu struct {
	*device
	index     int // of the device
	slice     slice
	instance  int // of the slice, from 1
	uuid, bus string
	group     *hardware
	portion   float64 // of the memory that an engine takes when it starts
	before    activity
	reading   reading
}

// reading is what the exporter saw: means over its interval of what DCGM profiles, and the state at its end of what it asks
// the driver, whose utilisation and power are means over the last second.
type reading struct {
	share       activity // means; the link in bytes a second
	second      activity // the last second's
	power       float64  // watts
	energy      float64  // millijoules since boot
	temperature float64  // degrees Celsius
	clock       float64  // MHz
	reasons     int
	taken       float64 // MiB of the memory in use
	limit       float64 // of power, in watts
	memoryClock float64 // MHz
	powerHeld   float64 // seconds of being held down by power,
	heatHeld    float64 // and by heat
	generation  int     // of the PCIe link
	lanes       int
	xid         int
	dead        bool // the driver cannot reach it, so that nothing else is known
}

// size is the memory of the device, or slice, in MiB.
func (g *gpu) size() float64 { return float64(g.group.memory) }

func (g *gpu) look(now, seconds float64, random *rand.Rand) {
	done := g.group.activity(now)
	share := activity{}
	share.add(done, 1/seconds)
	share.add(g.before, -1/seconds)
	g.before = done
	g.stranger.join(&share)
	// Shares of tensor pipe and memory are of their cycles, and those are fewer at a lower clock.
	share.tensor /= g.share()
	share.memory /= g.memoryClock
	// Devices of one group differ a little, and no two readings of a busy device are equal.
	wobble := 1 + 0.008*random.NormFloat64()
	share.busy = min(1, max(0, share.busy))
	for _, x := range []*float64{&share.sm, &share.tensor, &share.memory} {
		*x = min(1, max(0, *x)*wobble)
	}
	share.nvlink *= wobble
	share.pcie *= wobble
	g.reading = reading{
		share: share, second: g.last, power: min(g.limit, g.power*wobble), energy: math.Floor(1000 * g.energy),
		temperature: g.temperature, clock: g.megahertz(), reasons: g.reasons(),
		taken: g.stranger.memory + math.Floor(g.size()*g.portion*g.group.occupancy.at(now)),
		limit: g.limit, memoryClock: math.Round(g.memoryMHz * g.memoryClock), powerHeld: g.powerHeld, heatHeld: g.heatHeld,
		generation: g.linkGeneration(), lanes: fullWidth - g.lost, xid: g.xid, dead: g.dead,
	}
}
