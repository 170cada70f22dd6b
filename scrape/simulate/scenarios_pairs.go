package simulate

// pairs are two faults at once: one finding must be told as the cause, and the other not be lost.
func pairs() []Scenario {
	tenants := chat(3)
	tenants.name, tenants.prefixes, tenants.prefixTokens = "tenants", 120, 2048
	tenants.prompt = lengths{200, 0.6, 20, 2000}
	reasoning := load{
		name: "reports", clients: 56, think: 1, maxTokens: 6000, prompt: lengths{600, 0.4, 100, 2000}, output: lengths{200, 0.4, 20, 6000},
	}
	little := small("gpu-a", reasoning)
	little.flags.memoryUtilization = 0.36
	reasoning.output = lengths{2000, 0.3, 300, 6000}
	fleet := fleetOf(3, 256)
	for i := range fleet {
		fleet[i].flags.memoryUtilization = 0.36
	}
	return []Scenario{
		{
			Name:        "restart-cold-cache",
			Description: "A server dies and starts anew; the system prompts of a hundred tenants have to be computed again.",
			Cause:       "B1",
			Also:        "G2",
			servers:     []deployment{small("gpu-a", tenants)},
			faults:      []fault{restart(0)},
		},
		{
			Name:        "hot-and-crowded",
			Description: "Little air reaches one of four GPUs, and twice as many requests come: the slow GPU lets the batch fill up.",
			Cause:       "C1",
			Also:        "D3",
			servers:     []deployment{large("gpu-a", 4, 0.92, briefQuestions(5))},
			faults:      []fault{blockedAir(0, 4, 3), moreLoad(0, briefQuestions(5))},
		},
		{
			Name:        "skew-and-thrash",
			Description: "A router sends a popular beginning to one of three servers, whose KV cache cannot hold its requests.",
			Cause:       "H3",
			Also:        "D1",
			servers:     fleet,
			routed:      []routed{{load: chat(3), policy: byPrefix, servers: first(3)}},
			faults: []fault{moreRouted(0, first(3), load{
				name: "reports", clients: 96, think: 1, maxTokens: 3000, prefixes: 1, prefixTokens: 512,
				prompt: lengths{600, 0.4, 100, 2000}, output: lengths{1800, 0.3, 300, 3000},
			})},
		},
		{
			Name:        "longer-answers-thrash",
			Description: "Answers become ten times as long, and the KV cache that held the short ones evicts.",
			Cause:       "D1",
			Also:        "F1",
			servers:     []deployment{little},
			faults:      []fault{otherLoad(0, reasoning)},
		},
	}
}
