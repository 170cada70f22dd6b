package diagnose

import "time"

// bandwidthSources are where E5's thresholds come from that are not a judgement.
const bandwidthSources = "community rule sets; DCGM feature overview"

// bandwidthRules ask whether reading weights and contexts is what makes tokens slow.
var bandwidthRules = []Rule{
	{
		Code: "E5", Name: "DECODE_BW_BOUND", Title: "memory bandwidth limits tokens", Level: Replica, Severity: Warning, Hold: 3 * time.Minute,
		When: All{
			Is{"token_of_slo", Above, 1, Judgement},
			Is{"itl_jitter", Below, 2, Judgement},
			Is{"prefill_to_decode", Below, 2, Judgement},
			Is{"preemptions_per_second", AtMost, 0, Judgement},
			Is{"hbm_share", AtLeast, 0.65, Judgement}, // 55 % of the cycles of its interface, 85 % of which can be reached
			Also{Is{"tensor_active", Below, 0.25, Stated(bandwidthSources)}},
		},
		Explains: map[Match][]string{SameModel: {"E6"}, SameServer: {"D6", "F3", "I5"}, SameReplica: {"I4"}},
		Supports: []Is{{"gpu_busy", AtLeast, 0.9, Judgement}},
		Against:  []Is{{"gpu_memory_clock_share", Below, 0.9, Judgement}, {"step_over_floor", AtLeast, 3, Judgement}},
		RuledOut: []Because{{"D7", "tensor_active"}, {"D8", "dram_active"}, {"E4", "itl_jitter"}, {"D1", "preemptions_per_admission"}},
		Cases: []Case{{
			If:       All{Is{"gpu_memory_clock_share", Below, 0.9, Judgement}},
			Name:     "at a low memory clock",
			Sentence: "Tokens come {token_seconds} apart, and the memory runs at {gpu_memory_clock} ({gpu_memory_clock_share} of its highest): its interface is busy ({dram_active}) with fewer bytes than it could move.",
			Actions: []Action{
				{Now, "move traffic away; look at `nvidia-smi -i {gpu} -q -d CLOCK,PERFORMANCE` and lift clock locks (`nvidia-smi -i {gpu} -rmc`)", "gpu_memory_clock_share"},
			},
		}, {
			If:       Any{Is{"floor_of_slo", AtLeast, 1, Judgement}, Is{"max_num_seqs_by_floor", Below, 1, Judgement}},
			Name:     "the objective is below the hardware's floor",
			Sentence: "Tokens come {token_seconds} apart; reading the weights alone takes {floor_alone} on {engine_gpus} GPUs, and the objective is {slo_tpot}: no batch meets it.",
			Actions: []Action{
				{Restart, "more tensor parallelism, GPUs with more bandwidth, weights of fewer bits, or speculation; otherwise an objective above {floor_alone}", "token_seconds"},
			},
		}, {
			If:       All{Is{"kv_part", AtLeast, 0.5, Judgement}},
			Name:     "long contexts",
			Sentence: "Decode runs at {hbm_share} of the memory limit: a step reads {kv_read} of KV ({kv_part}) beside {weights_read} of weights. Its floor is {step_floor}, it takes {itl_average}, tokens come {token_seconds} apart.",
			Actions: []Action{
				{Now, "send less here: about {max_num_seqs_by_floor} requests of this context (about {running_steady} run) keep tokens within {slo_tpot}", "token_seconds"},
				{Restart, "an fp8 KV cache (--kv-cache-dtype fp8) or contexts of half the length: memory's floor falls to {step_floor_small_kv} from {step_memory}", "token_seconds"},
				{Restart, "more tensor parallelism, or GPUs with more bandwidth; until then --max-num-seqs {max_num_seqs_by_floor}", "token_seconds"},
			},
		}, {
			If:       All{Is{"kv_part", Below, 0.5, Judgement}},
			Name:     "weights",
			Sentence: "Decode runs at {hbm_share} of the memory limit: a step reads {weights_read} of weights beside {kv_read} of KV ({kv_part}). Its floor is {step_floor}, it takes {itl_average}, tokens come {token_seconds} apart.",
			Actions: []Action{
				{Now, "send less here: about {max_num_seqs_by_floor} requests (about {running_steady} run) keep tokens within {slo_tpot}", "token_seconds"},
				{Restart, "weights of half the bits: memory's floor falls to {step_floor_small_weights} from {step_memory}; or speculation (arithmetic takes over from {crossover_batch} requests on)", "token_seconds"},
				{Restart, "more tensor parallelism, or GPUs with more bandwidth", "token_seconds"},
			},
		}},
		Sentence: "Tokens come {token_seconds} apart and evenly (p99 {itl_p99}), and decode runs at {hbm_share} of the memory limit: reading weights and contexts takes the time.",
		Evidence: []string{
			"shape_parameters", "weights_read", "kv_read", "kv_part", "step_floor", "itl_average", "step_over_floor", "hbm_share", "engine_gpus", "sheet_bandwidth",
			"crossover_batch", "running_mean", "context_tokens", "itl_p50", "tokens_per_output", "slo_tpot", "gpu_memory_clock",
		},
		Confidence: 0.8,
		Actions: []Action{
			{Now, "send less here: in proportion about {max_num_seqs_by_proportion} requests (about {running_steady} run) keep tokens within {slo_tpot}", "token_seconds"},
			{Restart, "with long contexts an fp8 KV cache (--kv-cache-dtype fp8); with short ones weights of fewer bits, or speculation", "token_seconds"},
			{Restart, "more tensor parallelism, or GPUs with more bandwidth", "token_seconds"},
		},
		Settle: "start with --enable-mfu-metrics and read vllm:estimated_read_bytes_per_gpu_total; --model-config NAME=config.json tells weights from contexts",
		Source: "NVIDIA DCGM feature overview; arXiv 2503.08311",
	},
}
