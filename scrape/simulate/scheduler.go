package simulate

import "slices"

// scheduler is vLLM's V1 scheduler: each step has a token budget, running requests come first in
// the order of their admission, prompts are computed in chunks of what is left, waiting requests are admitted first come
// first served, and a request that cannot grow evicts the one admitted last, which starts again from nothing.
// With priorities, the order of the queue and who is evicted are others: see priority.go.
type scheduler struct {
	cache        *cache
	maxSeqs      int  // --max-num-seqs
	longPrefill  int  // --long-prefill-token-threshold: tokens of one prompt in one step; 0 means no limit
	byPriority   bool // --scheduling-policy priority
	budget       int  // --max-num-batched-tokens
	maxAdapters  int  // --max-loras: different adapters in one batch
	drafts       int  // tokens that a drafter proposes for each sequence and step
	byChunk      bool // room for the first chunk is enough, as it was until 0.17
	countRetries bool // each attempt to admit counts as a prefix look-up, as it did until 0.26

	connector connector // nil without one
	recompute bool      // --kv-transfer-config kv_load_failure_policy: recompute what did not come

	waiting  []*request // the deferred ones first
	running  []*request
	held     []*request // in neither, with blocks that somebody reads or writes
	deferred int        // that were passed over and do not run yet: they waited for something else than room

	outsideQueries, outsideHits int // the same of caches outside

	queries, hits int // prefix cache look-ups since the last step's report, in tokens
}

// batch is what one step computes.
type batch struct {
	decodes   int     // requests that compute one token
	drafts    int     // proposals behind those tokens, to be verified
	longest   int     // the most proposals of one request
	prefill   int     // prompt tokens computed, recomputed ones included
	context   int     // tokens of KV that are read
	attention float64 // pairs of tokens that prefill attends to
	starved   bool    // somebody could not start for lack of KV blocks
	others    int     // tokens that other ranks compute in the same step, whose experts may be here
}

// schedule fills the next step. Requests that it leaves out have step 0. After an eviction nobody is admitted.
func (s *scheduler) schedule(now float64, turn int) batch {
	var b batch
	budget := s.continueRunning(&b, turn)
	slots := s.loadedAdapters()
	var passed []*request
	for budget > 0 && len(s.waiting) > 0 && len(s.running) < s.maxSeqs && !b.starved {
		r := s.waiting[0]
		if !s.mustWait(r, slots) && !s.admit(r, budget, now) {
			b.starved = true
			break
		}
		s.waiting = s.waiting[1:]
		if r.step == 0 {
			passed = append(passed, r)
			s.pass(r, true)
			continue
		}
		s.pass(r, false)
		r.turn = turn
		s.running = append(s.running, r)
		if r.adapter > 0 {
			slots[r.adapter] = true
		}
		budget -= r.step
		b.add(r)
	}
	s.waiting = append(passed, s.waiting...)
	return b
}

// pass counts a request among the deferred, or no longer.
func (s *scheduler) pass(r *request, deferred bool) {
	switch {
	case deferred && !r.deferred:
		s.deferred++
	case !deferred && r.deferred:
		s.deferred--
	}
	r.deferred = deferred
}

// loadedAdapters are the LoRA adapters of the running requests: each takes a slot.
func (s *scheduler) loadedAdapters() map[int]bool {
	if s.maxAdapters == 0 {
		return nil
	}
	slots := map[int]bool{}
	for _, r := range s.running {
		if r.adapter > 0 {
			slots[r.adapter] = true
		}
	}
	return slots
}

// mustWait says that a request lacks something that room does not give: its KV, or a slot for its adapter. Others may pass it.
func (s *scheduler) mustWait(r *request, slots map[int]bool) bool {
	return r.fetch == loading || r.adapter > 0 && !slots[r.adapter] && len(slots) >= s.maxAdapters
}

