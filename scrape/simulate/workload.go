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

// load is one kind of traffic: either Poisson arrivals at a rate, or a pool of clients each of which sends, waits for the
// end, thinks and sends again.
type load struct {
	name     string
	model    int     // which of the server's models it asks for
	rate     float64 // requests a second; 0 for a pool of clients
	rhythm   rhythm  // how the rate changes
	clients  int
	think    float64 // mean seconds between an answer and the client's next request
	patience float64 // seconds after which the client hangs up; 0 means never
	retries  int     // how often it tries again when it hung up or got no answer
	begin    float64 // seconds over which the clients of a pool begin; 0 means one think time
	leavers  float64 // share of the requests whose client has seen enough before the end,
	stay     float64 // after so many seconds in the mean
	pool     int     // connections of the client or gateway: what is more waits there, unseen; 0 means no limit
	ranks    int     // data-parallel ranks that clients name, the first so many; 0 leaves the choice to the server

	prompt, output lengths
	maxTokens      int     // a draw of output beyond it ends with finished_reason length
	prefixes       int     // how many shared beginnings (system prompts) there are; 0 means none
	prefixTokens   int     // length of each, added to the prompt
	answers        int     // parameter n: how many answers each request asks for; 0 means one
	priority       int     // smaller goes first, with --scheduling-policy priority
	acceptance     float64 // chance that a drafter's proposal stands, once those before it do
	adapters       int     // LoRA adapters, of which each request names one; 0 means the base model
	images         int     // in each prompt, beside its text
	gallery        int     // how many different images there are; 0 means that each is new
	render         float64 // seconds of API process CPU for template and media, beside the tokens
	mishap         mishap  // what goes wrong
	mishaps        float64 // with this share of its requests
	leaves         float64 // bytes of the API process's memory that each request leaves behind
}

// times is the load with so many times the requests or clients.
func (l load) times(strength float64) load {
	l.rate *= strength
	l.clients = int(math.Round(float64(l.clients) * strength))
	return l
}
