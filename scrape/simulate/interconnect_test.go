package simulate

import "testing"

// TestAllReduce: a ring of four sends one and a half times the data, a ring of two once.
func TestAllReduce(t *testing.T) {
	link := interconnect{latency: 10e-6, bandwidth: 20e9}
	seconds, sent := link.allReduce(1e6, 4)
	check(t, bound{"bytes of four", sent, 1.5e6, 1.5e6}, bound{"microseconds of four", 1e6 * seconds, 84.99, 85.01})
	seconds, sent = link.allReduce(1e6, 2)
	check(t, bound{"bytes of two", sent, 1e6, 1e6}, bound{"microseconds of two", 1e6 * seconds, 59.99, 60.01})
}

// TestStepOverPCIe: 70B on four devices, 64 sequences. 160 all-reduces of 64 x 8192 x 2 bytes, one and a half times each, at
// 15 GB/s and 50 microseconds: 25 ms beside 12.4 ms for the weights.
func TestStepOverPCIe(t *testing.T) {
	h := on(4, llama70B)
	h.interconnect = pcie4
	_, done := h.step(decode(64, 0))
	const sent = 160 * 64 * 8192 * 2 * 1.5
	weights := 141.2e9 / 4 / 3.35e12 / 0.85
	check(
		t,
		bound{"GPU time", done.busy / (weights + 160*50e-6 + sent/15e9), 0.999, 1.001},
		bound{"bytes over PCIe", done.pcie / sent, 0.999, 1.001},
		bound{"bytes over NVLink", done.nvlink, 0, 0},
	)
}
