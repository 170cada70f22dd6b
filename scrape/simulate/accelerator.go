package simulate

// accelerator is one kind of device, or a slice of one. Peaks are dense data-sheet values (NVIDIA prints twice the FLOP/s,
// with sparsity).
type accelerator struct {
	name       string
	flops      float64 // FLOP/s at the compute precision
	bandwidth  float64 // bytes of memory a second
	power      float64 // limit in watts
	memory     int     // MiB
	clock      float64 // highest SM clock in MHz
	memoryMHz  float64 // memory clock in MHz
	generation int     // of PCIe
	slice      slice   // that it is of a board; none for a whole one
}

// h100 is NVIDIA's H100 SXM: 989 TFLOP/s bf16, 3.35 TB/s, 700 W.
var h100 = accelerator{
	name: "NVIDIA H100 80GB HBM3", flops: 989e12, bandwidth: 3.35e12, power: 700, memory: 81559, clock: 1980, memoryMHz: 2619, generation: 5,
}

// l40s is NVIDIA's L40S, which has no NVLink: 362 TFLOP/s bf16, 0.864 TB/s, 350 W.
var l40s = accelerator{
	name: "NVIDIA L40S", flops: 362e12, bandwidth: 0.864e12, power: 350, memory: 46068, clock: 2520, memoryMHz: 9001, generation: 4,
}

// slice is a MIG instance: so many sevenths of the multiprocessors and eighths of the memory of a board.
type slice struct {
	profile         string
	compute, memory int
	board           *accelerator
}

// sliceOf is a MIG instance of a board with 80 GB.
func sliceOf(board *accelerator, profile string) accelerator {
	shares := map[string][2]int{"1g.10gb": {1, 1}, "2g.20gb": {2, 2}, "3g.40gb": {3, 4}, "7g.80gb": {7, 8}}[profile]
	a := *board
	a.slice = slice{profile, shares[0], shares[1], board}
	a.flops *= a.slice.computeShare()
	a.bandwidth *= a.slice.memoryShare()
	a.memory = a.memory * shares[1] / 8
	return a
}

func (s slice) computeShare() float64 {
	if s.board == nil {
		return 1
	}
	return float64(s.compute) / 7
}

func (s slice) memoryShare() float64 {
	if s.board == nil {
		return 1
	}
	return float64(s.memory) / 8
}

// whole is the board that the accelerator is, or is a slice of.
func (a accelerator) whole() accelerator {
	if a.slice.board != nil {
		return *a.slice.board
	}
	return a
}
