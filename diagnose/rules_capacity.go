package diagnose

import "time"

// capacityRules ask whether there is too little for what comes, or too much for what there is, and what it costs. They stand last: what
// keeps requests waiting now says more than that their number grows.
var capacityRules = []Rule{
	{
		// A forecast, and what is left to say where nothing else explains a queue that grows. Once a limit is met, the limit's rule
		// (D1 to D8) stands before it: it says what to do now, and where more room can come from; that demand grows is told below it.
		Code: "I4", Name: "CAPACITY_TREND", Title: "demand outgrows the replica", Level: Replica, Severity: Warning, Hold: 5 * time.Minute, CriticalHold: 5 * time.Minute,
		Symptom: true,
		When: Any{
			All{
				Is{"waiting", Above, 5, Judgement},
				// A load that begins is no growth.
				Is{"watched_seconds", AtLeast, 60, Judgement},
				Is{"queue_growth", Above, 0, Judgement},
				Any{Is{"queue_growth", AtLeast, 0.05, Judgement}, Is{"efficiency", Below, 0.95, Judgement}},
				// What has piled up while the engine stood still drains by itself.
				Is{"output_lowest", Above, 0, Measured},
			},
			All{
				// A cache that is nearly empty and fills is a load that begins.
				Is{"kv_usage", AtLeast, 0.3, Judgement},
				Is{"kv_fit", AtLeast, 0.6, Judgement},
				Is{"kv_full_in", AtMost, 3600, Judgement},
			},
		},
		Critical: All{Is{"efficiency", Below, 0.7, Judgement}, Is{"waiting", Above, 5, Judgement}, Is{"queue_growth", Above, 0, Judgement}},
		// A queue within the objective hurts nobody, and a quarter of an hour is time to start a replica without haste.
		Mild: All{
			replicaInTime,
			Any{Is{"queue_growth", Above, 0, Judgement}, Is{"kv_full_in", Above, 900, Judgement}},
		},
		Explains: map[Match][]string{SameReplica: {"E1"}},
		RuledOut: []Because{{"D1", "kv_highest"}, {"D2", "kv_median"}, {"D3", "cap_reached"}},
		Cases: []Case{{
			If:       All{Is{"waiting", Above, 5, Judgement}, Is{"answer_growth", AtLeast, 1.3, Judgement}, Is{"demand_growth", Below, 1.2, Judgement}},
			Name:     "longer answers",
			Sentence: "The queue grows by {queue_growth}: {arrivals_per_second} arrive and {finished_per_second} are finished. No more come than a quarter of an hour ago, and an answer has {answer_growth} times as many tokens.",
			Actions:  []Action{{Now, "set or lower max_tokens; look for a changed prompt or reasoning mode", "answer_growth"}, {Now, sendLess, "queue_growth"}},
		}, {
			If:       append(All{Is{"waiting", Above, 5, Judgement}, Is{"queue_growth", Above, 0, Judgement}}, othersHaveRoom...),
			Name:     "the queue grows here alone",
			Sentence: "More comes than is served here: {waiting} wait, and the queue grows by {queue_growth} (over two minutes), while another replica of the model has room (shortest queue {shortest_queue}, emptiest KV cache {lowest_kv}).",
			Actions:  []Action{{Now, sendToOthers, "queue_growth"}},
		}, {
			If:       All{Is{"waiting", Above, 5, Judgement}, Is{"queue_growth", Above, 0, Judgement}},
			Name:     "the queue grows",
			Sentence: "More comes than is served: {waiting} wait, and the queue grows by {queue_growth} (over two minutes).",
		}, {
			If:       All{Is{"kv_full_in", AtMost, 3600, Judgement}, Is{"answer_growth", AtLeast, 1.3, Judgement}, Is{"demand_growth", Below, 1.2, Judgement}},
			Name:     "longer answers fill the KV cache",
			Sentence: "The KV cache is full in about {kv_full_in} (now {kv_median}, {kv_rise} a minute): no more come than a quarter of an hour ago, and an answer has {answer_growth} times as many tokens.",
			Actions:  []Action{{Now, "set or lower max_tokens; look for a changed prompt or reasoning mode", "answer_growth"}},
		}},
		Sentence:   "The KV cache is full in about {kv_full_in}: it is at {kv_median} and rises by {kv_rise} a minute (20 minutes, a line explains {kv_fit}).",
		Evidence:   []string{"demand_growth", "answer_growth", "arrivals_per_second", "efficiency", "client_timeout_in", "drain_time", "context_tokens", "free_kv_tokens", "free_kv_of_prompt", "replicas", "replicas_asked"},
		Confidence: 0.6,
		Actions: []Action{
			{Now, "start scaling now, to {replicas_asked} replicas at least ({replicas} today)", "queue_growth"},
			{Now, "if a replica takes longer to start than is left, refuse early: cap admissions at the gateway at {finished_best}", "queue_wait_ahead"},
		},
		Settle: "how long the last start of a replica took, against the time that is left",
		Source: "llm-d workload-variant autoscaler; Little's law",
	},
	{
		// GPU activity is no sign here: it is a duty cycle, and one request keeps a GPU as busy as sixty.
		Code: "I1", Name: "UNDERUTILISED", Title: "more replicas than the load needs", Level: Model, Severity: Information, Hold: 10 * time.Minute,
		When: All{
			Is{"model_watched", AtLeast, 1, Judgement},
			Is{"longest_queue", Below, 0.5, Judgement},
			Is{"load_highest", Below, 16, Judgement},
			Is{"model_ttft_burn_if_known", AtMost, 1, Judgement},
			Is{"safe_load_used", Below, 0.25, Judgement},
			Is{"model_kv_p95", Below, 0.3, Judgement},
			// One replica is not too many, unless nobody asks it anything.
			Any{Is{"replicas_spare", AtLeast, 1, Judgement}, Is{"model_load_peak", AtMost, 0, Judgement}},
		},
		Cases: []Case{{
			If:       All{Is{"model_load_peak", AtMost, 0, Judgement}},
			Name:     "no requests",
			Sentence: "No request in the last 20 minutes on any replica of the model (replicas: {replicas}).",
			Actions: []Action{
				{Now, "see whether that is so: a router that sends nothing, or a client that cannot reach it, looks the same", "model_load_peak"},
				{Now, "if nobody needs it, scale it to zero or put it to sleep", "replicas"},
			},
		}, {
			If:       All{Is{"shortest_answers", AtMost, 1.5, InSource}, Is{"longest_answers", Above, 1.5, InSource}},
			Name:     "prefill and decode servers",
			Sentence: "None of the {replicas} prefill and decode servers has had a quarter of its safe load ({safe_load}) in the last 20 minutes, {model_load_peak} requests at once over all.",
			Actions:  []Action{{Now, "look at a whole day, then remove from each of the two pools apart: they do different work", "safe_load_used"}},
		}},
		Sentence:   "{replicas} replicas serve what {replicas_needed} could: {model_load_peak} requests at once at most in the last 20 minutes, where one replica safely holds {safe_load} at least; {idle_share} of the fleet idles.",
		RuledOut:   []Because{{"H3", "load_highest"}},
		Evidence:   []string{"model_running_p95", "safe_load", "safe_load_by_tokens", "safe_load_by_cache", "model_output_best", "model_itl", "model_load_peak_hours", "replicas_needed_hours"},
		Confidence: 0.7,
		Actions: []Action{
			{Now, "look at a whole day before: a night looks the same. The busiest moment of the last six hours, or of as long as was watched, needed {replicas_needed_hours} of the {replicas_hours} that served it", "replicas_needed_hours"},
			{Now, "then remove one at a time, down to {replicas_needed}, or put other models there. Safe is: tokens 30 % within their objective, KV cache 80 %, 70 % of a told --max-num-seqs", "safe_load_used"},
			{Restart, "or serve it from smaller GPUs or MIG slices", "model_kv_p95"},
		},
		Settle: "the same over the last day in your Prometheus",
		Source: "llm-d workload-variant autoscaler; AIBrix",
	},
	{
		Code: "I5", Name: "COST_OF_LATENCY", Title: "tokens cost more", Level: Server, Severity: Information, Hold: 10 * time.Minute,
		When: All{
			// What the usual work and its cost are is not seen in minutes.
			Is{"cost_known_before", AtLeast, 1, Judgement},
			Any{costsMore, prefillOnBandwidth, decodeOnArithmetic},
		},
		Cases: []Case{{
			If:       prefillOnBandwidth,
			Name:     "prefill on GPUs rich in bandwidth",
			Sentence: "Prompts are {server_prefill_to_decode} times as long as answers, and the GPUs compute (tensor pipe {tensor_active}) while their bandwidth idles ({dram_active}): cheaper GPUs with as much arithmetic would serve this load.",
			Actions:  []Action{{Restart, "serve long prompts on GPUs with more arithmetic for their price (H100, L40S), or split prefill from decode", "tensor_active"}},
		}, {
			If:       decodeOnArithmetic,
			Name:     "decode on GPUs rich in arithmetic",
			Sentence: "Answers are long against prompts ({server_prefill_to_decode} prompt tokens to one), and the GPUs read memory ({dram_active} of the time) while their arithmetic idles (tensor pipe {tensor_active}): more bandwidth would serve more of this load.",
			Actions:  []Action{{Restart, "serve long answers on GPUs with more bandwidth for their price (H200, A100), or with smaller weights (fp8, int4)", "dram_active"}},
		}},
		Sentence:   "An output token costs {energy_per_token_lately}, {energy_per_token_before} before, at an equal batch ({batch_change}) and equal lengths ({prompt_change} and {answer_change} of before).",
		Evidence:   []string{"energy_per_token", "tokens_per_joule_kept", "useful_tokens_per_gpu_second", "wasted_tokens_per_second", "gpu_busy"},
		Confidence: 0.6,
		Actions: []Action{
			{Now, "look for what wastes work: lower clocks, requests computed again, a lower prefix hit share, draft tokens that are not accepted", "tokens_per_joule_kept"},
		},
		Settle: "the same load on another replica",
		Source: "our judgement; data sheets of the GPUs",
	},
}

