package simulate

import (
	"slices"
	"time"
)

// capacityFaults take hours to show: leaks, demand that grows, servers without work.
func capacityFaults() []Scenario { return slices.Concat(demandChanges(), leaks()) }

// leaks are processes that grow.
func leaks() []Scenario {
	return []Scenario{{
		Name:        "memory-leak",
		Description: "Each request leaves 24 kB behind in the API process: half a gigabyte an hour, for as long as it lives.",
		Cause:       "I2",
		Shows:       2 * time.Hour,
		servers:     []deployment{small("gpu-a", chat(6))},
		faults:      []fault{leak(0, 24e3)},
	}}
}

// demandChanges are more or less of the same requests.
func demandChanges() []Scenario {
	growing := chat(8)
	growing.rhythm = rhythm{growth: 5, over: 1500}
	return []Scenario{
		{
			Name:        "over-provisioned",
			Description: "Most of the requests go elsewhere now, and four servers stay for what a tenth of one could do.",
			Cause:       "I1",
			Shows:       30 * time.Minute,
			servers:     fleetOf(4, 256),
			routed:      []routed{{load: chat(24), policy: leastRequests, servers: first(4)}},
			faults:      []fault{otherRouted(0, first(4), chat(0.5))},
		},
		{
			Name:        "growing-demand",
			Description: "Ever more requests, five times as many within twenty-five minutes: more than the server can take.",
			// The growth is told first (I4). Once the batch is full, what helps now is said by the rule of the cap, and the growth below it.
			// Before steps were scheduled ahead, tokens are late before the batch is full: a larger one is no cure, and only the growth is left.
			Cause: "D3", Also: "I4", since: schedulingAhead,
			Shows:   25 * time.Minute,
			servers: []deployment{small("gpu-a", chat(8))},
			faults:  []fault{otherLoad(0, growing)},
		},
	}
}
