package simulate

import (
	"math"
	"math/rand/v2"
)

// lengths is a distribution of token counts: log-normal about its median (the usual shape of prompt and output lengths in
// public traces), cut off at both ends. A spread of 0 makes every draw the median.
type lengths struct {
	median   float64
	spread   float64 // standard deviation of the natural logarithm
	min, max int
}

func (l lengths) draw(random *rand.Rand) int {
	n := l.median * math.Exp(l.spread*random.NormFloat64())
	return min(max(int(n+0.5), l.min), l.max)
}

// load is one kind of traffic to one server: either Poisson arrivals at a rate, or a pool of clients each of which sends,
// waits for the end, thinks and sends again.
type load struct {
	name     string
	model    int     // which of the server's models it asks for
	rate     float64 // requests a second; 0 for a pool of clients
	clients  int
	think    float64 // mean seconds between an answer and the client's next request
	patience float64 // seconds after which the client hangs up; 0 means never

	prompt, output lengths
	maxTokens      int     // a draw of output beyond it ends with finished_reason length
	prefixes       int     // how many shared beginnings (system prompts) there are; 0 means none
	prefixTokens   int     // length of each, added to the prompt
	render         float64 // seconds of API process CPU for template and media, beside the tokens
}

// times is the load with so many times the requests or clients.
func (l load) times(strength float64) load {
	l.rate *= strength
	l.clients = int(math.Round(float64(l.clients) * strength))
	return l
}

// traffic is a load in progress.
type traffic struct {
	load
	agenda   *agenda
	random   *rand.Rand
	frontend *frontend
	shared   [][]*prefix // for each engine, its state of each shared beginning
	stopped  bool
}

// start sends the first requests: clients begin spread over one think time, since nobody starts a pool in one instant.
func (t *traffic) start() {
	if t.rate > 0 {
		t.agenda.after(t.random.ExpFloat64()/t.rate, t.arrive)
		return
	}
	for range t.clients {
		t.agenda.after(t.random.Float64()*max(t.think, 1), t.send)
	}
}

func (t *traffic) arrive() {
	if t.stopped {
		return
	}
	t.send()
	t.agenda.after(t.random.ExpFloat64()/t.rate, t.arrive)
}

func (t *traffic) send() {
	if t.stopped {
		return
	}
	wanted := t.output.draw(t.random)
	r := &request{
		traffic: t,
		prompt:  t.prefixTokens + t.prompt.draw(t.random),
		limit:   t.maxTokens,
		output:  max(1, min(wanted, t.maxTokens)),
	}
	r.byLength = wanted >= t.maxTokens
	t.frontend.arrive(r)
	if t.patience > 0 {
		t.agenda.after(t.patience, func() { t.frontend.abandon(r) })
	}
}

// ended tells the client that its answer is complete, or that it has just given up.
func (t *traffic) ended() {
	if t.rate == 0 {
		t.agenda.after(t.random.ExpFloat64()*t.think, t.send)
	}
}

// beginning is the shared prefix of a request on one engine, or nil.
func (t *traffic) beginning(engine int) *prefix {
	if t.prefixes == 0 {
		return nil
	}
	for len(t.shared) <= engine {
		t.shared = append(t.shared, nil)
	}
	if t.shared[engine] == nil {
		for range t.prefixes {
			t.shared[engine] = append(t.shared[engine], &prefix{tokens: t.prefixTokens})
		}
	}
	return t.shared[engine][t.random.IntN(t.prefixes)]
}
