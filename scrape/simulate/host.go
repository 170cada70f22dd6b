package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// host is a machine with GPUs and a dcgm-exporter, which looks at them at an interval and repeats what it saw in between.
type host struct {
	name     string
	interval float64 // seconds
	gpus     []*gpu
	random   *rand.Rand
	gone     bool    // the exporter does not run
	stale    bool    // its host engine repeats what it saw last
	link     float64 // bytes a second to whoever scrapes; 0 means plenty
}

// gpu is one device, the group that it is one of, and what the exporter saw last.
type gpu struct {
	accelerator
	uuid, bus string
	group     *hardware
	portion   float64 // of the memory that an engine takes when it starts
	before    activity
	reading   reading
}

// reading is what the exporter saw: means over its interval, and states at its end.
type reading struct {
	share       activity // shares of the interval, the link in bytes a second
	power       float64  // watts
	energy      float64  // millijoules since boot
	temperature float64  // degrees Celsius
	clock       float64  // MHz
	occupied    float64  // share of the memory that a running engine takes
}

// Temperatures, by judgement, of a well cooled server: at rest, for each watt, and how slowly it follows.
const (
	restCelsius    = 27
	celsiusPerWatt = 0.055
	thermalSeconds = 40
)

// plug adds the devices of an engine to a host.
func (h *host) plug(group *hardware, memoryUtilization float64) {
	for range group.devices {
		i := len(h.gpus)
		h.gpus = append(h.gpus, &gpu{
			accelerator: group.accelerator,
			uuid: fmt.Sprintf("GPU-%08x-%04x-%04x-%04x-%012x", h.random.Uint32(), h.random.Uint32N(1<<16), h.random.Uint32N(1<<16),
				h.random.Uint32N(1<<16), h.random.Uint64N(1<<48)),
			bus:     fmt.Sprintf("00000000:%02X:00.0", (0x1b+0x11*i)&0xff),
			group:   group,
			portion: memoryUtilization,
			reading: reading{temperature: restCelsius + 5, energy: 4e11 * (1 + h.random.Float64())},
		})
	}
}

// look refreshes what the exporter shows.
func (h *host) look(now float64) {
	if h.stale {
		return
	}
	for _, g := range h.gpus {
		g.look(now, h.interval, h.random)
	}
}

// taken is the memory of the device that an engine holds, in MiB.
func (g *gpu) taken() float64 {
	return math.Floor(float64(g.memory) * g.portion * g.reading.occupied)
}

func (g *gpu) look(now, seconds float64, random *rand.Rand) {
	done := g.group.activity(now)
	share := activity{}
	share.add(done, 1/seconds)
	share.add(g.before, -1/seconds)
	g.before = done
	// Devices of one group differ a little, and no two readings of a busy device are equal.
	wobble := 1 + 0.008*random.NormFloat64()
	share.busy = min(1, max(0, share.busy))
	for _, x := range []*float64{&share.sm, &share.tensor, &share.memory} {
		*x = min(1, max(0, *x)*wobble)
	}
	share.link *= wobble
	r := &g.reading
	r.share = share
	r.occupied = g.group.memory.at(now)
	r.power = min(g.power, g.power*share.powerShare()*wobble)
	r.energy += math.Floor(r.power * seconds * 1000)
	r.temperature += (restCelsius + celsiusPerWatt*r.power - r.temperature) * (1 - math.Exp(-seconds/thermalSeconds))
	// Near its power limit a device lowers its clock, by 15 MHz steps.
	r.clock = g.clock - 15*math.Round(20*max(0, r.power/g.power-0.92))
}
