package simulate

import "slices"

// scheduler is vLLM's V1 scheduler with its default policy: each step has a token budget, running requests come first in
// the order of their admission, prompts are computed in chunks of what is left, waiting requests are admitted first come
// first served, and a request that cannot grow evicts the one admitted last, which starts again from nothing.
type scheduler struct {
	cache        *cache
	maxSeqs      int  // --max-num-seqs
	budget       int  // --max-num-batched-tokens
	maxAdapters  int  // --max-loras: different adapters in one batch
	countRetries bool // each attempt to admit counts as a prefix look-up, as it did until 0.26

	waiting  []*request // the deferred ones first
	running  []*request
	deferred int // that were passed over in the last step: they wait for something else than room

	queries, hits int // prefix cache look-ups since the last step's report, in tokens
}

// batch is what one step computes.
type batch struct {
	decodes   int     // requests that compute one token
	prefill   int     // prompt tokens computed, recomputed ones included
	context   int     // tokens of KV that are read
	attention float64 // pairs of tokens that prefill attends to
	starved   bool    // somebody could not start for lack of KV blocks
	others    int     // tokens that other ranks compute in the same step, whose experts may be here
}

// schedule fills the next step. Requests that it leaves out have step 0. After an eviction nobody is admitted: the evicted
// request is at the head and needs more than it gave.
func (s *scheduler) schedule(now float64) batch {
	var b batch
	budget := s.continueRunning(&b)
	var passed []*request
	for budget > 0 && len(s.waiting) > 0 && len(s.running) < s.maxSeqs {
		r := s.waiting[0]
		if s.mustWait(r) {
			passed = append(passed, r)
			s.waiting = s.waiting[1:]
			continue
		}
		if !s.admit(r, budget, now) {
			b.starved = true
			break
		}
		s.waiting = s.waiting[1:]
		s.running = append(s.running, r)
		budget -= r.step
		b.add(r)
	}
	s.waiting, s.deferred = append(passed, s.waiting...), len(passed)
	return b
}

// mustWait says that a request lacks something that room does not give: a slot for its adapter. Others may pass it.
func (s *scheduler) mustWait(r *request) bool {
	if r.adapter == 0 {
		return false
	}
	loaded := map[int]bool{}
	for _, other := range s.running {
		if other.adapter > 0 {
			loaded[other.adapter] = true
		}
	}
	return !loaded[r.adapter] && len(loaded) >= s.maxAdapters
}

// continueRunning gives every running request its tokens, and returns what is left of the budget.
func (s *scheduler) continueRunning(b *batch) (budget int) {
	budget = s.budget
	for i := 0; i < len(s.running); i++ {
		r := s.running[i]
		r.step = min(r.tokens()-r.computed, budget)
		for !s.grow(r) {
			s.preempt()
			if len(s.running) == i {
				return budget // r itself was the last
			}
		}
		budget -= r.step
		b.add(r)
	}
	return budget
}

// grow gives r the blocks for its next step.
func (s *scheduler) grow(r *request) bool {
	need := s.cache.covering(r.computed+r.step) - r.own - r.shared
	if need <= 0 {
		return true
	}
	if !s.cache.take(need) {
		return false
	}
	r.own += need
	return true
}

// preempt evicts the request that was admitted last and puts it at the head of the queue.
func (s *scheduler) preempt() {
	last := len(s.running) - 1
	r := s.running[last]
	s.running = s.running[:last]
	s.cache.release(r)
	r.step = 0
	r.preemptions++
	r.uncounted++
	s.waiting = slices.Insert(s.waiting, 0, r)
}

// admit starts a waiting request if KV for all its tokens fits, although only the first chunk's is taken: vLLM does not
// let a prompt in that it could not finish. The one at the head blocks all behind it.
func (s *scheduler) admit(r *request, budget int, now float64) bool {
	hit := 0
	if r.prefix != nil {
		hit = r.prefix.cached * s.cache.blockSize
	}
	fits := s.cache.fits(r.prefix, r.tokens())
	if r.preemptions == 0 && (fits || s.countRetries) {
		s.queries += r.prompt
		s.hits += hit
	}
	if !fits {
		return false
	}
	r.shared = s.cache.hold(r.prefix)
	r.computed = hit
	r.step = min(r.tokens()-hit, budget)
	s.grow(r)
	if r.preemptions == 0 {
		r.cached = hit
		r.scheduled = now
	}
	return true
}

// drop removes a request whose client has left, wherever it is.
func (s *scheduler) drop(r *request) {
	if i := slices.Index(s.running, r); i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
		s.cache.release(r)
		return
	}
	if i := slices.Index(s.waiting, r); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	}
}

// add accounts for a request's share of the step.
func (b *batch) add(r *request) {
	if r.step == 0 {
		return
	}
	if r.step == 1 && r.generated > 0 {
		b.decodes++
	} else {
		b.prefill += r.step
		b.attention += float64(r.step) * (float64(r.computed) + float64(r.step)/2)
	}
	b.context += r.computed + r.step
}

// tokens is the size of the batch.
func (b *batch) tokens() int { return b.decodes + b.prefill }
