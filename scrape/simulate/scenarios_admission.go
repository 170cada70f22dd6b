package simulate

import "slices"

// admissionFaults keep requests waiting.
func admissionFaults() []Scenario {
	return slices.Concat(lackOfCache(), queues(), limited(), slowSteps())
}

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
			since:       wholePromptFits, // before, a prompt starts with its first chunk and evicts
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

// limited are servers that a limit of their own keeps from working, while devices and cache have room.
func limited() []Scenario {
	meagre := small("gpu-a", chat(1))
	meagre.flags.batchedTokens = 128
	tuned := chat(2)
	tuned.prefixes, tuned.prefixTokens, tuned.adapters = 0, 0, 2
	adapted := small("gpu-a", tuned)
	adapted.flags.maxAdapters = 2
	tenants := load{name: "tenants", rate: 4, maxTokens: 1024, adapters: 8, prompt: question, output: answer}
	guarded := small("gpu-a", chat(2))
	guarded.release, guarded.flags.maxQueued = "0.32.0", 24
	return []Scenario{
		{
			Name:        "token-budget",
			Description: "Long prompts on a server whose steps take 128 tokens: they queue, though the GPU could compute more.",
			Cause:       "D4",
			servers:     []deployment{meagre},
			faults: []fault{moreLoad(0, load{
				name: "documents", rate: 2.5, maxTokens: 128,
				prompt: lengths{8000, 0.3, 2000, 16000}, output: lengths{60, 0.5, 5, 128},
			})},
		},
		{
			Name:        "adapter-slots",
			Description: "Requests for eight LoRA adapters on a server with two adapter slots: most wait for a slot.",
			Cause:       "D5",
			servers:     []deployment{adapted},
			faults:      []fault{moreLoad(0, tenants)},
		},
		{
			Name:        "overload-rejections",
			Description: "Sixty clients on a server that takes 24 requests at once (--max-num-queued-reqs): the others get 503.",
			Cause:       "D6",
			servers:     []deployment{guarded},
			faults: []fault{moreLoad(0, load{
				name: "batch", clients: 60, think: 0.5, retries: 3, maxTokens: 1024, prompt: question, output: answer,
			})},
		},
		{
			Name:        "huge-prompt",
			Description: "Prompts of half the KV cache come to the head of the queue and wait for room; all behind them wait too.",
			Cause:       "D2",
			since:       wholePromptFits, // before, a prompt starts with its first chunk and evicts
			servers:     []deployment{crowd()},
			faults: []fault{moreLoad(0, load{
				name: "books", clients: 3, think: 2, maxTokens: 1000,
				prompt: lengths{60000, 0.05, 50000, 70000}, output: lengths{600, 0.3, 100, 1000},
			})},
		},
	}
}

// crowd is a server whose chats hold a good part of its KV cache.
func crowd() deployment {
	d := small("gpu-a", load{name: "chat", rate: 3, maxTokens: 1024, prompt: question, output: answer})
	d.flags.memoryUtilization, d.flags.maxModelLen = 0.40, 81920
	return d
}

// slowSteps are servers whose devices wait: for their host, or for each other.
func slowSteps() []Scenario {
	slots := large("gpu-a", 4, 0.92, load{name: "chat", rate: 0.12, maxTokens: 1024, prompt: question, output: answer})
	slots.interconnect, slots.accelerator.generation = pcie4, 4
	return []Scenario{
		{
			Name:        "slow-host",
			Description: "A CPU limit throttles the engine's process: every step waits for it, tokens come late, the GPU idles.",
			Cause:       "D8",
			servers:     []deployment{small("gpu-a", chat(4))},
			faults:      []fault{slowHost(0, 8)},
		},
		{
			Name:        "pcie-tensor-parallel",
			Description: "A 70B model on four GPUs without NVLink: with more prompts, their all-reduces over PCIe take most of a step.",
			Cause:       "D9",
			servers:     []deployment{slots},
			faults: []fault{moreLoad(0, load{
				name: "batch", clients: 14, think: 1, maxTokens: 256,
				prompt: lengths{1800, 0.4, 200, 6000}, output: lengths{120, 0.4, 20, 256},
			})},
		},
	}
}
