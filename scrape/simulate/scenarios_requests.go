package simulate

// requestFaults change what becomes of requests.
func requestFaults() []Scenario {
	brief := chat(3)
	brief.maxTokens = 96
	hasty := load{
		name: "hasty", rate: 3, patience: 2.5, maxTokens: 1024, prompt: question, output: lengths{400, 0.5, 50, 1024},
	}
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
	}
}
