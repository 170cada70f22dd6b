package simulate

import (
	"math/rand/v2"
	"testing"
)

// balanced checks that every block is either free or held, and that the free list says the same.
func balanced(t *testing.T, c *cache, holders []*request) {
	t.Helper()
	listed, held := 0, 0
	for _, run := range c.idle {
		if run.blocks <= 0 || run.prefix != nil && (run.prefix.holders > 0 || run.prefix.cached != run.blocks) {
			t.Fatalf("bad run of free blocks: %+v", run)
		}
		listed += run.blocks
	}
	shared := map[*prefix]bool{}
	for _, r := range holders {
		if r.own < 0 {
			t.Fatalf("a request holds %d blocks of its own", r.own)
		}
		held += r.own
		if r.prefix != nil && !shared[r.prefix] {
			shared[r.prefix] = true
			held += r.prefix.cached
		}
	}
	if listed != c.free || c.free < 0 || c.free+held != c.blocks {
		t.Fatalf("%d free, %d listed, %d held of %d blocks", c.free, listed, held, c.blocks)
	}
}

// TestCacheConserves lets a scheduler run through random requests, finished and departures.
func TestCacheConserves(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := scheduler{cache: newCache(200, 16), maxSeqs: 12, budget: 300}
	prefixes := []*prefix{nil, {tokens: 64}, {tokens: 250}}
	evictions := 0
	for range 5000 {
		if len(s.waiting) < 5 {
			p := prefixes[random.IntN(len(prefixes))]
			r := &request{prompt: 1 + random.IntN(500), output: 1 + random.IntN(300), prefix: p}
			if p != nil {
				r.prompt += p.tokens
			}
			s.waiting = append(s.waiting, r)
		}
		s.schedule(1, 0)
		var staying []*request
		for _, r := range s.running {
			r.computed += r.step
			if r.step > 0 && r.computed == r.tokens() {
				r.generated++
			}
			if r.done() {
				evictions += r.preemptions
				s.cache.release(r)
				continue
			}
			staying = append(staying, r)
		}
		s.running = staying
		if len(s.running) > 0 && random.IntN(50) == 0 {
			s.drop(s.running[random.IntN(len(s.running))])
		}
		balanced(t, s.cache, s.running)
	}
	if evictions < 10 {
		t.Errorf("only %d evictions: the test does not press the cache", evictions)
	}
}

func TestCachedPrefixIsFreeUntilOverwritten(t *testing.T) {
	c := newCache(11, 16)
	p := &prefix{tokens: 48}
	r := &request{prompt: 50, prefix: p, shared: c.hold(p)}
	c.take(4)
	r.own, r.computed = 4, 50
	c.publish(r)
	if p.cached != 3 || r.own != 1 || c.usage() != 0.4 {
		t.Fatalf("cached %d, own %d, usage %g; want 3, 1, 0.4", p.cached, r.own, c.usage())
	}
	// Six blocks are free: nine more fit for one who shares the three, six for one who does not.
	if !c.fits(p, 9*16) || c.fits(p, 9*16+1) || c.fits(nil, 6*16+1) {
		t.Errorf("9 blocks fit: %v, 10: %v, 7 without the prefix: %v; want true, false, false", c.fits(p, 9*16), c.fits(p, 9*16+1), c.fits(nil, 6*16+1))
	}
	c.release(r)
	if c.fits(p, 10*16+1) || !c.fits(p, 10*16) { // cached blocks that nobody holds are among the free
		t.Error("a request of all ten blocks does not fit, or a larger one does")
	}
	if c.usage() != 0 || p.cached != 3 {
		t.Fatalf("after release: usage %g with %d cached blocks, want 0 with 3", c.usage(), p.cached)
	}
	if c.take(8); p.cached != 2 { // the seven others first, since the prefix was freed last
		t.Errorf("%d cached blocks after taking 8 of 10, want 2", p.cached)
	}
	if held := c.hold(p); held != 2 || c.free != 0 {
		t.Errorf("holding gives %d blocks and leaves %d free, want 2 and 0", held, c.free)
	}
}
