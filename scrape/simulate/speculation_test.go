package simulate

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAcceptance compares with E[L] = (1 - a^(k+1)) / (1 - a): 3.69 tokens a step for five proposals at 0.8, and 1.43 at 0.3.
func TestAcceptance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct{ chance, length, third float64 }{{0.8, 3.69, 0.512}, {0.3, 1.43, 0.027}} {
		r := request{drafts: 5, traffic: &traffic{load: load{acceptance: test.chance}}}
		var all drafted
		for range 40000 {
			all.add(5, r.verify(random))
		}
		check(
			t,
			bound{"tokens a step", 1 + float64(all.accepted)/float64(all.drafts), test.length - 0.02, test.length + 0.02},
			bound{"third position", all.position(2) / float64(all.drafts), test.third - 0.01, test.third + 0.01},
			bound{"tokens a draft", float64(all.tokens) / float64(all.drafts), 5, 5},
		)
	}
}

// TestCostOfSpeculation by hand: 80 sequences of 1,024 tokens on an H100, five proposals each. Verification is 480 tokens:
// 2 x 8.03e9 x 480 / (989e12 x 0.55) = 14.17 ms against (16.06 + 10.74) GB / (3.35e12 x 0.85) = 9.41 ms without. The drafter
// has 15.4 %: five passes of 2.47 GB, 4.34 ms, and their launches.
func TestCostOfSpeculation(t *testing.T) {
	h := on(1, llama8B)
	_, plain := h.step(decode(80, 1024))
	h.drafter = 0.154
	b := decode(80, 1024)
	b.drafts, b.longest = 400, 5
	_, speculating := h.step(b)
	check(t, bound{"plain step", 1e3 * plain.busy, 9.35, 9.5}, bound{"step", 1e3 * speculating.busy, 18.9, 19.2})
	h.drafter = 0
	if _, free := h.step(b); free.busy < 14e-3 || free.busy > 14.4e-3 {
		t.Errorf("with n-grams a step takes %g ms, want that of verification alone", 1e3*free.busy)
	}
}

// TestOutputsOfSpeculation: all proposals stand, so a step brings four tokens in one output. An answer of 50 ends in the
// middle of the thirteenth step after the first token.
func TestOutputsOfSpeculation(t *testing.T) {
	f := roomy
	f.speculation = speculation{tokens: 3}
	s, tr := bench(t, "0.32.0", f)
	tr.acceptance = 1
	s.ask(tr, 100, 50)
	s.agenda.runTo(20)
	m := s.frontend.engines[0].metrics
	if m.interToken.count() != 13 || m.generationTokens != 50 || m.drafted.accepted != 39 || m.generation.sum != 50 || m.success["stop"] != 1 {
		t.Errorf("%d outputs after the first, %g tokens, %d accepted, %g in the answer; want 13, 50, 39, 50",
			m.interToken.count(), m.generationTokens, m.drafted.accepted, m.generation.sum)
	}
	if mean := m.interToken.sum / 13; !near(m.perToken.sum, 13*mean/49) {
		t.Errorf("time per output token is %g s at %g s a step, want 13 steps for 49 tokens", m.perToken.sum, mean)
	}
	if e := s.frontend.engines[0]; e.scheduler.cache.usage() != 0 {
		t.Errorf("usage is %g at the end, want 0", e.scheduler.cache.usage())
	}
}

// TestSpeculationFamilies are on the page of a server that speculates, one position for each proposal.
func TestSpeculationFamilies(t *testing.T) {
	f := roomy
	plain, _ := bench(t, "0.32.0", f)
	f.speculation = speculation{tokens: 3}
	speculating, _ := bench(t, "0.32.0", f)
	if page := string(plain.page(1)); strings.Contains(page, "spec_decode") {
		t.Error("a server without speculation shows its families")
	}
	page := string(speculating.page(1))
	if n := strings.Count(page, "\nvllm:spec_decode_num_accepted_tokens_per_pos_total{"); n != 3 || !strings.Contains(page, `position="2"}`) {
		t.Errorf("%d positions, want 0 to 2", n)
	}
	if strings.Index(page, "spec_decode") > strings.Index(page, "estimated_flops") {
		t.Error("the families of speculation are not the first of the engine's, as vLLM has them")
	}
}
