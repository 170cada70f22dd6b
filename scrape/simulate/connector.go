package simulate

import "slices"

// connector is vLLM's way to KV that something else than its engine has computed.
type connector interface {
	// match is how many tokens of a prompt it can supply behind those that were found locally.
	match(r *request, hit int) int
	// load brings them into the blocks that the request holds. It calls the engine's loaded when that is over.
	load(r *request, tokens int)
	// computed tells it that the engine has the KV of a whole prompt.
	computed(r *request)
	// keeps says that the blocks of a request that has ended stay, since somebody will read them.
	keeps(r *request) bool
	// dropped tells it that a request will not run, since its client left.
	dropped(r *request)
}

// fetch is how far a request is with KV from outside.
type fetch int

const (
	unasked fetch = iota
	loading       // its blocks are held, and KV is on its way into them
	loaded        // the KV is there, and the request waits for its turn
	fetched       // it ran, or must compute what did not come
)

// stages are vLLM's names for what a request with KV from outside waits for, and how many wait for it.
func (s *scheduler) stages() (counts [3]int) {
	for _, r := range s.waiting {
		switch {
		case r.fetch == loading:
			counts[1]++
		case r.fetch == loaded:
			counts[2]++
		case r.fetch == unasked && r.external > 0:
			counts[0]++
		}
	}
	return counts
}

// ask looks for the rest of a prompt outside, once for each request, and counts what it looked for. An evicted request is
// not asked for again.
func (s *scheduler) ask(r *request, hit int, fits bool) (external int) {
	if s.connector == nil || r.fetch != unasked || r.preemptions > 0 {
		return 0
	}
	external = s.connector.match(r, hit)
	r.external = external
	if fits {
		s.outsideQueries += r.prompt - hit
		s.outsideHits += external
	}
	return external
}

// receive gives a request the blocks for KV that comes from outside. It holds them while it waits, and computes nothing.
func (s *scheduler) receive(r *request) {
	need := s.cache.covering(r.tokens()) - r.shared
	s.cache.take(need)
	r.own += need
	r.step, r.fetch = 0, loading
	s.connector.load(r, r.external)
}

// resume lets a request run whose KV has come. Its last prompt token is computed here, since no KV gives the next one.
func (s *scheduler) resume(r *request, budget int, now float64) {
	r.fetch = fetched
	r.step = s.chunk(r.tokens()-r.computed, budget)
	s.cache.publish(r)
	r.scheduled = now
}

// loaded is the end of a load. A request that lost its KV computes it here, or fails as the flags want.
func (e *engine) loaded(r *request, arrived bool) {
	s := &e.scheduler
	if e.stopped() {
		return
	}
	if i := slices.Index(s.held, r); i >= 0 { // its client has left
		e.unhold(r)
		return
	}
	switch {
	case arrived:
		r.fetch = loaded
		r.computed = min(r.computed+r.external, r.tokens()-1)
	case s.recompute:
		s.cache.release(r)
		r.fetch, r.external = fetched, 0
	default:
		r.fetch = loaded // nothing is on its way any more
		s.drop(r)
		e.failed = append(e.failed, r)
	}
	e.wake()
}

// hold keeps the blocks of a request that is in no queue any more.
func (s *scheduler) hold(r *request) { s.held = append(s.held, r) }

// unhold frees them, at the next step.
func (e *engine) unhold(r *request) {
	s := &e.scheduler
	if i := slices.Index(s.held, r); i >= 0 {
		s.held = slices.Delete(s.held, i, i+1)
		s.cache.release(r)
		e.wake()
	}
}

// idle is an engine that computes nothing. One with a connector looks after its requests all the time; and whose clients have
// just left, it makes a step without output, which tells since 0.10.2 how things stand. Before, its gauges stayed as they were.
func (e *engine) idle(dropped bool) {
	if e.scheduler.connector == nil && (!dropped || e.frontend.version < statsWithoutOutput) {
		return
	}
	e.report(&report{engine: e})
}

// connect gives an engine the connector of its server's flags.
func (s *server) connect(e *engine) {
	e.link = s.link
	switch {
	case s.flags.transfers:
		e.transfers = &nixl{engine: e, link: s.link, version: s.version}
		e.scheduler.connector = e.transfers
		e.metrics.transfers = newTransferMetrics()
	case s.flags.external > 0:
		e.scheduler.connector = &external{engine: e, store: s.store}
	}
}
