package simulate

import "slices"

// disaggregationFaults are prefill and decode pools that do not keep each other busy, or do not reach each other.
func disaggregationFaults() []Scenario { return slices.Concat(balance(), imbalance(), network()) }

// documents are questions about a long text of their own: what a prompt costs is its computation and its KV, half a gigabyte.
func documents(clients int) load {
	return load{
		name: "documents", clients: clients, think: 8, maxTokens: 1024, prefixes: 4, prefixTokens: 1024,
		prompt: lengths{3500, 0.3, 500, 8000}, output: answer,
	}
}

// half is one server of a disaggregated deployment.
func half(host string) deployment {
	d := bare(host)
	d.flags.transfers = true
	return d
}

// pools are so many prefill servers before so many decode servers.
func pools(prefills, decodes int, l load) ([]deployment, []routed) {
	var servers []deployment
	r := routed{load: l, policy: leastRequests}
	for i := range prefills + decodes {
		servers = append(servers, half("gpu-"+string(rune('a'+i))))
		if i < prefills {
			r.prefills = append(r.prefills, i)
		} else {
			r.servers = append(r.servers, i)
		}
	}
	return servers, []routed{r}
}

func balance() []Scenario {
	servers, load := pools(1, 1, documents(24))
	return []Scenario{{
		Name:        "disaggregation-in-balance",
		Description: "One server computes prompts, another the answers; both have room, and KV passes in milliseconds.",
		servers:     servers,
		routed:      load,
	}}
}

func imbalance() []Scenario {
	servers, usual := pools(1, 2, documents(24))
	more := documents(150)
	more.name = "more documents"
	small, few := pools(2, 1, documents(24))
	agents := load{
		name: "agents", clients: 200, think: 2, maxTokens: 4000, prompt: lengths{1000, 0.4, 100, 4000}, output: lengths{2400, 0.3, 400, 4000},
	}
	return []Scenario{
		{
			Name:        "prefill-pool-short",
			Description: "Seven times as many readers: prompts queue at the one prefill server, and two decode servers wait for work.",
			Cause:       "H2",
			servers:     servers,
			routed:      usual,
			faults:      []fault{moreRouted(0, usual[0].all(), more)},
		},
		{
			Name:        "decode-pool-short",
			Description: "Agents that write long answers: the one decode server is full of them, and two prefill servers wait for work.",
			Cause:       "H2",
			servers:     small,
			routed:      few,
			faults:      []fault{moreRouted(0, few[0].all(), agents)},
		},
	}
}

func network() []Scenario {
	servers, load := pools(1, 1, documents(24))
	patched, same := pools(1, 1, documents(24))
	for i := range patched {
		patched[i].flags.recompute = true
	}
	failed, again := pools(1, 1, documents(24))
	return []Scenario{
		{
			Name:        "slow-transfers",
			Description: "RDMA does not come up and KV takes a TCP path of 5 Gb/s: the decode server waits for each prompt.",
			Cause:       "H1",
			servers:     servers,
			routed:      load,
			faults:      []fault{slowNetwork(0, 0.6e9)},
		},
		{
			Name:        "transfer-failures",
			Description: "A network card drops out now and then: a third of the KV transfers fail, and their requests with them.",
			Cause:       "H1",
			servers:     failed,
			routed:      again,
			faults:      []fault{failingTransfers(0, 0.3)},
		},
		{
			Name:        "transfers-recomputed",
			Description: "Half of the KV transfers fail, and the decode server computes those prompts again between its answers.",
			Cause:       "H1",
			servers:     patched,
			routed:      same,
			faults:      []fault{failingTransfers(0, 0.5)},
		},
	}
}
