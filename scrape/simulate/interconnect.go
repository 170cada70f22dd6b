package simulate

// interconnect is how the devices of one engine exchange data.
type interconnect struct {
	latency   float64 // seconds of one all-reduce of nothing
	bandwidth float64 // bytes a second that a device sends in a large all-reduce
	pcie      bool    // the bytes cross the PCIe slot, which other traffic uses too
}

var (
	// nvlink is an H100's fourth generation inside one NVLink domain: 450 GB/s one way, of which an all-reduce on four was
	// measured to reach 366 GB/s minus its own latency (NVLWALL: 77 %). The latency is by judgement.
	nvlink = interconnect{latency: 9e-6, bandwidth: 0.77 * 450e9}
	// pcie4 is a slot of the fourth generation with 16 lanes, 32 GB/s one way, on a board with two sockets and no switch: by
	// judgement, after what nccl-tests report of such boards, a ring reaches 15 GB/s and takes 50 microseconds. vLLM's own
	// all-reduce is off there: it supports no more than two devices without NVLink.
	pcie4 = interconnect{latency: 50e-6, bandwidth: 15e9, pcie: true}
)

// allReduce is one all-reduce among n devices: how long it takes and what each device sends. A ring sends everything
// twice, but for the device's own part.
func (i interconnect) allReduce(size float64, n int) (seconds, sent float64) {
	sent = size * 2 * float64(n-1) / float64(n)
	return i.latency + sent/i.bandwidth, sent
}
