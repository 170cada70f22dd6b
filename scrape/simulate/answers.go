package simulate

// A request with the parameter n asks for n answers to one prompt. vLLM makes n sequences of it, which go to the engine on
// their own: whichever is scheduled first computes the prompt, and the others find its full blocks in the prefix cache. All
// counters and histograms are of sequences; the parameter n and the longest answer are told once, with the last of them.
// The response over HTTP ends with it too.

// split makes the sequences of a request that asks for several answers. Each stops in its own time.
func (r *request) split() {
	r.asked, r.sequences, r.unfinished = r, []*request{r}, 1
	n := r.traffic.answers
	if n <= 1 {
		return
	}
	r.sequences, r.unfinished = nil, n
	for range n {
		one := *r
		wanted := r.traffic.output.draw(r.traffic.random)
		one.output, one.byLength = max(1, min(wanted, r.limit)), wanted >= r.limit
		one.sequences = nil
		r.sequences = append(r.sequences, &one)
	}
}

// conclude takes note of the end of a sequence.
func (r *request) conclude() {
	r.asked.unfinished--
	r.asked.longest = max(r.asked.longest, r.generated)
	r.completes = r.asked.unfinished == 0
}

// ownPrefix is what the sequences of a request share on one engine: all of the prompt but its last token, which each of
// them must compute.
func (r *request) ownPrefix(e *engine) *prefix {
	if r.asked.prompts == nil {
		r.asked.prompts = map[*engine]*prefix{}
	}
	if r.asked.prompts[e] == nil {
		r.asked.prompts[e] = &prefix{tokens: r.prompt - 1}
	}
	return r.asked.prompts[e]
}
