package simulate

import (
	"math/rand/v2"
	"slices"
)

// CPU of an API process, by judgement for a current server CPU.
const (
	tokeniseSeconds = 4e-7 // for each prompt token
	requestSeconds  = 3e-3 // to parse, template and route one request
	reportSeconds   = 2e-4 // to take in one step of an engine
	outputSeconds   = 4e-5 // to detokenise and stream one token
	idleCores       = 0.005
)

// frontend is the API server: one or more processes that render requests before any scheduler sees them, and hand out what
// the engines produce. A process does one thing at a time. A report waits for the rendering that is under way, but not for
// those behind it: the event loop takes turns.
type frontend struct {
	agenda  *agenda
	random  *rand.Rand
	version version
	engines []*engine

	processes []process
	pending   []*request // accepted, not yet being rendered
	open      []*request // whose connection is open
	cpu       float64    // seconds spent
	http      *httpMetrics
	limit     int // --max-num-queued-reqs; 0 means none
	adapters  adapterInfo
	media     mediaCache
	inside    int     // requests that engines have, and have not finished
	closed    bool    // the process is gone
	blind     bool    // reports of engines are lost
	dead      bool    // the engine is gone, and the process lives on
	leaked    float64 // bytes that requests left behind
	crashed   func()  // what becomes of the server when an engine dies
}

// process is one API process.
type process struct {
	free      float64 // when it can start something else
	rendering float64 // seconds that the rendering under way takes; 0 when there is none
}

// arrive accepts a request.
func (f *frontend) arrive(r *request) {
	r.frontend = f
	r.accepted, r.arrived = f.agenda.now, f.agenda.now
	f.open = append(f.open, r)
	if f.dead {
		f.fail(r)
		return
	}
	if f.full() {
		f.refuse(r, failed)
		return
	}
	f.pending = append(f.pending, r)
	f.render()
}

// abandon is a client that hangs up. vLLM counts such a request in no series of its own; the HTTP middleware counts a 2xx.
func (f *frontend) abandon(r *request) {
	if r.left {
		return
	}
	if i := slices.Index(f.pending, r); i >= 0 {
		f.pending = slices.Delete(f.pending, i, i+1)
	}
	for _, s := range r.sequences {
		f.adapters.leave(s)
		s.engine.abort(s)
	}
	f.leave(r, served)
	r.traffic.failed(r)
}

// fail answers a request with a 500, since there is no engine.
func (f *frontend) fail(r *request) {
	f.cpu += requestSeconds
	f.leave(r, failed)
	r.traffic.failed(r)
}

// render starts as many renderings as there are processes without one.
func (f *frontend) render() {
	for len(f.pending) > 0 && !f.closed {
		i := slices.IndexFunc(f.processes, func(p process) bool { return p.rendering == 0 })
		if i < 0 {
			return
		}
		r, p := f.pending[0], &f.processes[i]
		f.pending = f.pending[1:]
		p.rendering = f.rendering(r)
		p.free = max(p.free, f.agenda.now) + p.rendering
		f.agenda.at(p.free, func() {
			f.cpu += p.rendering
			p.rendering = 0
			if f.closed {
				return
			}
			f.submit(r)
			f.render()
		})
	}
}

// rendering is what a request costs the API process before an engine sees it.
func (f *frontend) rendering(r *request) float64 {
	if r.mishap == invalid {
		return requestSeconds
	}
	text := r.prompt - len(r.images)*imageTokens
	return requestSeconds + tokeniseSeconds*float64(text) + r.traffic.render + f.media.prepare(r.images)
}

// submit sends the sequences of a rendered request, each to the rank that it names, or to the engine that then has the least
// to do. Clients name one with the header X-data-parallel-rank.
func (f *frontend) submit(r *request) {
	if r.left || f.turnedAway(r) {
		return
	}
	if f.full() {
		f.refuse(r, served)
		return
	}
	f.inside++
	if f.version < clockBeforeRendering {
		r.arrived = f.agenda.now
	}
	r.split()
	for _, s := range r.sequences {
		best := f.leastBusy(r.traffic)
		s.prefix = r.traffic.beginning(s, best)
		best.submit(s)
	}
}

// leastBusy is the engine with the least to do of those that a load may come to.
func (f *frontend) leastBusy(t *traffic) (best *engine) {
	ranks := 0
	for _, e := range f.engines {
		if e.model != t.model {
			continue
		}
		ranks++
		if best == nil || (t.ranks == 0 || ranks <= t.ranks) && e.pressure() < best.pressure() {
			best = e
		}
	}
	return best
}

// deliver takes in a report as soon as a process has time for it.
func (f *frontend) deliver(o *report) {
	p := &f.processes[0]
	for i := range f.processes {
		if f.processes[i].free < p.free {
			p = &f.processes[i]
		}
	}
	work := reportSeconds + outputSeconds*float64(o.tokens)
	start := max(p.free, f.agenda.now)
	p.free = start + work
	f.cpu += work
	if start == f.agenda.now {
		f.observe(o)
		return
	}
	f.agenda.at(start, func() { f.observe(o) })
}

func (f *frontend) observe(o *report) {
	if f.closed || f.dead {
		return
	}
	for _, r := range o.finished {
		r.conclude()
	}
	if !f.blind {
		f.count(o)
	}
	for _, r := range o.finished {
		if r.completes {
			f.complete(r.asked)
		}
	}
	for _, r := range o.failed {
		if f.leave(r, failed) {
			r.traffic.failed(r)
		}
	}
}

// count takes a report into the metrics.
func (f *frontend) count(o *report) {
	f.adapters.follow(o, f.agenda.now)
	f.media.tell(o.engine.metrics)
	o.engine.metrics.observe(o, f.agenda.now)
}

// leave ends a response with a class of HTTP status, unless it is over already.
func (f *frontend) leave(r *request, status string) bool {
	if r.left {
		return false
	}
	r.left = true
	if len(r.sequences) > 0 {
		f.inside--
	}
	i := slices.Index(f.open, r)
	f.open = slices.Delete(f.open, i, i+1)
	f.http.count(r, status, f.agenda.now)
	f.leaked += r.traffic.leaves
	return true
}

// complete ends the response of a request that an engine has finished.
func (f *frontend) complete(r *request) {
	if r.mishap == failing {
		if f.leave(r, failed) {
			r.traffic.failed(r)
		}
		return
	}
	if f.leave(r, served) {
		r.traffic.ended(r)
	}
}

// close is the end of the process: every connection breaks.
func (f *frontend) close() {
	f.closed = true
	for _, r := range f.open {
		r.left = true
		r.traffic.failed(r)
	}
	f.open, f.pending = nil, nil
	for _, e := range f.engines {
		e.hardware.release(f.agenda.now)
	}
}

// bury is the API process that lives on without its engine. Streams under way end with an error inside their 200; whatever
// comes is refused with a 500 at once.
func (f *frontend) bury() {
	f.dead, f.pending = true, nil
	for len(f.open) > 0 {
		r := f.open[0]
		f.leave(r, served)
		r.traffic.failed(r)
	}
}

// answerSeconds is how long a GET of a page takes: a few milliseconds, and three turns of the event loop (accept, handle,
// answer), each of which waits for the rendering under way.
func (f *frontend) answerSeconds() float64 {
	busiest := 0.0
	for _, p := range f.processes {
		busiest = max(busiest, p.rendering)
	}
	return 0.008 + 3*busiest
}
