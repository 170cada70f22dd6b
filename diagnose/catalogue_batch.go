package diagnose

// batchRows hold what the hardware allows against the objective: which batch meets it, and how long prompts and chunks take.
var batchRows = []Signal{
	{
		ID: "outputs_per_second", Title: "outputs after the first", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:inter_token_latency_seconds_count[$window]))`,
		Help: "One for each running request and step.",
	},
	{
		ID: "tokens_per_output", Title: "tokens per output", Unit: Ratio, Level: Replica,
		Formula: `clamp_min((generation_tokens_per_second - admissions_per_second) / outputs_per_second, 1)`,
		Help:    "1, or what speculation gets out of a step.",
	},
	{
		ID: "token_seconds", Title: "time for a token", Unit: Seconds, Level: Replica,
		Formula: `itl_p50 / tokens_per_output`,
		Help:    "Median time between outputs over the tokens of one: what users see, with speculation too.",
	},
	{
		ID: "token_of_slo", Title: "token of objective", Unit: Ratio, Level: Replica,
		Formula: `token_seconds / slo_tpot`,
		Help:    "Above 1 half of the tokens come later than the objective.",
	},
	{
		ID: "floor_alone", Title: "step floor of one request", Unit: Seconds, Level: Replica,
		Formula: `(shape_step_bytes + shape_expert_bytes * (1 - shape_idle)) / (engine_gpus * 0.85 * sheet_bandwidth)`,
		Help:    "Reading the weights once at 85 % of the bandwidth: no token comes faster, whatever the batch.",
	},
	{
		ID: "floor_of_slo", Title: "objective below the hardware's floor", Unit: Ratio, Level: Replica,
		Formula: `floor_alone / (slo_tpot * tokens_per_output)`,
		Help:    "From 1 on no batch meets the objective for tokens on this hardware.",
	},
	{
		ID: "step_left", Title: "time of a step within the objective", Unit: Seconds, Level: Replica,
		Formula: `slo_tpot * tokens_per_output / clamp_min(step_over_floor, 1)`,
		Help:    "What the objective leaves for memory and arithmetic, if a step keeps its relation to its floor.",
	},
	{
		ID: "max_num_seqs_by_tokens", Title: "batch whose tokens meet the objective", Unit: Count, Level: Replica,
		Formula: `running_steady * slo_tpot * tokens_per_output / itl_steady`,
		Help:    "In proportion to how far tokens come apart with the requests that run now.",
	},
	{
		ID: "max_num_seqs_by_prefill", Title: "batch whose prompts meet the objective", Unit: Count, Level: Replica,
		Formula: `running_steady * slo_ttft / prefill_steady`,
		Help:    "In proportion to how long prompts take beside the requests that run now.",
	},
	{
		ID: "max_num_seqs_by_floor", Title: "batch that meets the objective, by the floor", Unit: Count, Level: Replica, Rounded: true,
		Formula: `floor(clamp_min(batch_by_bytes - clamp_min(batch_by_bytes - running_mean * step_left / step_arithmetic, 0), 0))`,
		Help:    "How many requests of the present context a step can serve within the objective for tokens, by the model's bytes and operations, if a step keeps its relation to its floor.",
	},
	{
		ID: "batch_by_bytes", Title: "batch that meets the objective, by bytes", Unit: Count, Level: Replica,
		Formula: `running_mean * (step_left * engine_gpus * 0.85 * sheet_bandwidth - weights_read) / kv_read`,
		Help:    "How many contexts can be read in time beside the weights.",
	},
	{
		ID: "max_num_seqs_by_proportion", Title: "batch that meets the objective, in proportion", Unit: Count, Level: Replica, Rounded: true,
		Formula: `floor(max_num_seqs_by_tokens - clamp_min(max_num_seqs_by_tokens - max_num_seqs_by_prefill, 0) or max_num_seqs_by_tokens)`,
		Help:    "What runs now, times how much of the objective its tokens and prompts take.",
		Trap:    "A part of a step does not grow with the batch: rather too high where tokens are late, too low where they are early.",
	},
	{
		ID: "max_num_seqs_for_slo", Title: "batch that meets the objective", Unit: Count, Level: Replica, Rounded: true,
		Formula: `max_num_seqs_by_floor - clamp_min(max_num_seqs_by_floor - max_num_seqs_by_prefill, 0) or max_num_seqs_by_floor or max_num_seqs_by_proportion`,
		Help:    "By the floor's arithmetic where the model's size is known, else in proportion to what was seen.",
	},
	{
		ID: "raised_sequence_cap", Title: "sequence cap to raise to", Unit: Count, Level: Replica, Rounded: true,
		Formula: `floor(max_num_seqs_for_slo - clamp_min(max_num_seqs_for_slo - room_for_sequences, 0))`,
		Help:    "Twice the cap at most, within the objective and within 85 % of the KV cache.",
	},
	{
		ID: "kv_sequences", Title: "sequences that the KV cache holds", Unit: Count, Level: Replica, Rounded: true,
		Formula: `floor(0.85 * running_mean / kv_highest)`,
		Help:    "In 85 % of it, at the present context of a request.",
	},
	{
		ID: "room_for_sequences", Title: "sequences that KV cache and twice the cap allow", Unit: Count, Level: Replica,
		Formula: `2 * sequence_cap - clamp_min(2 * sequence_cap - kv_sequences, 0)`,
		Help:    "Twice the cap is a step of caution: what a batch takes is worked out from the one that runs, and the farther from it the less sure.",
	},
	{
		ID: "cap_headroom", Title: "sequence cap to raise to, of the present one", Unit: Ratio, Level: Replica,
		Formula: `raised_sequence_cap / sequence_cap`,
		Help:    "Below 1.15 a larger cap would cost the objective or the KV cache more than it gives.",
	},
	{
		ID: "batch_gain", Title: "what a larger batch brings at most", Unit: Share, Level: Replica,
		Formula: `clamp_min(cap_headroom - 1, 0)`,
		Help:    "If steps took no longer with it.",
	},
	{
		ID: "demand_of_larger_batch", Title: "demand of what a larger batch would finish", Unit: Ratio, Level: Replica,
		Formula: `demand / clamp_min(cap_headroom, 1)`,
		Help:    "Above 1 the queue grows with it, too.",
	},
	{
		ID: "step_floor_small_kv", Title: "step floor with KV of half the size", Unit: Seconds, Level: Replica,
		Formula: `(weights_read + 0.5 * kv_read) / (engine_gpus * 0.85 * sheet_bandwidth)`,
		Help:    "What an fp8 KV cache, or half of the context, makes of memory's floor.",
	},
	{
		ID: "step_floor_small_weights", Title: "step floor with weights of half the size", Unit: Seconds, Level: Replica,
		Formula: `(0.5 * weights_read + kv_read) / (engine_gpus * 0.85 * sheet_bandwidth)`,
		Help:    "What weights of half the bits make of memory's floor.",
	},
	{
		ID: "computed_prompt", Title: "computed prompt", Unit: Tokens, Level: Replica,
		Formula: `computed_prompt_tokens_per_second / admissions_per_second`,
		Help:    "What the prefix cache did not have.",
	},
	{
		ID: "prefill_predicted", Title: "predicted prefill", Unit: Seconds, Level: Replica,
		Formula: `(2 * shape_active * computed_prompt + shape_pair_flops * computed_prompt * (prompt_length - 0.5 * computed_prompt)) / (engine_gpus * 0.5 * peak_flops)`,
		Help:    "What the operations of a mean prompt take alone, attention included, at half of the peak.",
	},
	{
		ID: "prefill_over_predicted", Title: "over the predicted", Unit: Ratio, Level: Replica,
		Formula: `prefill_average / prefill_predicted`,
		Help:    "Up to 2 it is the arithmetic; from 3 on something else: a small token budget, prompts that share steps, the host.",
	},
	{ID: "told_token_budget", Title: "--max-num-batched-tokens, as told", Unit: Code, Level: Server, Setting: "told_token_budget", Help: "vLLM does not export it: max_num_batched_tokens in the configuration."},
	{ID: "sheet_token_budget", Title: "--max-num-batched-tokens, vLLM's default", Unit: Tokens, Level: Server, Setting: "sheet_token_budget", Enable: noSheet, Help: "For a server on such a GPU."},
	{
		ID: "chunk_tokens", Title: "longest chunk", Unit: Tokens, Level: Replica,
		Formula: `(told_token_budget or sheet_token_budget) - clamp_min((told_token_budget or sheet_token_budget) - prompt_tokens_p99, 0)`,
		Help:    "The token budget of a step, as told or by default; the longest prompts where they are shorter.",
	},
	{
		ID: "chunk_seconds", Title: "predicted chunk", Unit: Seconds, Level: Replica,
		Formula: `2 * shape_active * chunk_tokens / (engine_gpus * 0.5 * peak_flops)`,
		Help:    "What a step with the longest chunk takes, at half of the peak.",
	},
	{
		ID: "chunk_ratio", Title: "inter-token p99 over a chunk's time", Unit: Ratio, Level: Replica,
		Formula: `itl_p99 / chunk_seconds`,
		Help:    "0.5 to 2 where chunks of prefill hold up tokens.",
	},
	{
		ID: "chunk_agreement", Title: "inter-token p99 against a chunk's time", Unit: Share, Level: Replica,
		Formula: `chunk_ratio - clamp_min(chunk_ratio - 1 / chunk_ratio, 0)`,
		Help:    "The shorter of both over the longer: 50 % and more is agreement.",
	},
}
