package simulate

// routingFaults spread the load badly.
func routingFaults() []Scenario {
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