// costsMore compares at an equal mix only: a smaller batch, longer prompts or shorter answers cost more by themselves.
var costsMore = All{
	Is{"server_generation_tokens", AtLeast, 50, Judgement},
	Is{"tokens_per_joule_kept", AtMost, 0.8, Judgement},
	Is{"batch_change", AtLeast, 0.8, Judgement},
	Is{"batch_change", AtMost, 1.25, Judgement},
	Is{"prompt_change", AtLeast, 0.8, Judgement},
	Is{"prompt_change", AtMost, 1.25, Judgement},
	Is{"answer_change", AtLeast, 0.8, Judgement},
	Is{"answer_change", AtMost, 1.25, Judgement},
}

// Work that does not fit the GPU: its limit is what the GPU has less of, while what it is dear for idles.
var (
	prefillOnBandwidth = All{
		Is{"server_prefill_to_decode", AtLeast, 10, Judgement},
		Is{"gpu_ridge", AtMost, 210, Stated("data sheets")},
		Is{"tensor_active", AtLeast, 0.5, Judgement},
		Is{"dram_active", Below, 0.4, Judgement},
	}
	decodeOnArithmetic = All{
		Is{"server_prefill_to_decode", AtMost, 1, Judgement},
		Is{"gpu_ridge", AtLeast, 370, Stated("data sheets")},
		Is{"dram_active", AtLeast, 0.6, Judgement},
		Is{"tensor_active", Below, 0.15, Judgement},
	}
)
