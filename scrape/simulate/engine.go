package simulate

// engine is one engine core: it takes requests between steps, runs one step after the other while it has any, and reports
// each step to the frontend.
type engine struct {
	agenda    *agenda
	frontend  *frontend
	scheduler scheduler
	hardware  *hardware
	metrics   *engineMetrics
	label     string // the engine label: its data-parallel rank
	model     int    // which of the server's models it runs
	index     int    // among the engines of its server

	wave    *wave      // with whose other engines it steps together, if it does
	inbox   []*request // in the socket from the API process: no gauge knows of them
	aborted []*request
	busy    bool
	wedged  bool
	stepEnd float64 // end of the last step
}

// report is what an engine tells the frontend after a step.
type report struct {
	engine           *engine
	running, waiting int
	deferred         int // of those that wait
	usage            float64
	queries, hits    int
	tokens           int        // sampled in this step
	steady           int        // outputs whose predecessor came in the step before
	gap              float64    // seconds since that step
	late             []float64  // inter-token latencies of the other outputs
	first            []*request // that produced their first token
	finished         []*request
	preemptions      int // of requests that produced an output now: vLLM sends the event with it
}

// submit hands a rendered request over.
func (e *engine) submit(r *request) {
	r.engine = e
	e.inbox = append(e.inbox, r)
	e.wake()
}

// abort asks the engine to forget a request; it does so between two steps.
func (e *engine) abort(r *request) {
	e.aborted = append(e.aborted, r)
	e.wake()
}

func (e *engine) wake() {
	if e.wave != nil {
		e.wave.wake()
		return
	}
	if !e.busy && !e.stopped() {
		e.begin()
	}
}

// begin reads what has arrived and starts a step if there is anything to compute.
func (e *engine) begin() {
	b := e.next()
	e.busy = b.tokens() > 0
	if !e.busy {
		return
	}
	seconds, done := e.hardware.step(b)
	e.agenda.after(seconds*e.jitter(), func() {
		if !e.stopped() {
			e.finish(done)
			e.begin()
		}
	})
}

// jitter is a factor near 1: no two steps take the same time.
func (e *engine) jitter() float64 { return 0.97 + 0.06*e.frontend.random.Float64() }

// next reads what has arrived, and is what the next step computes.
func (e *engine) next() batch {
	for _, r := range e.inbox {
		r.queued = e.agenda.now
	}
	e.scheduler.waiting = append(e.scheduler.waiting, e.inbox...)
	e.inbox = e.inbox[:0]
	for _, r := range e.aborted {
		e.scheduler.drop(r)
	}
	e.aborted = e.aborted[:0]

	return e.scheduler.schedule(e.agenda.now)
}

// finish ends a step: who has all KV of its tokens samples one more.
func (e *engine) finish(done activity) {
	now, s := e.agenda.now, &e.scheduler
	e.hardware.done.add(done, 1)
	o := &report{engine: e, gap: now - e.stepEnd}
	staying := s.running[:0]
	for _, r := range s.running {
		r.computed += r.step
		s.cache.publish(r)
		if r.step > 0 && r.computed == r.tokens() {
			e.sample(r, o)
		}
		if r.done() {
			s.cache.release(r)
			continue
		}
		staying = append(staying, r)
	}
	clear(s.running[len(staying):])
	s.running = staying
	e.stepEnd = now
	o.running, o.waiting, o.deferred, o.usage = len(s.running), len(s.waiting), s.deferred, s.cache.usage()
	o.queries, o.hits = s.queries, s.hits
	s.queries, s.hits = 0, 0
	e.frontend.deliver(o)
}

// sample gives r its next token.
func (e *engine) sample(r *request, o *report) {
	now := e.agenda.now
	r.generated++
	o.tokens++
	o.preemptions += r.uncounted
	r.uncounted = 0
	switch {
	case r.generated == 1:
		r.firstToken = now
		o.first = append(o.first, r)
	case r.lastToken == e.stepEnd:
		o.steady++
	default:
		o.late = append(o.late, now-r.lastToken)
	}
	r.lastToken = now
	if r.done() {
		o.finished = append(o.finished, r)
	}
}

// stopped says that no step of the engine begins or ends any more.
func (e *engine) stopped() bool { return e.wedged || e.frontend.closed }

// wedge stops the engine for good, in the middle of whatever it does. Its devices spin in a collective.
func (e *engine) wedge() {
	e.wedged = true
	e.hardware.spin(e.agenda.now)
}

// pressure is the data-parallel balancer's view of an engine: waiting requests count four times.
func (e *engine) pressure() int {
	return 4*(len(e.scheduler.waiting)+len(e.inbox)) + len(e.scheduler.running)
}
