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
	return append([]Scenario{
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
			Description: "The engine gives up three of a hundred requests in the middle, finished_reason error; their clients try again.",
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
			Description: "A chat template fails for eight of a hundred requests, with 500 and before any engine; their clients try again.",
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
	}, workloadFaults()...)
}

// workloadFaults change what is asked, or how.
func workloadFaults() []Scenario {
	patient := chat(3)
	patient.maxTokens = 6000
	reasoning := patient
	reasoning.output = lengths{1000, 0.6, 50, 6000}
	longer := chat(3)
	longer.prompt = lengths{1500, 0.5, 100, 6000}
	pooled := chat(14)
	pooled.pool = 30
	return []Scenario{
		{
			Name:        "longer-answers",
			Description: "A reasoning mode is switched on: answers are four times as long, and as many come as before.",
			Cause:       "F1",
			servers:     []deployment{small("gpu-a", patient)},
			faults:      []fault{otherLoad(0, reasoning)},
		},
		{
			Name:        "longer-prompts",
			Description: "Clients send whole documents instead of questions: prompts are 1.7 times as long, the answers the same.",
			Cause:       "F6",
			servers:     []deployment{small("gpu-a", chat(3))},
			faults:      []fault{otherLoad(0, longer)},
		},
		{
			Name:        "client-pool",
			Description: "A gateway keeps no more than thirty connections: the server looks well, and a third of the requests stays outside.",
			Cause:       "F7",
			servers:     []deployment{small("gpu-a", chat(14))},
			faults:      []fault{otherLoad(0, pooled)},
		},
	}
}
