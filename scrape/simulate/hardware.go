package simulate

// hardware is what one engine runs on. It outlives the process: a restart finds the same devices in the same state.
type hardware struct {
	accelerator
	model   model
	devices int  // tensor parallel size
	sharers int  // data-parallel ranks that share the experts of a mixture; 0 where there is none
	ahead   bool // asynchronous scheduling: the host prepares a step while the GPU runs the one before

	condition condition
	done      activity
	spins     bool    // ranks wait for each other in a collective,
	spinsFrom float64 // since then
	resident  bool    // an engine has its memory
}

// condition is how well devices and host do. Healthy ones have 1 everywhere.
type condition struct {
	clock float64 // of the SMs, as a share of the highest
	host  float64 // host time of a step, as a multiple of the usual
}

var healthyCondition = condition{clock: 1, host: 1}

// spin lets the devices wait for each other from now on.
func (h *hardware) spin(now float64) { h.spins, h.spinsFrom = true, now }

// release ends whatever the devices do, and frees their memory: their process is gone.
func (h *hardware) release(now float64) {
	h.done = h.activity(now)
	h.spins, h.resident = false, false
}

// activity is what the devices have done until now.
func (h *hardware) activity(now float64) activity {
	a := h.done
	if h.spins {
		a.add(spinning, now-h.spinsFrom)
	}
	return a
}

// activity is what devices have done, in seconds for each.
type activity struct {
	busy   float64 // any kernel resident
	sm     float64 // streaming multiprocessors busy
	tensor float64 // tensor pipes at their peak
	memory float64 // HBM at its peak
	link   float64 // bytes sent over NVLink
}

// add accumulates b times a factor.
func (a *activity) add(b activity, factor float64) {
	a.busy += b.busy * factor
	a.sm += b.sm * factor
	a.tensor += b.tensor * factor
	a.memory += b.memory * factor
	a.link += b.link * factor
}

// spinning is one second of ranks waiting for each other in a collective: a kernel is resident on a few multiprocessors,
// and nothing is computed, read or sent.
var spinning = activity{busy: 1, sm: 0.06}

// powerShare is the power drawn as a share of the limit, 0 to 1, from shares of activity. The coefficients are a fit by
// judgement to reported ranges: loaded and idle 0.16, spinning 0.25 to 0.45, decode 0.5 to 0.8, prefill 0.85 and above.
func (a activity) powerShare() float64 {
	return min(1, 0.16+0.14*a.busy+0.45*a.memory+0.9*a.tensor)
}
