package simulate

import "slices"

// hardwareFaults are devices that do less than they could.
func hardwareFaults() []Scenario {
	return slices.Concat(heldClocks(), brokenDevices(), unequalDevices(), slicedDevices())
}

// briefQuestions is chat whose prompts never hold up a model of 70B.
func briefQuestions(rate float64) load {
	l := chat(rate)
	l.prompt = lengths{120, 0.4, 20, 300}
	return l
}

// heldClocks are devices whose clock is held down.
func heldClocks() []Scenario {
	return []Scenario{
		{
			Name:        "overheating",
			Description: "Little air reaches one of four GPUs: it gets hot, its driver lowers the clock, and the other three wait for it.",
			Cause:       "C1",
			servers:     []deployment{large("gpu-a", 4, 0.92, briefQuestions(5))},
			faults:      []fault{blockedAir(0, 4, 2)},
		},
		{
			Name:        "power-cap",
			Description: "Somebody caps the GPU at little more than half of its power: prompts take longer, nothing is hot, nothing is broken.",
			Cause:       "C2",
			servers:     []deployment{small("gpu-a", chat(8))},
			faults:      []fault{lowerLimit(0, 0.45)},
		},
		{
			Name:        "power-brake",
			Description: "A power supply fails and the chassis asserts its power brake: all GPUs run at less than half of their clock.",
			Cause:       "C2",
			servers:     []deployment{large("gpu-a", 4, 0.92, briefQuestions(4))},
			faults:      []fault{powerBrakeAsserted(0)},
		},
		{
			Name:        "clocks-locked",
			Description: "A clock lock of an experiment was left on the GPU: it runs at 1,000 MHz, and no reason for it is given.",
			Cause:       "C5",
			servers:     []deployment{small("gpu-a", chat(8))},
			faults:      []fault{lockedClock(0, 0.505)},
		},
	}
}

// brokenDevices have lost something for good.
func brokenDevices() []Scenario {
	patient := briefQuestions(2)
	patient.patience = 300
	again := chat(4)
	again.retries = 3
	crashing := small("gpu-a", again)
	crashing.supervised = true
	bus := small("gpu-a", briefQuestions(2))
	bus.accelerator, bus.interconnect, bus.tensor = l40s, pcie4, 2
	return []Scenario{
		{
			Name:        "xid",
			Description: "One of four GPUs stops answering its driver (XID 119): its rank blocks, the others spin, no request ends.",
			Cause:       "C3",
			servers:     []deployment{large("gpu-a", 4, 0.92, patient)},
			faults:      []fault{gpuLost(0, 2, 119)},
		},
		{
			Name:        "xid-application",
			Description: "A kernel reads where it may not (XID 31): the engine dies, the server with it, and a supervisor starts it anew.",
			Cause:       "C3",
			servers:     []deployment{crashing},
			faults:      []fault{kernelCrash(0, 0, 31)},
		},
		{
			Name:        "pcie-width",
			Description: "One of two GPUs without NVLink is left with 4 of its 16 PCIe lanes: every collective waits for them.",
			Cause:       "C4",
			servers:     []deployment{bus},
			faults:      []fault{lostLanes(0, 4, 1)},
		},
	}
}

// unequalDevices are slower than others at the same work.
func unequalDevices() []Scenario {
	return []Scenario{
		{
			Name:        "slow-replica",
			Description: "The memory clock of one of three replicas stays low: the same requests take much longer there.",
			Cause:       "C6",
			servers:     fleetOf(3, 256),
			routed:      []routed{{load: chat(24), policy: roundRobin, servers: first(3)}},
			faults:      []fault{slowMemory(1, 0.55)},
		},
		{
			Name:        "stranger",
			Description: "Another program computes on the GPU and holds memory there: it is busy while no request runs.",
			Cause:       "C7",
			servers:     []deployment{small("gpu-a", chat(0.2))},
			faults:      []fault{otherProcess(0, stranger{activity{busy: 0.65, sm: 0.5, tensor: 0.2, memory: 0.25}, 5000})},
		},
	}
}

// slicedDevices are MIG instances, which have no utilisation of their own and share the board's power, heat and clock.
func slicedDevices() []Scenario {
	few := chat(0.3)
	few.prefixes, few.prefixTokens = 0, 0
	d := small("gpu-a", few)
	d.accelerator = sliceOf(&h100, "3g.40gb")
	return []Scenario{{
		Name:        "slice-compute-bound",
		Description: "More prompts than three sevenths of a GPU can compute: the arithmetic of the MIG slice is the limit.",
		Cause:       "D7",
		servers:     []deployment{d},
		faults: []fault{moreLoad(0, load{
			name: "labels", clients: 24, think: 0.1, maxTokens: 16,
			prompt: lengths{3000, 0.4, 500, 8000}, output: lengths{5, 0.5, 1, 16},
		})},
	}}
}
