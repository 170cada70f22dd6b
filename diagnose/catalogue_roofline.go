package diagnose

import "time"

// rooflineRows say how long a step takes at least, and how near the engine comes to that. Their assumptions: 85 % of the memory
// bandwidth and 55 % of the operations can be reached, tensor parallelism divides the work evenly and costs nothing, one API process
// counts the steps.
var rooflineRows = []Signal{
	{
		ID: "weights_read", Title: "weights a step", Unit: Bytes, Level: Replica,
		// The last term is nothing, or 0 by 0 where data-parallel ranks share the experts: who reads which is not known then.
		Formula: `shape_step_bytes + shape_expert_bytes * (1 - shape_idle ^ clamp_min(running_mean, 1)) + 0 / (1 - clamp_max(shape_expert_bytes * (engines - 1), 1))`,
		Help:    "All weights, of experts those that any running request is routed to.",
	},
	{
		ID: "context_held", Title: "context in the KV cache", Unit: Tokens, Level: Replica,
		Formula: `kv_median * kv_capacity_tokens`,
		Help:    "Tokens whose blocks live requests hold; what they share is there once.",
	},
	{
		ID: "context_by_length", Title: "context by length", Unit: Tokens, Level: Replica,
		Formula: `running_mean * (prompt_length + output_tokens_average / 2)`,
		Help:    "Running requests with their whole prompt and half of their answer.",
	},
	{
		ID: "context_read", Title: "context read in a step", Unit: Tokens, Level: Replica,
		Formula: `context_held + clamp_min(context_by_length - context_held, 0) * (prefix_hit_share or 0 * running_mean) or context_held`,
		Help:    "Tokens that running requests attend to. What they share is stored once and read by each: that part is estimated by their length.",
		Trap:    "An estimate. Layers with a sliding window read less.",
	},
	{
		ID: "kv_token_bytes", Title: "KV of a token", Unit: Bytes, Level: Replica,
		Formula: `shape_kv_bytes * (kv_number_share or 1 + 0 * running_mean)`,
		Help:    "In the precision of the KV cache.",
	},
	{
		ID: "kv_read", Title: "KV a step", Unit: Bytes, Level: Replica,
		Formula: `context_read * kv_token_bytes`,
		Help:    "Keys and values of the context that running requests attend to.",
	},
	{
		ID: "kv_part", Title: "KV of the bytes", Unit: Share, Level: Replica,
		Formula: `kv_read / (kv_read + weights_read)`,
		Help:    "Above a half contexts make steps long, below it weights do.",
	},
	{
		ID: "step_memory", Title: "step floor of memory", Unit: Seconds, Level: Replica,
		Formula: `memory_traffic / (steps_per_second * 0.85 * sheet_bandwidth) or (weights_read + kv_read) / (engine_gpus * 0.85 * sheet_bandwidth)`,
		Help:    "What reading weights and KV takes at 85 % of the bandwidth: by vLLM's estimates, else by the model's size.",
	},
	{
		ID: "step_arithmetic", Title: "step floor of arithmetic", Unit: Seconds, Level: Replica,
		Formula: `flops_counted / (steps_per_second * 0.55 * peak_flops)
		          or 2 * shape_active * (computed_prompt_tokens_per_second + generation_tokens_per_second) / (steps_per_second * engine_gpus * 0.55 * peak_flops)`,
		Help: "What the operations of a mean step take at 55 % of the peak, prompts included.",
	},
	{
		ID: "step_floor", Title: "step floor", Unit: Seconds, Level: Replica,
		Formula: `step_memory + clamp_min(step_arithmetic - step_memory, 0)`,
		Help:    "The longer of memory's and arithmetic's: a step of this batch cannot be shorter on this hardware.",
		Trap:    "An estimate: 85 % of the bandwidth, 55 % of the operations, work divided evenly, nothing for the host and for links.",
	},
	{
		ID: "step_over_floor", Title: "step over floor", Unit: Ratio, Level: Replica,
		Formula: `itl_average / step_floor`,
		Help:    "Near 1 the hardware is the limit; from 3 on it waits for something: the host, a link, another process.",
	},
	{
		ID: "hbm_counted", Title: "memory limit by vLLM's estimate", Unit: Share, Level: Replica,
		Formula: `memory_traffic / (0.85 * sheet_bandwidth)`,
		Help:    "Estimated bytes of what can be reached.",
	},
	{
		ID: "hbm_measured", Title: "memory limit by its interface", Unit: Share, Level: Server,
		Formula: `dram_active / 0.85`,
		Help:    "Busy cycles of the memory interface of what can be reached.",
	},
	{
		ID: "hbm_computed", Title: "memory limit by the model's size", Unit: Share, Level: Replica,
		// The last term is nothing, or 0 by 0 where less than 80 % of the batch decodes in a counted step.
		Formula: `steps_per_second * (weights_read + kv_read) / (engine_gpus * 0.85 * sheet_bandwidth) + 0 / clamp_min(decode_share - 0.8, 0)`,
		Help:    "Bytes of a step times steps of what can be reached; not where prompts take much of the steps, or several API processes count them.",
	},
	{
		ID: "hbm_share", Title: "of memory's limit", Unit: Share, Level: Replica,
		Formula: `hbm_measured or hbm_counted or hbm_computed`,
		Help:    "How much of the bandwidth that can be reached is used: as measured, else by vLLM's estimates, else worked out of the model's size.",
	},
	{
		ID: "mfu_share", Title: "MFU", Unit: Share, Level: Replica,
		Formula: `flops_counted / peak_flops or 2 * shape_active * (computed_prompt_tokens_per_second + generation_tokens_per_second) / (engine_gpus * peak_flops)`,
		Help:    "Useful operations of the peak of the data sheet (model FLOP utilisation): by vLLM's estimates, else by the model's size. 50 to 60 % is what large products reach.",
	},
	{
		ID: "crossover_batch", Title: "crossover batch", Unit: Count, Level: Replica,
		Formula: `peak_flops * shape_bytes / (2 * sheet_bandwidth)`,
		Help:    "B*, the batch below which reading weights takes longer than multiplying with them. Attention stays bound by memory.",
	},
	{
		ID: "throughput_elasticity", Title: "elasticity, 15 min", Unit: Ratio, Level: Replica, Window: 15 * time.Minute, Every: SlowInterval,
		Expr: `(max by ($replica) (avg_over_time((` + logBatch + ` * ` + logTokens + `)[$window:$sixtieth])) - max by ($replica) (avg_over_time((` + logBatch + ` and ` + logTokens + `)[$window:$sixtieth])) * max by ($replica) (avg_over_time((` + logTokens + ` and ` + logBatch + `)[$window:$sixtieth])))` +
			` / (max by ($replica) (stdvar_over_time((` + logBatch + ` and ` + logTokens + `)[$window:$sixtieth])) > 0.04)`,
		Help: "By how many per cent tokens grew when the batch grew by one, while requests waited: near 1 there is room, below 0.2 there is none.",
		Trap: "Told only where the batch moved by a fifth and more in that time.",
	},
}

// The logarithms of what ran while requests waited, and of tokens in and out. Before anything waits, every request more brings tokens.
const (
	logBatch  = `(ln(max by ($replica) (avg_over_time(vllm:num_requests_running[1m])) > 0) and max by ($replica) (avg_over_time(vllm:num_requests_waiting[1m])) >= 1)`
	logTokens = `ln(sum by ($replica) (rate(vllm:prompt_tokens_total[1m])) + sum by ($replica) (rate(vllm:generation_tokens_total[1m])) > 0)`
)
