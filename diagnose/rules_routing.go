package diagnose

import "time"

// routingRules ask whether the load is spread over the replicas.
var routingRules = []Rule{
	{
		Code: "H3", Name: "LB_SKEW", Title: "load is uneven", Level: Model, Severity: Warning, Hold: 2 * time.Minute,
		When: All{
			Is{"replicas", AtLeast, 2, Judgement},
			Is{"load_highest", AtLeast, 8, Judgement},
			Is{"arrival_skew", AtLeast, 1.5, Judgement},
			Any{
				All{Is{"load_skew", AtLeast, 1.5, Judgement}, Is{"load_variation", AtLeast, 0.3, Judgement}},
				All{Is{"longest_queue", AtLeast, 5, Stated(platforms)}, Is{"shortest_queue", Below, 0.5, Stated(platforms)}, Is{"lowest_kv", Below, 0.6, Judgement}},
			},
			Is{"longest_queue", AtLeast, 1, Judgement},
			// Who sends alike beginnings to one replica wants it busier, as long as its first tokens come no later.
			Any{Is{"busiest_hit_lead", Below, 0.2, Judgement}, Is{"busiest_ttft_of_mean", Above, 1.1, Judgement}},
			// Prefill and decode servers of one model do different work: their loads cannot be compared.
			Any{Is{"shortest_answers", Above, 1.5, InSource}, Is{"longest_answers", AtMost, 1.5, InSource}},
		},
		Explains:   map[Match][]string{SameModel: {"E1", "E6"}, LoneReplica: {"D1", "D2", "D3", "D4", "D5", "D7", "D8"}},
		Sentence:   "One replica has {load_highest} requests where the mean is {load_mean}, and gets {arrival_skew} times the mean of new ones; the longest queue is {longest_queue}, the shortest {shortest_queue}.",
		Evidence:   []string{"replicas", "load_skew", "lowest_kv", "busiest_arrivals", "mean_arrivals"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "route by least requests or by KV usage; reset long-lived connections, which stick to old replicas", "load_skew"},
			{Now, "give prefix affinity a limit (queue 5, KV 80 %)", "longest_queue"},
		},
		Settle: "the router's own figures for each endpoint",
		Source: "Gateway API inference extension; vLLM #36748, #48808",
	},
}
