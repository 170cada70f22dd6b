package simulate

// latencyFaults make one phase of a request slow.
func latencyFaults() []Scenario {
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
