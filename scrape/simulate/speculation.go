package simulate

import "math/rand/v2"

// speculation is --speculative-config: a drafter proposes the next tokens of each sequence, and one step of the model
// verifies them all.
type speculation struct {
	tokens  int     // num_speculative_tokens; 0 means that it is off
	drafter float64 // parameters of the drafter as a share of the model's; 0 for n-grams, which cost the GPU nothing
}

// draftLaunchSeconds is from one token of the drafter to the next, by judgement: a small CUDA graph.
const draftLaunchSeconds = 1e-4

// drafted is what became of proposals, as vLLM counts them.
type drafted struct {
	drafts, tokens, accepted int
	positions                []int // accepted by position
}

// add counts a draft of so many tokens, of which the first few were accepted.
func (d *drafted) add(tokens, accepted int) {
	d.drafts++
	d.tokens += tokens
	d.accepted += accepted
	for len(d.positions) < tokens {
		d.positions = append(d.positions, 0)
	}
	for i := range accepted {
		d.positions[i]++
	}
}

// merge adds another's counts.
func (d *drafted) merge(other drafted) {
	d.drafts += other.drafts
	d.tokens += other.tokens
	d.accepted += other.accepted
	for len(d.positions) < len(other.positions) {
		d.positions = append(d.positions, 0)
	}
	for i, n := range other.positions {
		d.positions[i] += n
	}
}

// position is how many proposals were accepted there.
func (d *drafted) position(i int) float64 {
	if i >= len(d.positions) {
		return 0
	}
	return float64(d.positions[i])
}

// propose decides what a running request computes next: what has no KV yet, and the proposals behind it if it decodes.
func (s *scheduler) propose(r *request, budget int) {
	r.step, r.drafts = s.chunk(r.tokens()-r.computed, budget), 0
	if r.step == 1 && r.generated > 0 {
		r.drafts = min(s.drafts, budget-1)
		r.step += r.drafts
	}
}

// verify is how many of r's proposals stand: each does with the chance that its load gives it, until the first that does not
// (arXiv 2211.17192).
func (r *request) verify(random *rand.Rand) (accepted int) {
	for accepted < r.drafts && random.Float64() < r.traffic.acceptance {
		accepted++
	}
	return accepted
}

// drafting is how long the drafter takes for a batch, on the same roofline as the model: one pass for each token that it
// proposes. Its own KV is left out.
func (h *hardware) drafting(b batch) (seconds, bytes, flops float64) {
	if b.drafts == 0 || h.drafter == 0 {
		return 0, 0, 0
	}
	n, passes := float64(h.devices), float64(b.longest)
	bytes = passes * h.drafter * h.model.weights()
	flops = 2 * h.drafter * h.model.parameters * float64(b.drafts)
	return h.roofline(bytes, flops)/n + passes*draftLaunchSeconds, bytes, flops
}
