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
	images         []int   // in the prompt
	group          int     // which of its load's shared beginnings it has
	prefix         *prefix // that beginning in its engine's cache

	computed, generated, step int // tokens with KV, tokens produced, tokens of the running step
	drafts                    int // of the step's tokens, those that are proposals
	own, shared               int // KV blocks of its own, and of a prefix that others may hold too
	cached                    int // prompt tokens found in the prefix cache at admission
	external                  int // and those that a connector found outside
	preemptions, uncounted    int // evictions, and those that no output has reported yet

	// Accepted and arrived are read by the API process, the others by the engine. TTFT and E2E run on the former clock, the
	// phases on the latter: what lies between them is the frontend gap.
	accepted, arrived, queued, scheduled, firstToken, lastToken float64

	fetch    fetch     // of what is outside
	turn     int       // of its engine
	deferred bool      // passed over by others: it waits for something else than room
	decode   *request  // of the first leg, the one to follow
	handover *handover // the KV that passes from leg to leg

	left bool // the response is over: served, or the client gave up

	asked      *request            // of which this is one answer: itself when there is only one
	sequences  []*request          // its answers
	unfinished int                 // of its answers
	longest    int                 // tokens of its answers that are finished
	completes  bool                // it is the last answer to finish
	prompts    map[*engine]*prefix // its prompt in each engine's cache, when it has several answers
}

// tokens is how many tokens need KV before the next one can be sampled.
func (r *request) tokens() int { return r.prompt + r.generated }

// done says that the last token is out.
func (r *request) done() bool { return r.generated >= r.output }
