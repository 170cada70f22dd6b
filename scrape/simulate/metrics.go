package simulate

// engineMetrics is what vLLM counts for one engine. It is kept by the API process, so everything in it is as late as that
// process is.
type engineMetrics struct {
	running, waiting, deferred, usage float64

	preemptions, promptTokens, cachedTokens, generationTokens float64
	queries, hits                                             float64
	mediaQueries, mediaHits                                   float64 // images

	outsideQueries, outsideHits, outsideTokens float64

	drafted   drafted
	transfers transferMetrics
	stages    [3]int // of loads from outside

	success    map[string]float64 // by finished_reason
	rejections float64            // by --max-num-queued-reqs
	sleep      sleepLevel

	firstToken, interToken, perToken            *histogram
	endToEnd, queue, inference, prefill, decode *histogram
	prompt, generation, limit, computed         *histogram
	longest                                     *histogram
	iteration, samples, evictions               *histogram

	blockSize  float64 // tokens
	withCached bool    // iteration tokens count cached prompt tokens, as they did until 0.21
}

func newEngineMetrics(longest int, withCached bool) *engineMetrics {
	counts := countEdges(longest)
	return &engineMetrics{
		success:    map[string]float64{},
		firstToken: newHistogram(firstEdges),
		interToken: newHistogram(tokenEdges),
		perToken:   newHistogram(tokenEdges),
		endToEnd:   newHistogram(requestEdges),
		queue:      newHistogram(requestEdges),
		inference:  newHistogram(requestEdges),
		prefill:    newHistogram(requestEdges),
		decode:     newHistogram(requestEdges),
		prompt:     newHistogram(counts),
		generation: newHistogram(counts),
		limit:      newHistogram(counts),
		longest:    newHistogram(counts),
		computed:   newHistogram(counts),
		iteration:  newHistogram(iterationEdges),
		samples:    newHistogram(samplesEdges),
		evictions:  newHistogram(evictionEdges),
		withCached: withCached,
	}
}

// observe takes in the report of a step. Gauges are the step's; nothing changes them until the next one.
func (m *engineMetrics) observe(o *report, now float64) {
	m.running, m.waiting, m.deferred, m.usage = float64(o.running), float64(o.waiting), float64(o.deferred), o.usage
	m.queries += float64(o.queries)
	m.hits += float64(o.hits)
	m.preemptions += float64(o.preemptions)
	m.generationTokens += float64(o.tokens)
	m.drafted.merge(o.drafted)
	m.observeOutside(o)
	if o.steady > 0 {
		m.interToken.observe(o.gap, o.steady)
	}
	for _, seconds := range o.late {
		m.interToken.observe(seconds, 1)
	}
	iteration := o.tokens
	for _, r := range o.first {
		iteration += m.observeFirst(r, now)
	}
	if iteration > 0 { // a step that only computes a part of a prompt is not observed
		m.iteration.observe(float64(iteration), 1)
	}
	for _, r := range o.finished {
		m.observeFinished(r, now)
	}
	for _, r := range o.failed {
		m.observeFailed(r, now)
	}
}

// observeFirst counts what vLLM counts at the first token, the whole prompt among it, and returns the prompt's part of the
// iteration.
func (m *engineMetrics) observeFirst(r *request, now float64) int {
	m.firstToken.observe(now-r.arrived, 1)
	m.promptTokens += float64(r.prompt)
	m.cachedTokens += float64(r.cached)
	m.outsideTokens += float64(r.external)
	if m.withCached {
		return r.prompt
	}
	return r.prompt - r.cached - r.external
}

// observeFinished counts what vLLM counts when a request ends. Queue time ends at the first scheduling, so the waits after
// an eviction are in the decode time. A one-token answer has a time per output token of 0.
func (m *engineMetrics) observeFinished(r *request, now float64) {
	m.success[r.reason()]++
	perToken := 0.0
	if r.generated > 1 {
		perToken = (r.lastToken - r.firstToken) / float64(r.generated-1)
	}
	m.perToken.observe(perToken, 1)
	m.endToEnd.observe(now-r.arrived, 1)
	m.queue.observe(r.scheduled-r.queued, 1)
	m.inference.observe(r.lastToken-r.scheduled, 1)
	m.prefill.observe(r.firstToken-r.scheduled, 1)
	m.decode.observe(r.lastToken-r.firstToken, 1)
	m.prompt.observe(float64(r.prompt), 1)
	m.generation.observe(float64(r.generated), 1)
	m.limit.observe(float64(r.limit), 1)
	m.computed.observe(float64(r.prompt-r.cached-r.external), 1)
	m.evictions.observe(float64(r.preemptions), 1)
	if r.completes {
		m.samples.observe(float64(len(r.asked.sequences)), 1)
		m.longest.observe(float64(r.asked.longest), 1)
	}
}
