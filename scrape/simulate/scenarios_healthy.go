package simulate

import "slices"

// healthyLoads have nothing wrong, and some look as if they had: nothing may be told of them.
func healthyLoads() []Scenario {
	plain := Scenario{
		Name:        "healthy",
		Description: "Two servers with room to spare answer chat requests.",
		servers:     []deployment{small("gpu-a", chat(6)), small("gpu-b", chat(6))},
	}
	return slices.Concat([]Scenario{plain}, steadyLoads(), movingLoads(), healthyFleets())
}

// steadyLoads do not change.
func steadyLoads() []Scenario {
	hot := chat(5)
	hot.prefixes, hot.prefixTokens, hot.prompt = 2, 4096, lengths{200, 0.6, 20, 2000}
	fickle := chat(6)
	fickle.leavers, fickle.stay = 0.3, 5
	return []Scenario{
		{
			Name:        "idle",
			Description: "A server without any request.",
			servers:     []deployment{small("gpu-a", load{name: "none", maxTokens: 1, prompt: question, output: answer})},
		},
		{
			Name:        "light",
			Description: "A chat request every four seconds.",
			servers:     []deployment{small("gpu-a", chat(0.25))},
		},
		{
			Name:        "steady-half",
			Description: "Chat requests that take about half of what the server can do.",
			servers:     []deployment{small("gpu-a", chat(12))},
		},
		{
			// 224 requests of 1,000 tokens and about half of their 1,500 more, the long ones more often: 224 x 1,850 of 444,960 tokens.
			Name:        "full-batch",
			Description: "Long answers fill the KV cache to 95 %; nothing waits and nothing is evicted.",
			servers: []deployment{small("gpu-a", load{
				name: "reports", clients: 224, begin: 45, maxTokens: 2000, prompt: lengths{1000, 0.1, 600, 1600}, output: lengths{1500, 0.25, 500, 2000},
			})},
		},
		{
			Name:        "offline-batch",
			Description: "A batch job keeps more requests in the queue than run, and its objective is thirty seconds.",
			SLO:         "batch",
			servers: []deployment{small("gpu-a", load{
				name: "job", clients: 500, begin: 10, maxTokens: 1024, prompt: question, output: answer,
			})},
		},
		{
			Name:        "hot-prefix-cache",
			Description: "Two long system prompts that the prefix cache holds: nearly all of each prompt is found there.",
			servers:     []deployment{small("gpu-a", hot)},
		},
		{
			Name:        "fickle-readers",
			Description: "Three of ten readers close their chat before its answer is complete, as they always did.",
			servers:     []deployment{small("gpu-a", fickle)},
		},
	}
}

// movingLoads come and go.
func movingLoads() []Scenario {
	burst := chat(12)
	burst.name, burst.rhythm = "burst", rhythm{period: 150, burst: 8}
	bursts := small("gpu-a", chat(3))
	bursts.loads, bursts.flags.maxSeqs = append(bursts.loads, burst), 48
	day := chat(10)
	day.rhythm = rhythm{period: 3600, swing: 0.8}
	return []Scenario{
		{
			Name:        "short-bursts",
			Description: "Five times as many requests for eight seconds, every two and a half minutes; they queue for a moment.",
			servers:     []deployment{bursts},
		},
		{
			Name:        "day-curve",
			Description: "A day in an hour: from two requests a second to eighteen and back.",
			servers:     []deployment{small("gpu-a", day)},
		},
	}
}

// healthyFleets are several servers behind a router.
func healthyFleets() []Scenario {
	warmUp := chat(1)
	warmUp.name = "warm-up"
	return []Scenario{
		{
			Name:        "even-replicas",
			Description: "Four replicas behind a router that looks for the shortest queue.",
			servers:     fleetOf(4, 256),
			routed:      []routed{{load: chat(24), policy: leastRequests, servers: first(4)}},
		},
		{
			Name:        "rolling-deployment",
			Description: "Four replicas are drained and restarted one after another; the router spreads the rest.",
			servers:     fleetOf(4, 256),
			routed:      []routed{{load: chat(24), policy: leastRequests, servers: first(4)}},
			faults:      []fault{rollOut(0, first(4), warmUp)},
		},
	}
}
