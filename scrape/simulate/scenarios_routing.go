package simulate

// routingFaults spread the load badly.
func routingFaults() []Scenario {
	a, b, c := small("gpu-a", chat(3)), small("gpu-b", chat(3)), small("gpu-c", chat(3))
	for _, d := range []*deployment{&a, &b, &c} {
		d.flags.maxSeqs = 64
	}
	skew := Scenario{
		Name:        "router-skew",
		Description: "Connections stick to one of three replicas: it gets most of the requests, and the others wait for work.",
		Cause:       "H3",
		servers:     []deployment{a, b, c},
		faults: []fault{moreLoad(0, load{
			name: "sticky", clients: 160, think: 0.5, maxTokens: 1024, prompt: question, output: answer,
		})},
	}
	costly := Scenario{
		Name:        "unequal-work",
		Description: "Three replicas get as many requests each; those of one tenant, whom its client's address binds to the first, are long.",
		Cause:       "H3",
		servers:     []deployment{a, b, c},
		faults: []fault{otherLoad(0, load{
			name: "long", rate: 3, maxTokens: 2048, prompt: lengths{3000, 0.4, 500, 12000}, output: lengths{1400, 0.3, 300, 2048},
		})},
	}
	return append([]Scenario{skew, costly}, poorRouters()...)
}

func poorRouters() []Scenario {
	gateways := load{name: "gateways", clients: 200, think: 12, maxTokens: 1024, prompt: question, output: answer}
	tenants := chat(12)
	tenants.name, tenants.prefixes, tenants.prefixTokens = "tenants", 16, 2048
	hot := load{
		name: "hot tenant", clients: 130, think: 1, maxTokens: 1024, prefixes: 1, prefixTokens: 2048, prompt: question, output: answer,
	}
	named := chat(14)
	named.ranks = 1
	experts := small("gpu-a", chat(14))
	experts.models, experts.data = []model{qwen30B}, 4
	return []Scenario{
		{
			Name:        "sticky-scale-out",
			Description: "Clients pause for a fifteenth of the time, and two servers join two, but connections stick: the new ones get nothing.",
			Cause:       "H3",
			servers:     fleetOf(4, 64),
			routed:      []routed{{load: gateways, policy: sticky, servers: first(2)}},
			faults:      []fault{scaleOut(0, []int{2, 3}, 15)},
		},
		{
			Name:        "hot-prefix",
			Description: "A router sends each beginning to its own server, without a limit, and one beginning becomes popular.",
			Cause:       "H3",
			servers:     fleetOf(4, 64),
			routed:      []routed{{load: tenants, policy: byPrefix, servers: first(4)}},
			faults:      []fault{moreRouted(0, first(4), hot)},
		},
		{
			Name:        "idle-ranks",
			Description: "A gateway names rank 0 in every request: the other three ranks of the MoE compute dummy batches.",
			Cause:       "H4",
			servers:     []deployment{experts},
			faults:      []fault{otherLoad(0, named)},
		},
	}
}
