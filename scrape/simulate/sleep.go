package simulate

// sleepLevel is how deeply an engine sleeps, as POST /sleep asks for it.
type sleepLevel int

const (
	awake     sleepLevel = iota
	offloaded            // weights are in the host's memory
	discarded            // weights are gone
)

// asleepShare is what a sleeping engine keeps of its memory: vLLM's documentation says that more than nine tenths are freed.
const asleepShare = 0.06

// state is the value of the label sleep_state.
func (l sleepLevel) state() string {
	return [...]string{"awake", "weights_offloaded", "discard_all"}[l]
}

// sleep puts an engine to sleep between two steps. Its requests are aborted; what comes later is accepted and waits where no
// gauge shows it, since a paused engine makes no steps and so no reports.
func (e *engine) sleep(level sleepLevel) {
	e.asleep = level
	if !e.working() && !e.stopped() {
		e.fallAsleep()
	}
}

// fallAsleep drops everything that the engine has.
func (e *engine) fallAsleep() {
	s := &e.scheduler
	o := &report{engine: e, finished: append(append([]*request{}, s.running...), s.waiting...)}
	for _, r := range s.running {
		s.cache.release(r)
	}
	for _, r := range o.finished {
		r.mishap = aborted
	}
	for _, run := range s.cache.idle {
		if run.prefix != nil {
			run.prefix.cached = 0
		}
	}
	s.cache = newCache(s.cache.blocks+1, s.cache.blockSize)
	s.running, s.waiting, s.held, s.deferred = nil, nil, nil, 0
	e.hardware.occupancy = occupancy{share: asleepShare}
	e.frontend.deliver(o)
	e.metrics.sleep = e.asleep
}

// rouse ends the sleep.
func (e *engine) rouse() {
	e.asleep, e.metrics.sleep = awake, awake
	e.hardware.occupancy = occupied
	e.wake()
}
