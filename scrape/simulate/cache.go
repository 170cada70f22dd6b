package simulate

// cache is the KV cache of one engine, in blocks. As in vLLM, blocks that no request holds are free even while they still
// carry a reusable prefix: they are handed out oldest first, and only then is the prefix lost. Usage is therefore memory
// held by live requests, never the fullness of the prefix cache.
//
// Only shared beginnings are remembered as prefixes. A finished or preempted request's own blocks are freed for good: under
// pressure, where it matters, the next allocations overwrite them at once.
type cache struct {
	blocks    int // usable blocks: one less than num_gpu_blocks, since vLLM keeps a null block
	blockSize int // tokens
	free      int
	idle      []idleBlocks // the free blocks, oldest first
}

// idleBlocks is a run of free blocks; those of a prefix can still be hit.
type idleBlocks struct {
	prefix *prefix
	blocks int
}

// prefix is a beginning that many prompts share.
type prefix struct {
	tokens  int
	cached  int // blocks in the cache
	holders int // requests that hold them
}

func newCache(gpuBlocks, blockSize int) *cache {
	usable := gpuBlocks - 1
	return &cache{blocks: usable, blockSize: blockSize, free: usable, idle: []idleBlocks{{blocks: usable}}}
}

// usage is the share of blocks that live requests hold, 0 to 1.
func (c *cache) usage() float64 { return 1 - float64(c.free)/float64(c.blocks) }

// covering is the number of blocks for so many tokens.
func (c *cache) covering(tokens int) int { return (tokens + c.blockSize - 1) / c.blockSize }

// fits says whether a request could hold KV for so many tokens now, given what the cache has of its prefix. A cached
// block that nobody holds is free, so holding it costs as much as a new one.
func (c *cache) fits(p *prefix, tokens int) bool {
	need := c.covering(tokens)
	if p != nil && p.holders > 0 {
		need -= p.cached
	}
	return need <= c.free
}

// hold makes a request share what is cached of its prefix and returns how many blocks that is.
func (c *cache) hold(p *prefix) int {
	if p == nil {
		return 0
	}
	p.holders++
	if p.holders == 1 {
		for i, run := range c.idle {
			if run.prefix == p {
				c.idle = append(c.idle[:i], c.idle[i+1:]...)
				c.free -= run.blocks
				break
			}
		}
	}
	return p.cached
}

// take allocates blocks for one request's own use, oldest free ones first, or nothing if there are not enough.
func (c *cache) take(blocks int) bool {
	if blocks > c.free {
		return false
	}
	c.free -= blocks
	for blocks > 0 {
		run := &c.idle[0]
		n := min(blocks, run.blocks)
		run.blocks -= n
		blocks -= n
		if run.prefix != nil {
			run.prefix.cached -= n
		}
		if run.blocks == 0 {
			c.idle = c.idle[1:]
		}
	}
	return true
}

// publish lets others share the prefix blocks that r will have computed after its next step, unless somebody was first. As
// in vLLM they are known from the moment they are allocated: who is scheduled in the same step finds them.
func (c *cache) publish(r *request) {
	p := r.prefix
	if p == nil || r.computed+r.step < p.tokens {
		return
	}
	fresh := p.tokens/c.blockSize - p.cached
	p.cached += fresh
	r.shared += fresh
	r.own -= fresh
}

// release frees all that a running request holds.
func (c *cache) release(r *request) {
	c.give(nil, r.own)
	if p := r.prefix; p != nil {
		p.holders--
		if p.holders == 0 {
			c.give(p, p.cached)
		}
	}
	r.own, r.shared, r.computed = 0, 0, 0
}

// give puts blocks at the young end of the free list.
func (c *cache) give(p *prefix, blocks int) {
	if blocks == 0 {
		return
	}
	c.free += blocks
	if last := len(c.idle) - 1; last >= 0 && p == nil && c.idle[last].prefix == nil {
		c.idle[last].blocks += blocks
		return
	}
	c.idle = append(c.idle, idleBlocks{prefix: p, blocks: blocks})
}
