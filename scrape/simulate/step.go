package simulate

// What of the peaks real kernels reach, by judgement: 0.85 of the bandwidth (DCGM's own test kernel gets 0.8), 0.55 of
// the FLOP/s in large matrix products.
const (
	reachableBandwidth = 0.85
	reachableFlops     = 0.55
)

// sufficientClock is the share of the SM clock, by judgement, below which the multiprocessors cannot ask for all that the
// memory could give: decode hardly feels a lower clock until then, as reported of capped clocks.
const sufficientClock = 0.6

// Host times, by judgement, for a current server CPU.
const (
	launchSeconds   = 1.5e-3 // from the end of a step to the first kernel of the next, never hidden
	hostSeconds     = 2.5e-3 // schedule, prepare, sample, publish: for each step,
	rankSeconds     = 8e-4   // for each rank that it must feed,
	sequenceSeconds = 8e-5   // and for each sequence in it
)

// step is how long a batch takes, in seconds, and what the devices do meanwhile.
//
// GPU time is a roofline: weights and KV over bandwidth, or 2 x parameters x tokens (plus attention of prompts) over
// FLOP/s, whichever is longer, the drafter's own, and two all-reduces a layer that nothing overlaps. Host time is hidden
// behind it when the scheduler runs ahead. By judgement, it cannot while the queue waits for KV: who may start is known only
// when this step has freed blocks.
func (h *hardware) step(b batch) (seconds float64, done activity) {
	n, stages := float64(h.devices), float64(h.stages)
	tokens := float64(b.tokens())
	read, used := h.work(b)
	bytes := read*h.model.bytes + float64(b.context)*h.model.kvBytes()
	flops := 2*used + 4*float64(h.model.layers*h.model.hidden)*b.attention
	drafting, draftBytes, draftFlops := h.drafting(b)

	compute := h.roofline(bytes/n, flops/n) + drafting
	bytes, flops = bytes+draftBytes, flops+draftFlops
	talk := 0.0
	if h.devices > h.stages {
		between := h.interconnect
		if between.pcie {
			between.bandwidth *= h.condition.lanes
		}
		seconds, sent := between.allReduce(tokens*float64(h.model.hidden)*h.model.bytes, h.devices/h.stages)
		layers := float64(h.model.layers) / stages // that a device computes
		talk = 2 * layers * seconds
		if between.pcie {
			done.pcie = 2 * layers * sent
		} else {
			done.nvlink = 2 * layers * sent
		}
	}
	if h.sharers > 1 {
		talk += 2 * float64(h.model.layers) * h.interconnect.latency
		done.nvlink += h.scattered(b)
	}
	done.busy = compute + talk
	done.sm = 0.9*compute + 0.15*talk
	done.tensor = flops / (n * h.flops)
	done.memory = bytes / (n * h.bandwidth)

	host := h.condition.host * (hostSeconds + rankSeconds*n + sequenceSeconds*float64(b.decodes))
	if h.ahead && !b.starved {
		host -= min(host, stages*done.busy)
	}
	// Two processes take turns on a device: while both want it, each has half.
	return stages*done.busy*(1+h.condition.stranger) + (stages-1)*h.hop(tokens) + launchSeconds + host, done
}

// roofline is how long one device takes to read so many bytes and do so many operations at the same time.
func (h *hardware) roofline(bytes, flops float64) float64 {
	c := h.condition
	reads := c.memory * min(1, c.clock/sufficientClock)
	return max(bytes/(h.bandwidth*reachableBandwidth*reads), flops/(h.flops*reachableFlops*c.clock))
}
