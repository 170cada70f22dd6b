package simulate

import (
	"cmp"
	"math"
	"math/rand/v2"
)

// backoffSeconds is how long a client waits before its first retry; the wait doubles with each.
const backoffSeconds = 1

// traffic is a load in progress.
type traffic struct {
	load
	agenda   *agenda
	random   *rand.Rand
	router   *router
	prefills *router               // of the servers that compute prompts, where others answer them
	shared   map[*engine][]*prefix // of each engine, its state of each shared beginning
	sent     int                   // requests so far
	began    float64
	open     int        // requests under way
	backlog  []*request // that wait for a connection of the pool
	stopped  bool
}

// start sends the first requests: clients begin spread over one think time, since nobody starts a pool in one instant.
func (t *traffic) start() {
	t.began = t.agenda.now
	if t.rate > 0 {
		t.agenda.after(t.gap(), t.arrive)
		return
	}
	for client := range t.clients {
		t.agenda.after(t.random.Float64()*cmp.Or(t.begin, max(t.think, 1)), func() { t.ask(client) })
	}
}

// gap is the time to the next arrival at the highest rate, of which arrive leaves some out.
func (t *traffic) gap() float64 { return t.random.ExpFloat64() / (t.rate * t.rhythm.highest()) }

// arrive is a request of an open loop, which comes whether or not others were answered.
func (t *traffic) arrive() {
	if t.stopped {
		return
	}
	if t.rhythm.steady() || t.random.Float64()*t.rhythm.highest() < t.rhythm.at(t.agenda.now, t.agenda.now-t.began) {
		t.ask(t.sent)
	}
	t.agenda.after(t.gap(), t.arrive)
}

// ask sends a client's next request.
func (t *traffic) ask(client int) {
	if t.stopped {
		return
	}
	wanted := t.output.draw(t.random)
	r := &request{
		traffic: t,
		client:  client,
		prompt:  t.prefixTokens + t.prompt.draw(t.random) + t.images*imageTokens,
		limit:   t.maxTokens,
		output:  max(1, min(wanted, t.maxTokens)),
	}
	r.byLength = wanted >= t.maxTokens
	if t.prefixes > 0 {
		r.group = t.random.IntN(t.prefixes)
	}
	r.images = t.choose()
	if t.adapters > 0 {
		r.adapter = 1 + t.random.IntN(t.adapters)
	}
	t.afflict(r)
	t.send(r)
}

// backlogPerConnection is how many requests a gateway keeps for each of its connections; it refuses the others by itself.
const backlogPerConnection = 10

func (t *traffic) send(r *request) {
	if t.pool > 0 && t.open >= t.pool {
		if len(t.backlog) < backlogPerConnection*t.pool {
			t.backlog = append(t.backlog, r)
		}
		return
	}
	t.sent++
	t.open++
	if t.prefills != nil {
		t.prefill(r)
		return
	}
	s := t.router.choose(r)
	if s == nil {
		t.failed(r)
		return
	}
	s.frontend.arrive(r)
	t.wait(r)
}

// wait lets the client of a request hang up: when its patience ends, or because it is one that leaves early.
func (t *traffic) wait(r *request) {
	if t.patience > 0 {
		t.hangUp(r, t.patience)
	}
	if t.leavers > 0 && t.random.Float64() < t.leavers {
		t.hangUp(r, t.random.ExpFloat64()*t.stay)
	}
}

// hangUp ends a request after so many seconds, in whichever leg it then is.
func (t *traffic) hangUp(r *request, seconds float64) {
	t.agenda.after(seconds, func() {
		if r.left && r.decode != nil {
			r = r.decode
		}
		if r.frontend != nil {
			r.frontend.abandon(r)
		}
	})
}

// free lets go of a connection, and sends what waits for one.
func (t *traffic) free() {
	t.open--
	if len(t.backlog) > 0 && t.open < t.pool && !t.stopped {
		next := t.backlog[0]
		t.backlog = t.backlog[1:]
		t.agenda.after(0, func() { t.send(next) })
	}
}

// ended tells the client that its answer is complete.
func (t *traffic) ended(r *request) {
	if r.decode != nil {
		t.secondLeg(r)
		return
	}
	t.free()
	if t.rate == 0 {
		t.agenda.after(t.random.ExpFloat64()*t.think, func() { t.ask(r.client) })
	}
}

// failed tells the client that there will be no answer. It tries again, or gives up and thinks before its next request.
func (t *traffic) failed(r *request) {
	if r.decode != nil {
		r = r.decode
	}
	t.free()
	if r.tries >= t.retries {
		if t.rate == 0 {
			t.agenda.after(backoffSeconds+t.random.ExpFloat64()*t.think, func() { t.ask(r.client) })
		}
		return
	}
	fresh := request{
		traffic: t, client: r.client, tries: r.tries + 1, prompt: r.prompt, limit: r.limit, output: r.output, byLength: r.byLength,
		group: r.group, adapter: r.adapter, images: r.images, mishap: r.mishap,
	}
	t.agenda.after(backoffSeconds*math.Exp2(float64(r.tries))*(0.5+t.random.Float64()), func() { t.send(&fresh) })
}

// beginning is the shared prefix of a request on one engine, or nil.
func (t *traffic) beginning(r *request, e *engine) *prefix {
	if t.answers > 1 {
		return r.ownPrefix(e)
	}
	if t.prefixes == 0 {
		return nil
	}
	if t.shared[e] == nil {
		if t.shared == nil {
			t.shared = map[*engine][]*prefix{}
		}
		for range t.prefixes {
			t.shared[e] = append(t.shared[e], &prefix{tokens: t.prefixTokens})
		}
	}
	return t.shared[e][r.group]
}
