package diagnose

import "time"

// saturated is what to do where arithmetic is the limit; batch says which one still meets the objective.
func saturated(batch string) []Action {
	return []Action{
		{Now, "add replicas, or send less here; shorter prompts and shared prefixes save prefill", "waiting_mean"},
		{Now, "let in no more than meets the objective: " + batch + " (about {running_steady} run; prompts within {slo_ttft}, tokens within {slo_tpot})", "token_seconds"},
		{Restart, "fp8 weights, or a GPU with more arithmetic", "tensor_active"},
	}
}

// admissionRules ask what keeps requests waiting.
var admissionRules = []Rule{
	{
		Code: "D5", Name: "DEFERRED_WAIT", Title: "requests wait for something else than room", Level: Replica, Severity: Warning, Hold: time.Minute,
		When: All{
			Is{"waiting", AtLeast, 1, InSource},
			Is{"deferred_share", AtLeast, 0.5, Judgement},
			Is{"deferred_mean", AtLeast, 1, Judgement},
			// A batch that stands still for another reason looks full where the cap is inferred: vLLM's own word weighs more, of more than the
			// few whose KV is always on its way to a decode server.
			Any{
				Is{"cap_reached", Below, 1, InSource},
				All{Also{Is{"told_cap_reached", Below, 1, InSource}}, Is{"deferred_share", AtLeast, 0.8, Judgement}, Is{"deferred_mean", AtLeast, 4, Judgement}},
			},
			Is{"kv_median", Below, 0.85, InSource},
		},
		Explains: map[Match][]string{
			SameReplica: {"D2", "D3", "D4", "D8", "E1", "I4"},
			SameModel:   {"E6"},
			SameServer:  {"D6", "F3"},
		},
		RuledOut: []Because{{"D2", "kv_median"}, {"D3", "cap_reached"}},
		Cases: []Case{{
			If:       All{Is{"adapter_slots_used", AtLeast, 1, InSource}},
			Name:     "adapter slots",
			Sentence: "{deferred_mean} requests in the mean wait for an adapter slot ({deferred_share} of the queue; {waiting} wait now), with room in the KV cache ({kv_median}): the adapters that run fill --max-loras ({adapter_slots}), and requests for others wait until one has none left.",
			Actions: []Action{
				{Restart, "raise --max-loras (now {adapter_slots}) to {adapters_wanted} at least: more adapters are asked for than there are slots (each slot costs GPU memory)", "deferred_mean"},
				{Now, "route each adapter to a replica of its own", "deferred_mean"},
			},
		}, {
			If:       All{Is{"adapter_slots_used", Below, 1, InSource}},
			Name:     "not adapter slots",
			Sentence: "{deferred_mean} requests in the mean wait for a remote cache or a grammar ({deferred_share} of the queue; {waiting} wait now), with room in the KV cache ({kv_median}). Adapter slots are free ({adapters_running} of {adapter_slots} used).",
			Actions:  []Action{{Now, "with P/D: look at the transfers; with structured output: reuse grammars", "deferred_mean"}},
		}, {
			If:       All{Is{"cap_reached", AtLeast, 1, InSource}},
			Sentence: "{deferred_mean} requests in the mean wait for an adapter slot, a remote cache or a grammar ({deferred_share} of the queue, as vLLM counts it; {waiting} wait now), with room in the KV cache ({kv_median}). The batch stays at {running}, as it does at --max-num-seqs, too, which was not told.",
		}},
		Sentence:   "{deferred_mean} requests in the mean wait for an adapter slot, a remote cache or a grammar ({deferred_share} of the queue; {waiting} wait now), with room in the batch and in the KV cache ({kv_median}).",
		Evidence:   []string{"waiting_mean", "running_mean", "queue_average", "adapter_slots_used", "gpu_busy"},
		Confidence: 0.75,
		Actions: []Action{
			{Restart, "with LoRA: raise --max-loras (costs memory for each slot)", "deferred_mean"},
			{Now, "with LoRA: route each adapter to its own replica; with P/D: look at the transfers; with structured output: reuse grammars", "deferred_mean"},
		},
		Settle: "requests by hand: one with an adapter, one with structured output, one with neither; which of them waits?",
		Source: "vLLM's source: the scheduler's second queue",
	},
	{
		Code: "D1", Name: "KV_THRASH", Title: "KV thrash", Level: Replica, Severity: Warning, Hold: 5 * time.Minute, CriticalHold: time.Minute,
		When: All{
			Is{"kv_highest", AtLeast, 0.90, Stated(communitySet)},
			Any{
				All{Is{"preemptions_per_admission", AtLeast, 0.05, Judgement}, Is{"kv_median", AtLeast, 0.80, Judgement}},
				// Of a small batch two that end are a third.
				All{Is{"running_fall", AtLeast, 0.3, Measured}, Is{"running_highest", AtLeast, 12, Judgement}, Is{"waiting_rise", AtLeast, 3, Measured}, Is{"kv_usage", AtLeast, 0.80, Measured}, Is{"cap_reached", Below, 1, Measured}},
			},
		},
		Critical: Any{
			Is{"preemptions_per_second", Above, 1, Stated(communitySet)},
			Is{"preemptions_per_admission", AtLeast, 0.5, Judgement},
		},
		// A few are what a well used cache costs, while neither first tokens nor the others come late for it.
		Mild: append(All{
			Is{"preemptions_per_second", AtMost, 1, Stated(communitySet)},
			Is{"preemptions_per_admission", Below, 0.5, Judgement},
			Is{"itl_burn", AtMost, 1, Judgement},
			Is{"waiting_mean", Below, 1, Judgement},
		}, replicaInTime...),
		Supports: []Is{{"gpu_busy", Below, 0.6, Judgement}},
		Explains: map[Match][]string{
			SameReplica: {"C6", "D2", "D3", "D4", "D7", "D8", "E1", "E2", "E3", "E4", "G2", "G3", "I4"},
			SameModel:   {"E6"},
			SameServer:  {"D6", "F3", "I5"},
		},
		RuledOut: []Because{{"D2", "preemptions_per_admission"}, {"D3", "kv_highest"}, {"D7", "tensor_active"}, {"D8", "kv_median"}},
		Cases: []Case{{
			If:       decodeIsShort,
			Name:     "decode is short",
			Sentence: "Requests are evicted from a full KV cache and computed again ({preemptions_per_minute}): all servers that write answers are full (KV {decode_kv} in the mean; servers: {decode_nodes}), and at those that compute prompts nothing waits.",
			Actions: []Action{
				moveToDecode,
				{Now, "until then refuse about {shed_share} of the requests that are here", "kv_highest"},
			},
		}, {
			If:       All{Is{"preemptions_per_admission", Below, 0.05, Judgement}},
			Sentence: "Requests lose their place in a full KV cache ({kv_usage}): the batch shrank by {running_fall} and {waiting} wait. Evictions are counted some 10 s late.",
		}},
		Sentence:   "Requests are evicted from a full KV cache and computed again: {preemptions_per_minute}, KV {kv_highest}, {preemptions_per_admission} per admission.",
		Evidence:   []string{"preemptions_per_minute", "running_mean", "waiting_mean", "context_tokens", "throughput_kept", "gpu_busy"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "route away or refuse about {shed_share} of the requests that are here", "kv_highest"},
			{Restart, "lower --max-num-seqs to about {fitting_sequences}, which fit at the present context (about {safe_sequence_cap} at full length, with fewer tokens a second), or give KV more memory: fp8 KV cache, --gpu-memory-utilization, another replica", "preemptions_per_admission"},
		},
		Settle: "vllm:kv_block_lifetime_seconds (start with --kv-cache-metrics)",
		Source: "vLLM optimisation guide",
	},
	{
		Code: "D2", Name: "KV_BOUND", Title: "KV cache full, orderly queue", Level: Replica, Severity: Warning, Hold: 2 * time.Minute,
		When: All{
			Is{"waiting", AtLeast, 1, InSource},
			Any{Is{"cap_reached", Below, 1, InSource}, Is{"prompts_that_fit", Below, 1, InSource}},
			Any{
				Is{"kv_median", AtLeast, 0.85, Stated(platforms)},
				All{Is{"kv_median", AtLeast, 0.5, InSource}, Is{"prompts_that_fit", Below, 1, InSource}},
				All{
					Is{"kv_median", AtLeast, 0.5, InSource},
					Is{"prompt_spread", AtLeast, 10, Judgement},
					Any{
						All{Is{"running_fall", AtLeast, 0.3, InSource}, Is{"waiting_rise", Above, 0, InSource}},
						All{Is{"running_dip", AtLeast, 0.3, InSource}, Is{"long_prompts_that_fit", Below, 1, InSource}},
					},
				},
			},
			Any{Is{"preemptions_per_admission", Below, 0.05, Judgement}, Is{"preemptions_per_second", AtMost, 0, Judgement}},
		},
		Mild:     replicaInTime,
		Explains: map[Match][]string{SameReplica: {"D4", "D8", "E1", "I4"}, SameModel: {"E6"}, SameServer: {"D6", "F3"}},
		RuledOut: []Because{{"D1", "preemptions_per_admission"}, {"D3", "cap_reached"}},
		Cases: []Case{{
			If:       decodeIsShort,
			Name:     "decode is short",
			Sentence: "The KV cache is full ({kv_highest}) and {waiting} requests wait for blocks: all servers that write answers are full (KV {decode_kv} in the mean; servers: {decode_nodes}), and at those that compute prompts nothing waits.",
			Actions:  []Action{moveToDecode, {Now, sendLess, "waiting_mean"}},
		}, {
			If:       All{Is{"kv_median", Below, 0.85, Judgement}, Is{"prompts_that_fit", Below, 1, InSource}},
			Sentence: "{waiting} requests wait for blocks: the KV cache fills to {kv_highest}, and what is then free holds {prompts_that_fit} of a usual prompt ({prompt_tokens_p50}).",
		}, {
			If:       All{Is{"kv_median", Below, 0.85, Judgement}},
			Name:     "one huge prompt at the head",
			Sentence: "A prompt whose KV blocks do not fit blocks all behind it: {waiting} wait, the batch shrank by {running_dip}, KV {kv_median}; the longest prompts are {prompt_spread} times the median.",
			Actions: []Action{
				{Now, "send long prompts to a replica of their own, or cap their length at the gateway", "running_mean"},
			},
		}, {
			If:       All{Is{"preemptions_per_second", Above, 0, InSource}},
			Sentence: "The KV cache is full ({kv_highest}) and {waiting} requests wait for blocks; few are evicted ({preemptions_per_minute}).",
		}},
		Sentence:   "The KV cache is full ({kv_highest}) and {waiting} requests wait for blocks; nothing is evicted.",
		Evidence:   []string{"running_mean", "queue_wait_ahead", "context_tokens", "gpu_busy"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, sendLess, "waiting_mean"},
			{Restart, "give KV more memory: fp8 KV cache, --gpu-memory-utilization, more tensor parallelism", "kv_median"},
		},
		Settle: "vllm:num_requests_waiting_by_reason{reason=\"capacity\"}",
		Source: "vLLM optimisation guide; vLLM's source: a prompt is admitted when all its blocks fit",
	},
	sequenceCap,
	{
		Code: "D7", Name: "COMPUTE_SATURATED", Title: "compute saturated", Level: Replica, Severity: Warning, Hold: 3 * time.Minute,
		When: All{
			Any{
				All{Is{"tensor_active", AtLeast, 0.5, Judgement}, Is{"dram_active", Below, 0.6, Judgement}},
				Also{Is{"mfu_share", AtLeast, 0.4, Judgement}},
			},
			Any{Is{"waiting", AtLeast, 1, Judgement}, Is{"ttft_burn", Above, 1, Judgement}},
		},
		Against:  []Is{{"throughput_elasticity", AtLeast, 0.5, Judgement}},
		Supports: []Is{{"sm_active", AtLeast, 0.8, Stated(dcgmGuide)}, {"gpu_power_share", AtLeast, 0.85, Judgement}},
		Mild:     replicaInTime,
		Explains: map[Match][]string{SameReplica: {"D4", "E1", "E2", "I4"}, SameModel: {"E6"}, SameServer: {"D6", "F3", "I5"}},
		RuledOut: []Because{{"D1", "kv_highest"}, {"D2", "kv_median"}, {"D8", "gpu_busy"}, {"D3", "cap_reached"}, {"E5", "hbm_share"}, {"B4", "moves"}},
		Cases: []Case{{
			If:       All{Is{"max_num_seqs_by_floor", AtLeast, 0, Judgement}},
			Sentence: "Arithmetic is the limit: {mfu_share} of the peak operations (tensor pipe {tensor_active}), which is about what models reach, and {waiting} requests wait.",
			Actions:  saturated("{max_num_seqs_for_slo} requests at once by the floor's arithmetic, where a step takes {step_floor} at least"),
		}, {
			If:       All{Is{"mfu_share", AtLeast, 0.4, Judgement}},
			Sentence: "Arithmetic is the limit: {mfu_share} of the peak operations, which is about what models reach, and {waiting} requests wait.",
		}},
		Sentence:   "Arithmetic is the limit: the tensor pipe is at work {tensor_active} of the time, which is about what models reach, and {waiting} requests wait.",
		Evidence:   []string{"gpu_busy", "sm_active", "gpu_power_share", "mfu_share", "throughput_elasticity", "prefill_to_decode", "computed_prompt_tokens_per_second", "running_mean", "step_floor", "itl_average", "ttft_over_slo"},
		Confidence: 0.75,
		Actions:    saturated("in proportion {max_num_seqs_by_proportion} requests at once"),
		Settle:     "start with --enable-mfu-metrics and read vllm:estimated_flops_per_gpu_total",
		Source:     "NVIDIA DCGM feature overview",
	},
	tokenBudget,
	{
		Code: "D8", Name: "HOST_BOUND", Title: "host bound", Level: Replica, Severity: Warning, Hold: 2 * time.Minute,
		When: All{
			Any{
				// One sequence at a time leaves any GPU with little to do, and is rather a cap.
				All{Is{"waiting", AtLeast, 1, Judgement}, Any{Is{"running_mean", AtLeast, 2, Judgement}, Also{Is{"step_over_floor", AtLeast, 3, Judgement}}}},
				All{Is{"running_mean", AtLeast, 8, Judgement}, Any{Is{"ttft_burn", Above, 1, Judgement}, Is{"itl_late", AtLeast, 0.5, Judgement}}},
			},
			Also{Is{"gpu_busy", Below, 0.7, Judgement}},
			Any{
				All{Is{"tensor_active", Below, 0.15, Judgement}, Is{"dram_active", Below, 0.35, Judgement}},
				Also{Is{"step_over_floor", AtLeast, 3, Judgement}},
			},
			Is{"kv_median", Below, 0.9, Judgement},
			Is{"preemptions_per_second", AtMost, 0, Judgement},
			Is{"moves", AtLeast, 1, Judgement},
		},
		Supports: []Is{{"api_cpu_cores", AtLeast, 0.9, Judgement}},
		Against:  []Is{{"step_over_floor", Below, 2, Judgement}},
		Explains: map[Match][]string{SameReplica: {"C6", "D4", "E1", "E3", "I4"}, SameModel: {"E6"}, SameServer: {"D6", "F3"}},
		RuledOut: []Because{{"D3", "cap_reached"}, {"D7", "tensor_active"}, {"D1", "kv_highest"}, {"D9", "sm_active"}, {"E5", "hbm_share"}},
		Cases: []Case{{
			If:       All{Is{"step_over_floor", AtLeast, 3, Judgement}},
			Sentence: "A step takes {itl_average}, {step_over_floor} times what the hardware needs for it ({step_floor}), while {running_mean} run and {waiting} wait: the host does not feed the GPUs.",
		}, {
			If:       All{Is{"waiting", Below, 1, Judgement}},
			Sentence: "Tokens come {itl_p50} apart, {itl_late} of them over the objective, while the GPUs idle ({gpu_busy} busy, tensor pipe {tensor_active}) and nothing waits: the host does not feed them.",
		}},
		Sentence:   "Requests wait ({waiting}) while the GPUs idle ({gpu_busy} busy, tensor pipe {tensor_active}): the host does not feed them.",
		Evidence:   []string{"steps_per_second", "itl_average", "step_floor", "step_over_floor", "api_cpu_cores", "frontend_gap", "scrape_seconds_median", "running_mean", "ttft_over_slo"},
		Confidence: 0.75,
		Actions: []Action{
			{Now, "give the server physical cores: two and one more for each GPU at least; lift CPU limits and look for throttling", "gpu_busy"},
			{Restart, "--api-server-count, a faster tokenizer, CUDA graphs on (no --enforce-eager)", "steps_per_second"},
		},
		Settle: "container_cpu_cfs_throttled_periods_total, and what the engine does: `py-spy top --pid $(pgrep -of '[E]ngineCore')`",
		Source: "vLLM optimisation guide, CPU resources; arXiv 2603.22774",
	},
}
