package simulate

import (
	"slices"
	"time"
)

// Scenarios are all there are, each with ten minutes of history, a fault after 90 seconds, and an exporter that looks at
// its GPUs every 30 seconds, as dcgm-exporter does by default. These times can be changed before New.
func Scenarios() []Scenario {
	all := slices.Concat(healthy(), lackOfCache(), queues(), latencies(), stops())
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
	return []Scenario{{
		Name:        "sequence-cap",
		Description: "Forty more clients on a server that runs sixteen requests at once: they queue while KV cache is free.",
		Cause:       "D3",
		servers:     []deployment{capped},
		faults: []fault{moreLoad(0, load{
			name: "batch", clients: 40, think: 0.5, maxTokens: 1024, prompt: question, output: answer,
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
