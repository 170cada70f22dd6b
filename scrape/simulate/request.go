package simulate

// request is one sequence on its way through a server.
type request struct {
	traffic  *traffic
	frontend *frontend // that took it
	engine   *engine   // chosen once it is rendered
	client   int       // of the pool; in an open loop, each request has one of its own
	tries    int       // how often it was sent before

	prompt, output int // tokens that came, tokens that it will produce
	byLength       bool
	mishap         mishap  // what goes wrong with it, if anything
	limit          int     // max_tokens, as asked
	adapter        int     // of LoRA; 0 means the base model
	group          int     // which of its load's shared beginnings it has
	prefix         *prefix // that beginning in its engine's cache

	computed, generated, step int // tokens with KV, tokens produced, tokens of the running step
	own, shared               int // KV blocks of its own, and of a prefix that others may hold too
	cached                    int // prompt tokens found in the prefix cache at admission
	preemptions, uncounted    int // evictions, and those that no output has reported yet

	// Accepted and arrived are read by the API process, the others by the engine. TTFT and E2E run on the former clock, the
	// phases on the latter: what lies between them is the frontend gap.
	accepted, arrived, queued, scheduled, firstToken, lastToken float64

	left bool // the response is over: served, or the client gave up
}

// tokens is how many tokens need KV before the next one can be sampled.
func (r *request) tokens() int { return r.prompt + r.generated }

// done says that the last token is out.
func (r *request) done() bool { return r.generated >= r.output }
