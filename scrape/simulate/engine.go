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
	link      *link  // to other servers' KV
	transfers *nixl  // over it, nil without the connector

	wave    *wave      // with whose other engines it steps together, if it does
	inbox   []*request // in the socket from the API process: no gauge knows of them
	aborted []*request
	failed  []*request // whose KV did not come
	wedged  bool
	asleep  sleepLevel
	turns   []turn
	entry   float64 // until when the first stage is taken
	exit    float64 // until when the last one is
}

// report is what an engine tells the frontend after a step.
type report struct {
	engine           *engine
	running, waiting int
	deferred         int // of those that wait
	usage            float64
	queries, hits    int
	tokens           int // sampled in this step
	drafted          drafted
	steady           int        // outputs whose predecessor came in the step before
	gap              float64    // seconds since that step
	late             []float64  // inter-token latencies of the other outputs
	first            []*request // that produced their first token
	finished         []*request
	failed           []*request // without any token
	outside          [2]int     // queries and hits of caches outside
	stages           [3]int     // of loads from there
	transfers        transfers
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
	if e.stopped() || e.asleep != awake {
		return
	}
	if e.wave != nil {
		e.wave.wake()
		return
	}
	for i := range e.turns {
		if !e.turns[i].busy {
			e.begin(i)
		}
	}
}

// begin reads what has arrived and starts a step of a turn if there is anything to compute.
func (e *engine) begin(turn int) {
	dropped := len(e.aborted) > 0
	b := e.next(turn)
	e.turns[turn].busy = b.tokens() > 0
	if !e.turns[turn].busy {
		e.idle(dropped)
		return
	}
	alone, done := e.hardware.step(b)
	from, seconds := e.pass(alone * e.jitter())
	e.hardware.begin(turn, from, seconds, done)
	e.agenda.at(from+seconds, func() {
		if e.stopped() {
			return
		}
		e.finish(turn)
		if !e.stopped() && e.asleep == awake {
			e.begin(turn)
		}
	})
}

// jitter is a factor near 1: no two steps take the same time.
func (e *engine) jitter() float64 { return 0.97 + 0.06*e.frontend.random.Float64() }

// next reads what has arrived, and is what the next step of a turn computes.
func (e *engine) next(turn int) batch {
	for _, r := range e.inbox {
		r.queued = e.agenda.now
		e.scheduler.enqueue(r)
	}
	e.inbox = e.inbox[:0]
	for _, r := range e.aborted {
		e.scheduler.drop(r)
	}
	e.aborted = e.aborted[:0]

	return e.scheduler.schedule(e.agenda.now, turn)
}

// finish ends a step of a turn: who has all KV of its tokens samples one more.
func (e *engine) finish(turn int) {
	now, s, own := e.agenda.now, &e.scheduler, &e.turns[turn]
	e.hardware.finish(turn)
	if s.poisoned(turn) {
		e.die()
		return
	}
	o := &report{engine: e, gap: now - own.stepEnd}
	staying := 0
	for i, r := range s.running {
		if r.turn == turn {
			e.advance(r, o)
			if r.done() {
				e.end(r)
				continue
			}
		}
		if staying < i { // most steps end nobody, and writing pointers costs the garbage collector
			s.running[staying] = r
		}
		staying++
	}
	clear(s.running[staying:])
	s.running = s.running[:staying]
	own.stepEnd = now
	e.report(o)
	own.busy = false
	if e.asleep != awake && !e.working() {
		e.fallAsleep()
	}
}

// advance takes in what a step computed of a request.
func (e *engine) advance(r *request, o *report) {
	accepted := r.verify(e.frontend.random)
	r.computed += r.step - (r.drafts - accepted)
	if r.step > 0 && r.computed == r.tokens()+accepted {
		e.sample(r, 1+accepted, o)
	}
}

// report sends the frontend what a step brought and how things stand.
func (e *engine) report(o *report) {
	s := &e.scheduler
	o.running, o.waiting, o.deferred, o.usage = len(s.running), len(s.waiting), s.deferred, s.cache.usage()
	o.queries, o.hits = s.queries, s.hits
	s.queries, s.hits = 0, 0
	if s.connector != nil {
		o.outside, o.stages = [2]int{s.outsideQueries, s.outsideHits}, s.stages()
		s.outsideQueries, s.outsideHits = 0, 0
		o.failed, e.failed = e.failed, nil
	}
	if e.transfers != nil {
		o.transfers = e.transfers.take()
	}
	e.frontend.deliver(o)
}

// end frees the blocks of a request that is done, unless another engine will read them.
func (e *engine) end(r *request) {
	if s := &e.scheduler; s.connector != nil && s.connector.keeps(r) {
		s.hold(r)
		return
	}
	e.scheduler.cache.release(r)
}

// sample gives r its next tokens: one, and the proposals that stood.
func (e *engine) sample(r *request, tokens int, o *report) {
	now := e.agenda.now
	if r.drafts > 0 {
		o.drafted.add(r.drafts, tokens-1)
	}
	tokens = min(tokens, r.output-r.generated) // an answer may end in the middle of its proposals
	r.generated += tokens
	o.tokens += tokens
	o.preemptions += r.uncounted
	r.uncounted = 0
	switch {
	case r.generated == tokens:
		r.firstToken = now
		o.first = append(o.first, r)
		if e.scheduler.connector != nil {
			e.scheduler.connector.computed(r)
		}
	case r.lastToken == e.turns[r.turn].stepEnd:
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

// hang stops the engine for good on its host side: its devices finish what they have, and get nothing more.
func (e *engine) hang() { e.wedged = true }

// die is the end of the engine's processes.
func (e *engine) die() {
	e.wedged = true
	e.hardware.release(e.agenda.now)
	e.frontend.crashed()
}

// pressure is the data-parallel balancer's view of an engine: waiting requests count four times.
func (e *engine) pressure() int {
	return 4*(len(e.scheduler.waiting)+len(e.inbox)) + len(e.scheduler.running)
}
