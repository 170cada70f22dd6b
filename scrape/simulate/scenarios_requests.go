package simulate

// requestFaults change what becomes of requests.
func requestFaults() []Scenario {
	brief := chat(3)
	brief.maxTokens = 96
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
			Description: "Clients send whole documents instead of questions: prompts are three times as long, the answers the same.",
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
