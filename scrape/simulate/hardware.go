package simulate

// hardware is what one engine runs on. It outlives the process: a restart finds the same devices in the same state.
type hardware struct {
	accelerator
	model        model
	devices      int          // tensor parallel size, times pipeline stages
	stages       int          // of the pipeline
	drafter      float64      // parameters of a drafter, as a share of the model's
	sharers      int          // data-parallel ranks that share the experts of a mixture; 0 where there is none
	ahead        bool         // asynchronous scheduling: the host prepares a step while the GPU runs the one before
	interconnect interconnect // between the devices
	members      []*device

	condition condition
	done      activity // of what is over
	runs      []run    // the steps under way, one for each turn
	spins     bool     // ranks wait for each other in a collective,
	spinsFrom float64  // since then
	occupancy occupancy
}

// run is a step under way.
type run struct {
	from, seconds float64
	work          activity
}

// condition is how well devices and host do. Healthy ones have 1 everywhere, and no stranger. What concerns the devices is
// that of the slowest one of the group: the others wait for it in every layer.
type condition struct {
	clock    float64 // of the SMs, as a share of the highest
	memory   float64 // memory clock, as a share of the usual
	lanes    float64 // PCIe bandwidth, as a share of the usual
	stranger float64 // seconds that another process takes for each second of GPU time
	host     float64 // host time of a step, as a multiple of the usual
}

var healthyCondition = condition{clock: 1, memory: 1, lanes: 1, host: 1}

// feel takes over what the devices are like now.
func (h *hardware) feel() {
	c := &h.condition
	c.clock, c.memory, c.lanes, c.stranger = 1, 1, 1, 0
	for _, d := range h.members {
		c.clock = min(c.clock, d.share())
		c.memory = min(c.memory, d.memoryClock)
		c.lanes = min(c.lanes, d.lanes())
		c.stranger = max(c.stranger, d.stranger.work.busy)
	}
}

// begin starts a step of a turn.
func (h *hardware) begin(turn int, now, seconds float64, work activity) {
	h.runs[turn] = run{now, seconds, work}
}

// finish ends it.
func (h *hardware) finish(turn int) {
	h.done.add(h.runs[turn].work, 1)
	h.runs[turn] = run{}
}

// spin lets the devices wait for each other from now on.
func (h *hardware) spin(now float64) {
	h.halt(now)
	h.spins, h.spinsFrom = true, now
}

// release ends whatever the devices do, and frees their memory: their process is gone.
func (h *hardware) release(now float64) {
	h.halt(now)
	h.occupancy = occupancy{}
}

func (h *hardware) halt(now float64) {
	h.done = h.activity(now)
	clear(h.runs)
	h.spins = false
}

// activity is what the devices have done until now.
func (h *hardware) activity(now float64) activity {
	a := h.done
	for _, r := range h.runs {
		if r.seconds > 0 {
			a.add(r.work, min(1, max(0, (now-r.from)/r.seconds)))
		}
	}
	if h.spins {
		a.add(spinning, now-h.spinsFrom)
	}
	return a
}

// activity is what devices have done, in seconds for each.
type activity struct {
	busy   float64 // any kernel resident
	sm     float64 // streaming multiprocessors busy
	tensor float64 // tensor pipes at their peak, at the highest clock
	memory float64 // HBM at its peak
	nvlink float64 // bytes sent over NVLink
	pcie   float64 // bytes that devices send each other over PCIe
}

// add accumulates b times a factor.
func (a *activity) add(b activity, factor float64) {
	a.busy += b.busy * factor
	a.sm += b.sm * factor
	a.tensor += b.tensor * factor
	a.memory += b.memory * factor
	a.nvlink += b.nvlink * factor
	a.pcie += b.pcie * factor
}

// spinning is one second of ranks waiting for each other in a collective: a kernel is resident on a few multiprocessors,
// and nothing is computed, read or sent.
var spinning = activity{busy: 1, sm: 0.06}

// powerShare is the power drawn as a share of the data sheet's limit, from shares of activity at a share of the clock. The
// coefficients are a fit by judgement to reported ranges: loaded and idle 0.16, spinning 0.25 to 0.45, decode 0.5 to 0.8,
// prefill 0.85 and above. What the chip draws goes with its work and the square of its voltage, which by judgement falls to
// 0.8 at half of the clock: at 0.8 of the clock a fifth of prefill's power is saved, as was reported of capped clocks. What
// the memory draws, 0.25, does not change.
func (a activity) powerShare(clock float64) float64 {
	voltage := 0.6 + 0.4*clock
	return 0.16 + 0.25*a.memory + (0.14*a.busy*clock+0.2*a.memory+0.9*a.tensor)*voltage*voltage
}
