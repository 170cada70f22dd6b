package simulate

import "slices"

// latencyFaults make one phase of a request slow.
func latencyFaults() []Scenario {
	return slices.Concat(frontendFaults(), promptFaults(), contextFaults())
}

func frontendFaults() []Scenario {
	brief := chat(0.4)
	brief.output = lengths{60, 0.6, 5, 1024}
	glimpse := load{
		name: "glimpses", rate: 0.4, maxTokens: 256, images: 1, gallery: 50,
		prompt: lengths{60, 0.4, 10, 300}, output: lengths{60, 0.6, 5, 256},
	}
	seeing := small("gpu-a", glimpse)
	seeing.models = []model{qwenVL7B}
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
			Name:        "media",
			Description: "Three new images in each prompt: the API process prepares them one by one, and the GPU waits for work.",
			Cause:       "E3",
			servers:     []deployment{seeing},
			faults: []fault{moreLoad(0, load{
				name: "photos", clients: 16, think: 0.5, maxTokens: 32, images: 3,
				prompt: lengths{60, 0.4, 10, 300}, output: lengths{8, 0.4, 2, 32},
			})},
		},
	}
}

func promptFaults() []Scenario {
	far := small("gpu-a", load{name: "functions", rate: 0.4, maxTokens: 512, prompt: lengths{1000, 0.3, 200, 1600}, output: lengths{200, 0.5, 20, 512}})
	far.flags.maxModelLen = 131072
	shielded := small("gpu-a", chat(1))
	shielded.flags.maxModelLen, shielded.flags.longPrefill = 131072, 2048
	return []Scenario{
		{
			Name:        "long-prompts",
			Description: "Prompts of some 70,000 tokens: each is computed at once, and that takes longer than the objective.",
			Cause:       "E2",
			servers:     []deployment{far},
			faults: []fault{otherLoad(0, load{
				name: "repositories", rate: 0.07, maxTokens: 512,
				prompt: lengths{70000, 0.15, 50000, 100000}, output: lengths{200, 0.5, 20, 512},
			})},
		},
		{
			Name:        "few-long-prompts",
			Description: "Among short chats a few prompts of 85,000 tokens: only their first tokens are late.",
			Cause:       "E2",
			servers:     []deployment{shielded},
			faults: []fault{moreLoad(0, load{
				name: "books", rate: 0.05, maxTokens: 512,
				prompt: lengths{85000, 0.1, 70000, 120000}, output: lengths{200, 0.5, 20, 512},
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

func contextFaults() []Scenario {
	reader := small("gpu-a", chat(1))
	reader.flags.maxModelLen = 65536
	return []Scenario{{
		Name:        "long-contexts",
		Description: "Many talk about eight long documents: prefill is cached, but each token reads its whole context from memory.",
		Cause:       "E5",
		servers:     []deployment{reader},
		faults: []fault{moreLoad(0, load{
			name: "contracts", clients: 40, think: 1, maxTokens: 600, prefixes: 8, prefixTokens: 30000,
			prompt: lengths{300, 0.5, 20, 2000}, output: lengths{300, 0.4, 30, 600},
		})},
	}}
}
