package simulate

import (
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
	stopped  bool
}

// start sends the first requests: clients begin spread over one think time, since nobody starts a pool in one instant.
func (t *traffic) start() {
	if t.rate > 0 {
		t.agenda.after(t.random.ExpFloat64()/t.rate, t.arrive)
		return
	}
	for client := range t.clients {
		t.agenda.after(t.random.Float64()*max(t.think, 1), func() { t.ask(client) })
	}
}

// arrive is a request of an open loop, which comes whether or not others were answered.
func (t *traffic) arrive() {
	if t.stopped {
		return
	}
	t.ask(t.sent)
	t.agenda.after(t.random.ExpFloat64()/t.rate, t.arrive)
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

func (t *traffic) send(r *request) {
	t.sent++
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

// ended tells the client that its answer is complete.
func (t *traffic) ended(r *request) {
	if r.decode != nil {
		t.secondLeg(r)
		return
	}
	if t.rate == 0 {
		t.agenda.after(t.random.ExpFloat64()*t.think, func() { t.ask(r.client) })
	}
}

// failed tells the client that there will be no answer. It tries again, or gives up and thinks before its next request.
func (t *traffic) failed(r *request) {
	if r.decode != nil {
		r = r.decode
	}
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
