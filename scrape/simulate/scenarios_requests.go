package simulate

// requestFaults change what becomes of requests.
func requestFaults() []Scenario {
	brief := chat(3)
	brief.maxTokens = 96
	again := chat(3)
	again.retries = 2
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
		{
			Name:        "engine-errors",
			Description: "The engine gives up three of a hundred requests in the middle: 500 for their clients, finished_reason error.",
			Cause:       "F4",
			servers:     []deployment{small("gpu-a", again)},
			faults:      []fault{misfortune(0, failing, 0.03)},
		},
		{
			Name:        "client-errors",
			Description: "A third of the clients ask for a model that the server does not have: 404, which no engine sees.",
			Cause:       "F4",
			servers:     []deployment{small("gpu-a", again)},
			faults:      []fault{misfortune(0, invalid, 0.33)},
		},
		{
			Name:        "frontend-errors",
			Description: "A chat template fails for eight of a hundred requests: 500 from the API process, and the engine sees none of them.",
			Cause:       "F4",
			servers:     []deployment{small("gpu-a", again)},
			faults:      []fault{misfortune(0, uncaught, 0.08)},
		},
		{
			Name:        "repetition",
			Description: "One answer in sixteen repeats itself until that is detected.",
			Cause:       "F5",
			servers:     []deployment{small("gpu-a", again)},
			faults:      []fault{misfortune(0, repeating, 0.06)},
		},
	}
}
