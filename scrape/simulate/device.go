package simulate

import "math"

// device is one GPU board: what runs on it, what it draws, how hot it is and how fast it may run. Its regulators work on
// their own, whoever looks.
type device struct {
	accelerator
	groups   []*hardware // that compute on it: one, or one for each MIG slice
	stranger stranger

	at          float64  // it has been followed until then
	before      activity // of all groups until then
	last        activity // shares of the last second
	power       float64  // watts, in the last second
	energy      float64  // joules since boot
	temperature float64  // degrees Celsius

	limit       float64 // enforced, in watts
	resistance  float64 // of its cooling to heat, as a multiple of the usual
	lock        float64 // share of the clock that an operator has locked it to
	brake       float64 // share of the clock that the power brake leaves
	memoryClock float64 // as a share of the usual
	lost        int     // PCIe lanes that do not work
	xid         int     // the last one that the driver reported
	dead        bool    // the driver cannot reach it any more

	capped, cooled      float64 // shares of the clock that power and heat leave
	slowed              bool    // the hardware's own slowdown for heat
	powerHeld, heatHeld float64 // seconds of being held down
}

// stranger is another process on the device: what it would do each second if it were alone, and its memory in MiB.
type stranger struct {
	work   activity
	memory float64
}

// Temperatures, by judgement, of a well cooled server: at rest, for each watt, and how slowly it follows.
const (
	restCelsius    = 27
	celsiusPerWatt = 0.055
	thermalSeconds = 40
)

// Where heat counts. H100's driver shows 87 °C as the highest for operation and slowdown 2 °C above; that its software takes
// the clock down step by step around there, and how steeply, is by judgement.
const (
	warmCelsius     = 85
	clockPerCelsius = 0.25
	slowdownCelsius = 89
)

// Clocks: steps in MHz, the lowest one, and what is left of it in hardware slowdown, which halves it at least.
const (
	clockStep    = 15
	restMHz      = 345
	slowedShare  = 0.5
	contextShare = 0.06 // of the power limit, that a process with a context costs: 113 W against 68 W was seen on H100
)

func newDevice(a accelerator) *device {
	return &device{
		accelerator: a, temperature: restCelsius + 5, limit: a.power, resistance: 1, lock: 1, brake: 1, memoryClock: 1, capped: 1, cooled: 1,
	}
}

// share is the part of its highest clock that it may run at.
func (d *device) share() float64 {
	share := min(d.lock, d.brake, d.capped, d.cooled)
	if d.slowed {
		share = min(share, slowedShare)
	}
	return share
}

// megahertz is the clock that it shows: without any process it rests.
func (d *device) megahertz() float64 {
	if !d.resident() {
		return min(restMHz, d.clock*d.share())
	}
	return clockStep * math.Round(d.clock*d.share()/clockStep)
}

func (d *device) resident() bool {
	for _, g := range d.groups {
		if g.occupancy != (occupancy{}) {
			return true
		}
	}
	return d.stranger.memory > 0
}

// lanes is the part of its PCIe bandwidth that is left.
func (d *device) lanes() float64 { return 1 - float64(d.lost)/fullWidth }

// fullWidth is the number of lanes of a slot.
const fullWidth = 16

// linkGeneration is that of its PCIe link, which falls to 1 on a device at rest: that saves power.
func (d *device) linkGeneration() int {
	if !d.resident() {
		return 1
	}
	return d.generation
}

// advance follows the device until now: what it did, the heat of that, and what its regulators make of it.
func (d *device) advance(now float64) {
	seconds := now - d.at
	if seconds <= 0 {
		return
	}
	d.at = now
	d.last = d.shares(now, seconds)
	clock := d.share()
	// The power regulator acts within milliseconds, so that no second's mean passes the limit.
	d.power = min(d.limit, d.draw(d.last, clock))
	d.energy += d.power * seconds
	level := restCelsius + celsiusPerWatt*d.resistance*d.power
	d.temperature += (level - d.temperature) * (1 - math.Exp(-seconds/(thermalSeconds*d.resistance)))
	reasons := d.reasons()
	if reasons&(powerCap|powerBrake) != 0 {
		d.powerHeld += seconds
	}
	if reasons&(softwareThermal|hardwareThermal) != 0 {
		d.heatHeld += seconds
	}
	d.capped = d.withinLimit(clock)
	d.cooled = min(1, max(restMHz/d.clock, 1-clockPerCelsius*(d.temperature-warmCelsius)))
	d.slowed = d.temperature >= slowdownCelsius || d.slowed && d.temperature > warmCelsius
}

// join adds the stranger to what others do: it gets what they leave of its wish.
func (s stranger) join(share *activity) {
	if wish := s.work.busy; wish > 0 {
		share.add(s.work, min(1, max(0, 1-share.busy)/wish))
	}
}

// shares are what all that compute on it did in the last seconds.
func (d *device) shares(now, seconds float64) activity {
	total := activity{}
	for _, g := range d.groups {
		a, compute, memory := g.activity(now), g.slice.computeShare(), g.slice.memoryShare()
		total.add(activity{busy: a.busy * compute, sm: a.sm * compute, tensor: a.tensor * compute, memory: a.memory * memory}, 1)
	}
	share := activity{}
	share.add(total, 1/seconds)
	share.add(d.before, -1/seconds)
	d.before = total
	if d.dead {
		return activity{}
	}
	d.stranger.join(&share)
	share.busy = min(1, share.busy)
	return share
}

// draw is the power of an activity in watts.
func (d *device) draw(a activity, clock float64) float64 {
	watts := d.accelerator.power * a.powerShare(clock)
	if !d.resident() {
		watts -= d.accelerator.power * contextShare
	}
	return watts
}

// withinLimit is the highest share of the clock at which what runs on the device, while it runs, stays within the power
// limit. Arithmetic gets slower with the clock, memory does not.
func (d *device) withinLimit(clock float64) float64 {
	if d.last.busy < 0.01 {
		return 1
	}
	running := activity{}
	running.add(d.last, 1/d.last.busy)
	for mhz := d.clock; mhz > restMHz; mhz -= clockStep {
		share := mhz / d.clock
		then := running
		then.tensor *= share / clock
		if d.draw(then, share) <= d.limit {
			return share
		}
	}
	return restMHz / d.clock
}

// Reasons for a lowered clock, as NVML numbers them.
const (
	idle             = 0x1
	powerCap         = 0x4
	hardwareSlowdown = 0x8
	softwareThermal  = 0x20
	hardwareThermal  = 0x40
	powerBrake       = 0x80
)

// reasons is why the clock is lowered. Locking clocks is none.
func (d *device) reasons() int {
	mask := 0
	if d.last.busy < 0.01 {
		mask |= idle
	}
	if d.capped < min(d.lock, d.brake, d.cooled) {
		mask |= powerCap
	}
	if d.cooled < min(d.lock, d.brake, d.capped) {
		mask |= softwareThermal
	}
	if d.slowed {
		mask |= hardwareSlowdown | hardwareThermal
	}
	if d.brake < 1 {
		mask |= hardwareSlowdown | powerBrake
	}
	return mask
}
