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
	uplink   float64 // bytes a second to whoever scrapes; 0 means plenty
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

// carry is an answer as it arrives over the uplink at whoever scrapes.
func (h *host) carry(a Answer) Answer {
	if h.uplink > 0 {
		a.After += duration(float64(len(a.Page)) / h.uplink)
	}
	return a
}
