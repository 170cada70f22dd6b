package simulate

import (
	"math/rand/v2"
	"testing"
)

// decoding is what a device does in a second of decode: 0.16 + 0.25 x 0.7 + (0.14 x 0.9 + 0.2 x 0.7 + 0.9 x 0.1) = 0.691 of
// its power at the full clock, 484 W of 700.
var decoding = activity{busy: 0.9, sm: 0.8, tensor: 0.1, memory: 0.7}

// bench of one device that decodes for some seconds after something happened to it.
func decodeFor(seconds int, happen func(*device)) *device {
	group := on(1, llama8B)
	group.occupancy = occupied
	h := &host{name: "node", interval: 10, random: rand.New(rand.NewPCG(1, 1))}
	h.plug(group, 0.9)
	d := h.devices[0]
	happen(d)
	for second := range seconds {
		group.done.add(decoding, 1)
		h.advance(float64(second + 1))
	}
	return d
}

func TestRegulators(t *testing.T) {
	for _, test := range []struct {
		name                string
		happen              func(*device)
		seconds             int
		power, heat, clocks [2]float64
		reasons             int
	}{
		// 27 + 0.055 x 484 = 53.6 °C.
		{"as built", func(*device) {}, 600, [2]float64{483, 485}, [2]float64{53, 54}, [2]float64{1980, 1980}, 0},
		// Two time constants of 120 s take 86 % of the way from 32 to 27 + 0.165 x 484 = 106.9 °C, if nothing held it.
		{"little air, after a minute", func(d *device) { d.resistance = 3 }, 60, [2]float64{483, 485}, [2]float64{60, 63}, [2]float64{1980, 1980}, 0},
		// At 87.1 °C 0.47 of the clock is left, which draws 0.335 + 0.29 x 0.62 = 0.52 of 700 W, and 27 + 0.165 x 364 = 87.1.
		{"little air", func(d *device) { d.resistance = 3 }, 900, [2]float64{360, 368}, [2]float64{86.8, 87.4}, [2]float64{885, 1000}, softwareThermal},
		// Even the lowest clock, which draws 313 W for this, leads to 27 + 0.275 x 313 = 113 °C: the hardware slows it down as well.
		{"hardly any air", func(d *device) { d.resistance = 5 }, 300, [2]float64{305, 320}, [2]float64{89, 113}, [2]float64{345, 345}, softwareThermal | hardwareSlowdown | hardwareThermal},
		// While it decodes it draws 0.35 of 700 W beside what the clock changes, which has to fit into the other 0.15.
		{"350 W at most", func(d *device) { d.limit = 350 }, 60, [2]float64{320, 350}, [2]float64{40, 47}, [2]float64{345, 900}, powerCap},
		{"power brake", func(d *device) { d.brake = 0.4 }, 60, [2]float64{300, 400}, [2]float64{40, 50}, [2]float64{795, 795}, powerBrake | hardwareSlowdown},
		{"locked", func(d *device) { d.lock = 0.5 }, 60, [2]float64{300, 420}, [2]float64{40, 50}, [2]float64{990, 990}, 0},
		// A stranger that wants 0.65 of the time gets the tenth that decode leaves.
		{"stranger", func(d *device) { d.stranger = stranger{activity{busy: 0.65, memory: 0.65}, 100} }, 60, [2]float64{510, 530}, [2]float64{50, 60}, [2]float64{1980, 1980}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := decodeFor(test.seconds, test.happen)
			check(
				t,
				bound{"power", d.power, test.power[0], test.power[1]},
				bound{"temperature", d.temperature, test.heat[0], test.heat[1]},
				bound{"clock", d.megahertz(), test.clocks[0], test.clocks[1]},
				bound{"reasons", float64(d.reasons()), float64(test.reasons), float64(test.reasons)},
			)
		})
	}
}

