package simulate

// Network for KV, by judgement after current GPU servers: 400 Gb/s a device, of which RDMA reaches 80 %. A transfer takes a
// moment, and another for each descriptor to be posted; one that fails is noticed after a time-out of the transport.
const (
	networkBandwidth  = 40e9
	transferSeconds   = 3e-3
	postSeconds       = 1e-3
	descriptorSeconds = 2e-7
	failureSeconds    = 0.5
	regionsForEachKV  = 2 // key and value of a layer are registered apart
)

// Leases in vLLM's source: how long a prefill server keeps blocks for the reader, and how long from a heartbeat of the reader.
const (
	leaseSeconds     = 30
	renewalSeconds   = 20
	heartbeatSeconds = 5
	longLeaseSeconds = 480 // VLLM_NIXL_ABORT_REQUEST_TIMEOUT, before there were heartbeats
)

// handover is the KV of a prompt that one engine has computed and another will read.
type handover struct {
	from    *engine
	request *request // that computed it
	reader  *request
	until   float64 // end of the lease
	over    bool    // read, given up or expired
}

// transferred is one read by one rank.
type transferred struct {
	seconds, posted, bytes float64
	descriptors            int
}

// transfers is what the NIXL connector of an engine counts between two reports.
type transfers struct {
	done            []transferred
	failed, expired int
}

// nixl is the connector that reads prompts from another server's memory.
type nixl struct {
	engine  *engine
	link    *link
	version version
	counts  transfers
}

func (x *nixl) match(r *request, hit int) int {
	if r.handover == nil {
		return 0
	}
	return r.prompt - hit
}

func (x *nixl) computed(*request) {}

// load reads the blocks. All reads are posted at once and share the way between the two servers.
func (x *nixl) load(r *request, tokens int) {
	h, e, now := r.handover, x.engine, x.engine.agenda.now
	cache, hardware := e.scheduler.cache, e.hardware
	blocks := cache.covering(tokens)
	bytes := float64(blocks*cache.blockSize) * hardware.model.kvBytes()
	source := h.from.link
	if h.over || h.from.stopped() || e.frontend.random.Float64() < max(x.link.failing, source.failing) {
		e.agenda.after(failureSeconds, func() { x.fail(r) })
		return
	}
	one := transferred{bytes: bytes / float64(hardware.devices), descriptors: blocks * hardware.model.layers * regionsForEachKV}
	one.posted = postSeconds + descriptorSeconds*float64(one.descriptors)
	done := max(now, x.link.in, source.out) + bytes/min(x.link.bandwidth, source.bandwidth)
	x.link.in, source.out = done, done
	one.seconds = transferSeconds + done - now
	e.agenda.at(now+one.seconds, func() {
		if h.from.stopped() {
			x.fail(r)
			return
		}
		for range hardware.devices {
			x.counts.done = append(x.counts.done, one)
		}
		h.finish()
		e.loaded(r, true)
	})
}

// fail counts a read that brought nothing, on every rank.
func (x *nixl) fail(r *request) {
	x.counts.failed += x.engine.hardware.devices
	x.release(r)
	x.engine.loaded(r, false)
}

// finish tells the other side that its blocks are read.
func (h *handover) finish() {
	if !h.over && !h.from.stopped() {
		h.over = true
		h.from.unhold(h.request)
	}
}

// release ends the heartbeats of a reader: the lease runs out.
func (x *nixl) release(r *request) {
	h := r.handover
	h.reader = nil
	if x.version >= leasesRenewed {
		h.until = max(h.until, x.engine.agenda.now+renewalSeconds)
	}
}

// keeps starts the lease of a prompt that another server will read.
func (x *nixl) keeps(r *request) bool {
	if r.decode == nil {
		return false
	}
	now := x.engine.agenda.now
	r.handover = &handover{from: x.engine, request: r, until: now + leaseSeconds}
	if x.version < leasesRenewed {
		r.handover.until = now + longLeaseSeconds
	}
	x.watch(r.handover)
	return true
}

// watch frees the blocks at the end of the lease. While the reader's engine lives and has the request, its heartbeats renew it.
func (x *nixl) watch(h *handover) {
	x.engine.agenda.at(h.until, func() {
		now := x.engine.agenda.now
		if r := h.reader; x.version >= leasesRenewed && r != nil && r.engine != nil && !r.engine.stopped() && !r.left {
			h.until = now + renewalSeconds - heartbeatSeconds
		}
		switch {
		case h.over || x.engine.stopped():
		case h.until > now:
			x.watch(h)
		default:
			h.over = true
			x.counts.expired++
			x.engine.unhold(h.request)
		}
	})
}

// dropped tells the other side that its blocks are not wanted, unless they are being read: then that goes on to its end.
func (x *nixl) dropped(r *request) {
	if r.handover != nil && r.fetch == unasked {
		r.handover.finish()
	}
}

// take hands over what was counted since the last report.
func (x *nixl) take() transfers {
	counts := x.counts
	x.counts = transfers{}
	return counts
}
