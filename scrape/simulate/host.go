package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// host is a machine with GPUs and a dcgm-exporter, which looks at them at an interval and repeats what it saw in between.
type host struct {
	name     string
	exporter exporter
	interval float64 // seconds
	devices  []*device
	gpus     []*gpu
	random   *rand.Rand
	gone     bool    // the exporter does not run
	stale    bool    // its host engine repeats what it saw last
	link     float64 // bytes a second to whoever scrapes; 0 means plenty
}

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

// plug adds the devices of an engine to a host, or its slices to devices that have room for them.
func (h *host) plug(group *hardware, memoryUtilization float64) {
	for range group.devices {
		g := h.place(group)
		g.slice, g.group, g.portion = group.slice, group, memoryUtilization
		g.groups = append(g.groups, group)
		group.members = append(group.members, g.device)
		h.gpus = append(h.gpus, g)
	}
}

// place finds a device for a rank.
func (h *host) place(group *hardware) *gpu {
	for i, d := range h.devices {
		used := 0
		for _, other := range d.groups {
			used += other.slice.compute
		}
		if group.slice.compute > 0 && used > 0 && used+group.slice.compute <= 7 {
			first := h.first(i)
			return &gpu{device: d, index: i, instance: len(d.groups) + 1, uuid: first.uuid, bus: first.bus}
		}
	}
	i := len(h.devices)
	d := newDevice(group.whole())
	h.devices = append(h.devices, d)
	g := &gpu{
		device: d, index: i, instance: 1,
		uuid: fmt.Sprintf("GPU-%08x-%04x-%04x-%04x-%012x", h.random.Uint32(), h.random.Uint32N(1<<16), h.random.Uint32N(1<<16),
			h.random.Uint32N(1<<16), h.random.Uint64N(1<<48)),
		bus: fmt.Sprintf("00000000:%02X:00.0", (0x1b+0x11*i)&0xff),
	}
	d.energy = math.Floor(4e8 * (1 + h.random.Float64()))
	return g
}

// first is the first of what is listed of a device.
func (h *host) first(device int) *gpu {
	for _, g := range h.gpus {
		if g.index == device {
			return g
		}
	}
	return nil
}

// advance follows the devices until now, and tells the engines on them how fast they are.
func (h *host) advance(now float64) {
	for _, d := range h.devices {
		d.advance(now)
	}
	for _, g := range h.gpus {
		g.group.feel()
	}
}

// look refreshes what the exporter shows.
func (h *host) look(now float64) {
	h.advance(now)
	if h.stale {
		return
	}
	for _, g := range h.gpus {
		g.look(now, h.interval, h.random)
	}
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
	share.link *= wobble
	share.pcie *= wobble
	g.reading = reading{
		share: share, second: g.last, power: min(g.limit, g.power*wobble), energy: math.Floor(1000 * g.energy),
		temperature: g.temperature, clock: g.megahertz(), reasons: g.reasons(),
		taken: g.stranger.memory + math.Floor(g.size()*g.portion*g.group.occupancy.at(now)),
		limit: g.limit, memoryClock: math.Round(g.memoryMHz * g.memoryClock), powerHeld: g.powerHeld, heatHeld: g.heatHeld,
		generation: g.linkGeneration(), lanes: fullWidth - g.lost, xid: g.xid, dead: g.dead,
	}
}
