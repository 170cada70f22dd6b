package diagnose

import "time"

// routingRules ask whether the load is spread over the replicas.
var routingRules = []Rule{
	{
		Code: "H3", Name: "LB_SKEW", Title: "load is uneven", Level: Model, Severity: Warning, Hold: 2 * time.Minute,
		When: All{
			Is{"replicas", AtLeast, 2, Judgement},
			Is{"load_highest", AtLeast, 8, Judgement},
			Any{
				All{Is{"load_skew", AtLeast, 1.5, Judgement}, Is{"load_variation", AtLeast, 0.3, Judgement}},
				All{Is{"longest_queue", AtLeast, 5, Stated(platforms)}, Is{"shortest_queue", Below, 0.5, Stated(platforms)}, Is{"lowest_kv", Below, 0.6, Judgement}},
			},
			Is{"longest_queue", AtLeast, 1, Judgement},
			// Too many requests are sent there, or too dear ones. A slow replica (C6) and one that evicts (D1) have more in hand at equal work.
			Any{Is{"arrival_skew", AtLeast, 1.5, Judgement}, All{Is{"work_skew", AtLeast, 1.5, Judgement}, Is{"request_skew", AtLeast, 1.5, Judgement}}},
			// Who sends alike beginnings to one replica wants it busier, as long as its first tokens come no later.
			Any{Is{"busiest_hit_lead", Below, 0.2, Judgement}, Is{"busiest_ttft_of_mean", Above, 1.1, Judgement}},
			sameWork,
		},
		Explains: map[Match][]string{SameModel: {"E1", "E6", "H4"}, FewReplicas: {"D1", "D2", "D3", "D4", "D7", "D8", "I4"}},
		Cases: []Case{{
			If:       All{Is{"arrival_skew", Below, 1.5, Judgement}},
			Name:     "equal requests, unequal work",
			Sentence: "{busiest_replica} has {load_highest} requests where the mean is {load_mean}. It gets {arrival_skew} times as many as the mean, and dearer ones: {busiest_request_tokens} each, of prompt to compute and answer to write, where the mean is {mean_request_tokens}. The longest queue is {longest_queue}, the shortest {shortest_queue} (without any request: {replicas_without}).",
			Actions: []Action{
				{Now, "route by KV usage or by tokens in flight instead of by number of requests (round robin and least requests count a long one as one)", "work_skew"},
				{Now, "send long prompts and long answers to a pool of their own, or cap max_tokens", "longest_queue"},
			},
		}, {
			// Requests that would be found nowhere else are rather sent there on purpose.
			If: All{Is{"busiest_hit_share", AtLeast, 0.5, Judgement}},
			Actions: []Action{
				{Now, "if the router sends alike prompts to one replica ({busiest_hit_share} of the prompt tokens that come to {busiest_replica} are in its cache), give that affinity a limit (queue 5, KV 80 %)", "longest_queue"},
				{Now, "otherwise route by least requests or by KV usage; reset long-lived connections, which stick to old replicas", "load_skew"},
			},
		}},
		Sentence:   "{busiest_replica} has {load_highest} requests where the mean is {load_mean}, and gets {arrival_skew} times the mean of new ones; the longest queue is {longest_queue}, the shortest {shortest_queue} (without any request: {replicas_without}).",
		Evidence:   []string{"replicas", "load_skew", "lowest_kv", "busiest_arrivals", "mean_arrivals", "busiest_request_tokens", "mean_request_tokens"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "route by least requests or by KV usage; reset long-lived connections, which stick to old replicas", "load_skew"},
			{Now, "give prefix affinity a limit (queue 5, KV 80 %)", "longest_queue"},
		},
		Settle: "the router's own figures for each endpoint",
		Source: "Gateway API inference extension; vLLM #36748, #48808",
	},
	{
		Code: "H4", Name: "DP_IDLE_RANK_WORK", Title: "ranks without requests compute along", Level: Server, Severity: Information, Hold: 5 * time.Minute,
		When: All{
			Is{"idle_engines", AtLeast, 1, InSource},
			Is{"ranks_running", AtLeast, 1, InSource},
			// The GPU that rests most is one of a rank without requests, whichever it has. In a dense model it does nothing at all; dummy
			// batches are short, and where the host prepares each step after the one before they fill half of the time.
			Is{"gpu_least_busy", Above, 0.3, Judgement},
		},
		RuledOut:   []Because{{"C7", "ranks_running"}},
		Sentence:   "{idle_engines} of {engines} engines have no request and their GPUs work all the same ({gpu_least_busy} at least): the ranks of a mixture of experts step together, and those without requests compute dummy batches. It is no hang and nobody else's load.",
		Evidence:   []string{"busiest_rank", "ranks_running", "gpu_busy"},
		Confidence: 0.8,
		Actions: []Action{
			{Now, "spread requests over the ranks: let vLLM choose (no rank in the request), or route by least requests", "idle_engines"},
			{Restart, "fewer data-parallel ranks where one is enough for the load", "gpu_least_busy"},
		},
		Settle: "vllm:num_requests_running by engine: is it the same ranks that have none?",
		Source: "vLLM data-parallel deployment guide; vLLM's source",
	},
}

// sameWork leaves out models of prefill and decode servers: they do different work, and their loads cannot be compared.
var sameWork = Any{Is{"shortest_answers", Above, 1.5, InSource}, Is{"longest_answers", AtMost, 1.5, InSource}}

// othersHaveRoom says that a queue is one of routing: some replica of the model has neither a queue nor a full cache, and does the same work.
var othersHaveRoom = All{
	Is{"replicas", AtLeast, 2, Judgement},
	Is{"shortest_queue", Below, 0.5, Stated(platforms)},
	Is{"lowest_kv", Below, 0.6, Judgement},
	sameWork,
}

// sendToOthers is what to do where other replicas have room.
const sendToOthers = "send less here and more to the replicas that have room: route by least requests or by KV usage, and give prefix affinity a limit (queue 5, KV 80 %); a new replica helps only where the router uses it"
