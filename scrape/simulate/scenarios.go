package simulate

import (
	"slices"
	"time"
)

// Scenarios are all there are, each with ten minutes of history, a fault after 90 seconds, and an exporter that looks at
// its GPUs every 30 seconds, as dcgm-exporter does by default. These times can be changed before New.
func Scenarios() []Scenario {
	all := slices.Concat(healthy(), lackOfCache(), queues(), latencies(), workloads(), routing(), stops())
	for i := range all {
		all[i].Warm, all[i].Onset, all[i].GPUInterval, all[i].Release = 10*time.Minute, 90*time.Second, 30*time.Second, "0.32.0"
	}
	return all
}

func healthy() []Scenario {
	return []Scenario{{
		Name:        "healthy",
		Description: "Two servers with room to spare answer chat requests.",
		servers:     []deployment{small("gpu-a", chat(6)), small("gpu-b", chat(6))},
	}}
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

func workloads() []Scenario {
	brief := chat(3)
	brief.maxTokens = 96
	hasty := load{
		name: "hasty", rate: 3, patience: 2.5, maxTokens: 1024, prompt: question, output: lengths{400, 0.5, 50, 1024},
	}
	renamed := chat(6)
	renamed.prefixes, renamed.prefixTokens = 0, 0
	renamed.prompt = lengths{1600, 0.3, 200, 6000}
	hot := chat(6)
	hot.prefixTokens = 2048
	return []Scenario{
		{
			Name:        "truncation",
			Description: "max_tokens falls from 1024 to 96: most answers are cut, and every latency looks better.",
			Cause:       "F2",
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{otherLoad(0, brief)},
		},
		{
			Name:        "impatient-clients",
			Description: "Half of the clients hang up after two and a half seconds, in the middle of their answers.",
			Cause:       "F3",
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{moreLoad(0, hasty)},
		},
		{
			Name:        "template-change",
			Description: "A time stamp at the start of the system prompt: nothing is shared any more, and every prompt is computed anew.",
			Cause:       "G2",
			servers:     []deployment{small("gpu-a", hot)},
			faults:      []fault{otherLoad(0, renamed)},
		},
	}
}

func routing() []Scenario {
	a, b, c := small("gpu-a", chat(3)), small("gpu-b", chat(3)), small("gpu-c", chat(3))
	for _, d := range []*deployment{&a, &b, &c} {
		d.flags.maxSeqs = 64
	}
	return []Scenario{{
		Name:        "router-skew",
		Description: "Connections stick to one of three replicas: it gets most of the requests, and the others wait for work.",
		Cause:       "H3",
		servers:     []deployment{a, b, c},
		faults: []fault{moreLoad(0, load{
			name: "sticky", clients: 160, think: 0.5, maxTokens: 1024, prompt: question, output: answer,
		})},
	}}
}

func latencies() []Scenario {
	brief := chat(0.4)
	brief.output = lengths{60, 0.6, 5, 1024}
	return []Scenario{
		{
			Name:        "tokenizer-bound",
			Description: "Requests whose template takes 120 ms of the API process: it is busy, and the GPU waits for work.",
			Cause:       "E3",
			servers:     []deployment{small("gpu-a", brief)},
			faults: []fault{moreLoad(0, load{
				name: "templates", clients: 24, think: 0.1, maxTokens: 16, render: 0.12,
				prompt: lengths{300, 0.3, 50, 1000}, output: lengths{4, 0.5, 1, 16},
			})},
		},
		{
			Name:        "prefill-interference",
			Description: "Long documents among the chats: each of their chunks holds up everybody's next token.",
			Cause:       "E4",
			servers:     []deployment{small("gpu-a", chat(4))},
			faults: []fault{moreLoad(0, load{
				name: "documents", rate: 0.95, maxTokens: 256,
				prompt: lengths{9500, 0.1, 8300, 14000}, output: lengths{80, 0.4, 10, 256},
			})},
		},
	}
}

func stops() []Scenario {
	patient := chat(2)
	patient.patience = 300
	return []Scenario{{
		Name:        "stuck-engine",
		Description: "The ranks of an engine wait for each other for ever: no step ends, requests come in, /health says 200.",
		Cause:       "B4",
		servers:     []deployment{large("gpu-a", 4, 0.92, patient)},
		faults:      []fault{wedge(0)},
	}}
}

// What people ask in a chat, and what they get.
var (
	question = lengths{500, 0.6, 20, 4000}
	answer   = lengths{260, 0.6, 5, 1200}
)

// chat is open-loop chat traffic, so many requests a second, over four system prompts.
func chat(rate float64) load {
	return load{name: "chat", rate: rate, maxTokens: 1024, prefixes: 4, prefixTokens: 1024, prompt: question, output: answer}
}

// small is an 8B model on one GPU.
func small(host string, l load) deployment {
	return deployment{
		name: host + ":8000", host: host,
		models: []model{llama8B}, accelerator: h100, tensor: 1, data: 1,
		flags: flags{maxSeqs: 256, batchedTokens: 8192, maxModelLen: 32768, blockSize: 16, memoryUtilization: 0.92},
		loads: []load{l},
	}
}

// large is a 70B model on several GPUs.
func large(host string, gpus int, memory float64, l load) deployment {
	return deployment{
		name: host + ":8000", host: host,
		models: []model{llama70B}, accelerator: h100, tensor: gpus, data: 1,
		flags: flags{maxSeqs: 64, batchedTokens: 8192, maxModelLen: 16384, blockSize: 16, memoryUtilization: memory},
		loads: []load{l},
	}
}