// TestSlowestSetsThePace: one of four devices at 0.4 of its clock makes prefill 2.5 times as long for all, and its own tensor
// pipe the busiest, since it has fewer cycles for the same work.
func TestSlowestSetsThePace(t *testing.T) {
	group := on(4, llama70B)
	h := &host{name: "node", interval: 1, random: rand.New(rand.NewPCG(1, 1))}
	h.plug(group, 0.9)
	group.occupancy = occupied
	_, before := group.step(prefill(4096))
	h.devices[2].brake = 0.4
	h.advance(1)
	_, after := group.step(prefill(4096))
	seconds, _ := nvlink.allReduce(4096*8192*2, 4)
	talk := 160 * seconds
	check(t, bound{"prefill against before", (after.busy - talk) / (before.busy - talk), 2.49, 2.51})
	group.done.add(activity{busy: 1, tensor: 0.2}, 1)
	h.look(2)
	check(t, bound{"tensor of the slow one against another", h.gpus[2].reading.share.tensor / h.gpus[0].reading.share.tensor, 2.3, 2.7})
}

// TestStepsFeelTheDevice by hand-worked factors: decode reads at the memory's clock, and a lower SM clock is felt below 0.6; a
// stranger of 0.65 takes 0.65 s more for each second; 4 of 16 lanes make a collective's bytes take four times as long.
func TestStepsFeelTheDevice(t *testing.T) {
	b := decode(64, 2048)
	seconds := func(change func(*condition)) float64 {
		h := on(1, llama8B)
		change(&h.condition)
		s, _ := h.step(b)
		return s - launchSeconds
	}
	usual := seconds(func(*condition) {})
	check(
		t,
		bound{"memory clock of 0.55", seconds(func(c *condition) { c.memory = 0.55 }) / usual, 1.81, 1.83},
		bound{"SM clock of 0.7", seconds(func(c *condition) { c.clock = 0.7 }) / usual, 1, 1},
		bound{"SM clock of 0.4", seconds(func(c *condition) { c.clock = 0.4 }) / usual, 1.49, 1.51},
		bound{"stranger", seconds(func(c *condition) { c.stranger = 0.65 }) / usual, 1.64, 1.66},
	)
	h := on(2, llama8B)
	h.interconnect = pcie4
	chunk := prefill(4096)
	_, full := h.step(chunk)
	h.condition.lanes = 0.25
	_, quarter := h.step(chunk)
	sent := 64 * 4096 * 4096 * 2.0 / pcie4.bandwidth // between two devices each sends everything once
	check(t, bound{"collectives over a quarter of the lanes, in times of those over all", (quarter.busy - full.busy) / sent, 2.99, 3.01})
}

// TestActivityIsSpreadOverTheStep, so that a long step is not done in the second in which it ends.
func TestActivityIsSpreadOverTheStep(t *testing.T) {
	h := on(1, llama8B)
	h.begin(0, 10, 4, activity{busy: 2})
	half := h.activity(12).busy
	h.spin(13)
	check(t, bound{"busy after half of it", half, 1, 1}, bound{"busy after three quarters and a second of spinning", h.activity(14).busy, 2.5, 2.5})
}

// TestSlicesShareABoard: two slices of 3/7 fit on one board, a third needs another, and the board's memory and power are
// those of both.
func TestSlicesShareABoard(t *testing.T) {
	h := &host{name: "node", interval: 10, random: rand.New(rand.NewPCG(1, 1))}
	var groups []*hardware
	for range 3 {
		group := on(1, llama8B)
		group.accelerator, group.occupancy = sliceOf(&h100, "3g.40gb"), occupied
		groups = append(groups, group)
		h.plug(group, 0.9)
	}
	for second := range 10 {
		groups[0].done.add(activity{busy: 1, memory: 0.8}, 1)
		groups[1].done.add(activity{busy: 0.5, memory: 0.4}, 1)
		h.advance(float64(second + 1))
	}
	h.look(10)
	a, b, c := h.gpus[0], h.gpus[1], h.gpus[2]
	if a.device != b.device || a.uuid != b.uuid || a.instance == b.instance || c.device == a.device {
		t.Errorf("slices are on %s/%d, %s/%d and %s/%d, want two on one board", a.uuid, a.instance, b.uuid, b.instance, c.uuid, c.instance)
	}
	check(
		t,
		bound{"busy of the first", a.reading.share.busy, 0.99, 1},
		bound{"busy of the second", b.reading.share.busy, 0.49, 0.51},
		bound{"busy of the board", a.last.busy, 1.5*3/7 - 0.01, 1.5*3/7 + 0.01},
		bound{"memory of the board", a.last.memory, 0.59, 0.61},
		bound{"memory of a slice in MiB", a.size(), 40779, 40779},
		bound{"memory taken", a.reading.taken, 36701, 36701},
	)
}