// continueRunning gives every running request its tokens, and returns what is left of the budget.
func (s *scheduler) continueRunning(b *batch, turn int) (budget int) {
	budget = s.budget
	for i := 0; i < len(s.running); i++ {
		r := s.running[i]
		if r.turn != turn {
			continue
		}
		s.propose(r, budget)
		for !s.grow(r) {
			b.starved = true
			victim := s.victim(turn)
			budget += s.preempt(victim, i)
			switch {
			case victim < i:
				i--
			case victim == i: // r itself: those behind it get nothing in this step
				for _, other := range s.running[i:] {
					if other.turn == turn {
						other.step = 0
					}
				}
				s.account(b, turn)
				return 0
			}
		}
		budget -= r.step
	}
	s.account(b, turn)
	return budget
}

// account adds what the running requests of a turn compute to the batch.
func (s *scheduler) account(b *batch, turn int) {
	for _, r := range s.running {
		if r.turn == turn {
			b.add(r)
		}
	}
}

// chunk is how many of a request's tokens one step takes.
func (s *scheduler) chunk(tokens, budget int) int {
	if s.longPrefill > 0 {
		tokens = min(tokens, s.longPrefill)
	}
	return min(tokens, budget)
}

// grow gives r the blocks for its next step.
func (s *scheduler) grow(r *request) bool {
	if r.computed+r.step > (r.own+r.shared)*s.cache.blockSize {
		need := s.cache.covering(r.computed+r.step) - r.own - r.shared
		if !s.cache.take(need) {
			return false
		}
		r.own += need
	}
	s.cache.publish(r)
	return true
}

// preempt evicts a running request and puts it back into the queue: at the head, or where its priority belongs. It returns
// the tokens that the request had already got in this step, in which the first so many were served.
func (s *scheduler) preempt(victim, served int) (tokens int) {
	r := s.running[victim]
	if victim < served {
		tokens = r.step
	}
	s.running = slices.Delete(s.running, victim, victim+1)
	s.cache.release(r)
	r.step, r.drafts = 0, 0
	r.preemptions++
	r.uncounted++
	if s.byPriority {
		s.enqueue(r)
	} else {
		s.waiting = slices.Insert(s.waiting, 0, r)
	}
	return tokens
}

// admit starts a waiting request if KV for all its tokens fits, although only the first chunk's is taken: vLLM does not
// let a prompt in that it could not finish. The one at the head blocks all behind it.
func (s *scheduler) admit(r *request, budget int, now float64) bool {
	if r.fetch == loaded {
		s.resume(r, budget, now)
		return true
	}
	hit := 0
	if r.prefix != nil {
		hit = r.prefix.cached * s.cache.blockSize
	}
	fits := s.cache.fits(r.prefix, s.asks(r, hit, budget))
	external := s.ask(r, hit, fits)
	if r.preemptions == 0 && (fits || s.countRetries) {
		s.queries += r.prompt
		s.hits += hit
	}
	if !fits {
		return false
	}
	r.shared = s.cache.hold(r.prefix)
	r.computed = hit
	if external > 0 {
		r.cached = hit
		s.receive(r)
		return true
	}
	r.step = s.chunk(r.tokens()-hit, budget)
	s.grow(r)
	if r.preemptions == 0 {
		r.cached = hit
		r.scheduled = now
	}
	return true
}

// asks is for how many tokens a request must find room.
func (s *scheduler) asks(r *request, hit, budget int) int {
	if s.byChunk {
		return hit + s.chunk(r.tokens()-hit, budget)
	}
	return r.tokens()
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
		s.leave(r)
	}
}

// leave ends the waiting of a request. While KV is on its way into its blocks, they stay.
func (s *scheduler) leave(r *request) {
	s.pass(r, false)
	if s.connector != nil {
		s.connector.dropped(r)
	}
	switch r.fetch {
	case loading:
		s.hold(r)
	case loaded:
		s.cache.release(r)
	}
}

// add accounts for a request's share of the step.
func (b *batch) add(r *request) {
	if r.step == 0 {
		return
	}
	if r.step == 1+r.drafts && r.generated > 0 {
		b.decodes++
		b.drafts += r.drafts
		b.longest = max(b.longest, r.drafts)
	} else {
		b.prefill += r.step
		b.attention += float64(r.step) * (float64(r.computed) + float64(r.step)/2)
	}
	b.context += r.computed + r.step
}

// tokens is the size of the batch.
func (b *batch) tokens() int { return b.decodes + b.drafts + b.prefill }
