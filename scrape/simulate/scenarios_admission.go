package simulate

import "slices"

// admissionFaults keep requests waiting.
func admissionFaults() []Scenario { return slices.Concat(lackOfCache(), queues()) }

func lackOfCache() []Scenario {
	steady := load{name: "chat", clients: 30, think: 0.5, maxTokens: 1024, prompt: question, output: answer}
	hurried := chat(2)
	hurried.patience = 60
	little := small("gpu-a", hurried)
	little.flags.memoryUtilization = 0.36
	return []Scenario{
		{
			Name:        "seed-case",
			Description: "A 70B model on eight GPUs with little KV cache: long answers fill it, requests are evicted, the GPUs idle.",
			Cause:       "D1",
			servers:     []deployment{large("gpu-a", 8, 0.34, steady)},
			faults: []fault{otherLoad(0, load{
				name: "agents", clients: 64, think: 2, maxTokens: 6000,
				prompt: lengths{3500, 0.4, 500, 8000}, output: lengths{3000, 0.4, 200, 6000},
			})},
		},
		{
			Name:        "kv-thrash",
			Description: "More long answers than the KV cache can hold: requests are evicted all the time and computed again.",
			Cause:       "D1",
			servers:     []deployment{little},
			faults: []fault{moreLoad(0, load{
				name: "reports", clients: 96, think: 1, maxTokens: 3000,
				prompt: lengths{600, 0.4, 100, 2000}, output: lengths{1800, 0.3, 300, 3000},
			})},
		},
	}
}

func queues() []Scenario {
	capped := small("gpu-a", chat(0.4))
	capped.flags.maxSeqs = 16
	crowded := small("gpu-a", chat(0.4))
	crowded.flags.memoryUtilization = 0.36
	return []Scenario{
		{
			Name:        "sequence-cap",
			Description: "Forty more clients on a server that runs sixteen requests at once: they queue while KV cache is free.",
			Cause:       "D3",
			servers:     []deployment{capped},
			faults: []fault{moreLoad(0, load{
				name: "batch", clients: 40, think: 0.5, maxTokens: 1024, prompt: question, output: answer,
			})},
		},
		{
			Name:        "kv-bound",
			Description: "Contexts so long that few fit into the KV cache; answers are short, so nobody is evicted and the others queue.",
			Cause:       "D2",
			servers:     []deployment{crowded},
			faults: []fault{moreLoad(0, load{
				name: "contexts", clients: 24, think: 0.5, maxTokens: 256, prefixes: 40, prefixTokens: 12288,
				prompt: lengths{1000, 0.3, 200, 3000}, output: lengths{150, 0.4, 20, 256},
			})},
		},
		{
			Name:        "compute-bound",
			Description: "More prompts without a shared beginning than the GPU can compute: the arithmetic is the limit.",
			Cause:       "D7",
			servers:     []deployment{small("gpu-a", chat(1))},
			faults: []fault{moreLoad(0, load{
				name: "documents", clients: 40, think: 0.2, maxTokens: 64,
				prompt: lengths{6000, 0.4, 1000, 16000}, output: lengths{24, 0.5, 1, 64},
			})},
		},
	}
}
