package simulate

import "testing"

// decode is a batch of so many sequences with so much context each.
func decode(sequences, context int) batch {
	return batch{decodes: sequences, context: sequences * context}
}

// prefill is a chunk at the start of a prompt.
func prefill(tokens int) batch {
	return batch{prefill: tokens, context: tokens, attention: float64(tokens) * float64(tokens) / 2}
}

func on(devices int, m model) *hardware {
	return &hardware{accelerator: h100, model: m, devices: devices, stages: 1, runs: make([]run, 1), ahead: true, condition: healthyCondition, interconnect: nvlink}
}

func TestKVBytes(t *testing.T) {
	if llama8B.kvBytes() != 131072 || llama70B.kvBytes() != 327680 {
		t.Errorf("KV of a token is %g and %g bytes, want 131072 and 327680", llama8B.kvBytes(), llama70B.kvBytes())
	}
}

// TestRoofline compares with times worked out by hand: bytes over 3.35 TB/s at 0.85, FLOPs over 989 TFLOP/s at 0.55.
func TestRoofline(t *testing.T) {
	for _, test := range []struct {
		name     string
		hardware *hardware
		batch    batch
		seconds  float64 // of GPU time
	}{
		{"8B decode, 64 sequences of 2,048: (16.1 + 17.2) GB", on(1, llama8B), decode(64, 2048), 33.24e9 / 3.35e12 / 0.85},
		{"8B chunk of 512", on(1, llama8B), batch{prefill: 512}, 2 * 8.03e9 * 512 / 989e12 / 0.55},
		{"8B chunk of 8,192", on(1, llama8B), batch{prefill: 8192}, 2 * 8.03e9 * 8192 / 989e12 / 0.55},
		{"8B prompt of 8,192, with attention to itself", on(1, llama8B), prefill(8192), (2*8.03e9*8192 + 2*32*4096*8192*8192) / 989e12 / 0.55},
		{
			"70B chunk of 8,192 on four, with 160 all-reduces of 134 MB", on(4, llama70B),
			batch{prefill: 8192},
			2*70.6e9*8192/4/989e12/0.55 + 160*(9e-6+8192*8192*2*1.5/346.5e9),
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, done := test.hardware.step(test.batch)
			if done.busy < 0.99*test.seconds || done.busy > 1.01*test.seconds {
				t.Errorf("GPU time is %.2f ms, want %.2f ms", 1e3*done.busy, 1e3*test.seconds)
			}
		})
	}
}

// TestRegimes checks shares of a step against what is reported of each regime: any kernel, SM, tensor, memory, power.
func TestRegimes(t *testing.T) {
	type shares [5][2]float64
	for _, test := range []struct {
		name     string
		hardware *hardware
		batch    batch
		want     shares
	}{
		{"prefill", on(1, llama8B), prefill(8192), shares{{0.9, 1}, {0.8, 1}, {0.4, 0.9}, {0, 0.5}, {0.7, 1}}},
		{"decode", on(1, llama8B), decode(48, 2048), shares{{0.75, 1}, {0.6, 1}, {0.02, 0.2}, {0.5, 0.85}, {0.5, 0.8}}},
		{"few sequences", on(1, llama8B), decode(2, 1000), shares{{0.6, 0.95}, {0.3, 0.8}, {0, 0.1}, {0.2, 0.7}, {0.3, 0.65}}},
		{
			"starved on eight devices", on(8, llama70B),
			batch{decodes: 32, context: 32 * 5500, starved: true},
			shares{{0.2, 0.7}, {0, 0.4}, {0, 0.1}, {0, 0.35}, {0, 0.5}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			seconds, done := test.hardware.step(test.batch)
			var share activity
			share.add(done, 1/seconds)
			for i, got := range []float64{share.busy, share.sm, share.tensor, share.memory, share.powerShare(1)} {
				name := []string{"busy", "SM", "tensor", "memory", "power"}[i]
				check(t, bound{name, got, test.want[i][0], test.want[i][1]})
			}
		})
	}
}

// TestSpinning is the signature of ranks that wait for each other: all busy, a quarter to less than half of the power.
func TestSpinning(t *testing.T) {
	check(t, bound{"power", spinning.powerShare(1), 0.25, 0.45}, bound{"SM", spinning.sm, 0.02, 0.3})
}

// TestHostTimeIsHidden: a scheduler that runs ahead costs nothing beside a long step, one that cannot costs all.
func TestHostTimeIsHidden(t *testing.T) {
	h, b := on(1, llama8B), decode(64, 2048)
	ahead, done := h.step(b)
	b.starved = true
	starved, _ := h.step(b)
	if !near(ahead, done.busy+launchSeconds) || !near(starved-ahead, hostSeconds+rankSeconds+64*sequenceSeconds) {
		t.Errorf("a step takes %g s and %g s when starved of KV, GPU time is %g s", ahead, starved, done.busy)
	}
}
