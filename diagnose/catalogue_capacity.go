package diagnose

import "time"

// modelLoad is what all replicas of a model have in hand.
const modelLoad = `(sum by ($model) (vllm:num_requests_running) + sum by ($model) (vllm:num_requests_waiting))`

// capacityRows say how much of a model's replicas is needed.
var capacityRows = []Signal{
	{
		ID: "model_ttft_burn_if_known", Title: "certain TTFT misses / allowed", Unit: Ratio, Level: Model,
		Formula: `model_ttft_burn or 0 * load_mean`,
		Help:    "Above 1 more of the model's first tokens are late than the objective allows; 0 while there are none.",
	},
	{
		ID: "model_watched", Title: "watched for 20 minutes", Unit: YesNo, Level: Model,
		Expr: watchedSince("$model", "20m"),
		Help: "0 while the model is new: a quarter of an hour without requests says little of a server that is a quarter of an hour old.",
	},
	{
		ID: "model_running_p95", Title: "running on the busiest replica, p95 of 20 minutes", Unit: Count, Level: Model, Window: 20 * time.Minute, Every: SlowInterval,
		Expr: `max by ($model) (quantile_over_time(0.95, vllm:num_requests_running[$window]))`,
		Help: "No more ran on any replica at 95 % of the readings.",
	},
	{
		ID: "model_kv_p95", Title: "KV cache of the fullest replica, p95 of 20 minutes", Unit: Share, Level: Model, Window: 20 * time.Minute, Every: SlowInterval,
		Expr: `max by ($model) (quantile_over_time(0.95, vllm:kv_cache_usage_perc[$window]))`,
		Help: "No replica's cache was fuller at 95 % of the readings.",
	},
	{
		ID: "model_load_peak", Title: "most requests at once in 20 minutes", Unit: Count, Level: Model, Window: 20 * time.Minute, Every: SlowInterval,
		Expr: `max by ($model) (max_over_time(` + modelLoad + `[$window:15s]))`,
		Help: "Running and waiting over all replicas, at the busiest moment.",
	},
	{
		ID: "model_load_peak_hours", Title: "most requests at once in 6 hours", Unit: Count, Level: Model, Window: 6 * time.Hour, Every: SlowInterval,
		Expr: `max by ($model) (max_over_time(` + modelLoad + `[$window:1m]))`,
		Help: "The same over six hours, or as long as the data reach. A day has busier hours.",
	},
	{
		ID: "model_running_mean", Title: "running on a replica, mean of 10 minutes", Unit: Count, Level: Model, Window: 10 * time.Minute,
		Expr: `avg by ($model) (avg_over_time(vllm:num_requests_running[$window]))`,
		Help: "The mean batch of a replica, idle moments included.",
	},
	{
		ID: "model_kv_mean", Title: "KV cache of a replica, mean of 10 minutes", Unit: Share, Level: Model, Window: 10 * time.Minute,
		Expr: `avg by ($model) (avg_over_time(vllm:kv_cache_usage_perc[$window]))`,
		Help: "The mean usage, idle moments included.",
	},
	{
		ID: "model_itl", Title: "inter-token mean of 10 minutes", Unit: Seconds, Level: Model, Window: 10 * time.Minute,
		Expr: `sum by ($model) (rate(vllm:inter_token_latency_seconds_sum[$window])) / (sum by ($model) (rate(vllm:inter_token_latency_seconds_count[$window])) > 0)`,
		Help: "How far tokens come apart, over all replicas.", Trap: itlTrap,
	},
	{
		ID: "model_output_best", Title: "output tokens of a replica, best minute in 6 hours", Unit: TokensPerSecond, Level: Model, Window: 6 * time.Hour, Every: SlowInterval,
		Expr: `max by ($model) (max_over_time((sum by ($replica) (rate(vllm:generation_tokens_total[1m])))[$window:1m]))`,
		Help: "What a replica of the model has been seen to do, in as long as the data reach.",
	},
	{
		// With k times the batch a step takes at most k times as long: reading the weights is shared. So tokens come as fast as in the
		// busiest minute at least, and a batch may be as large as makes them come 30 % within the objective. What a larger batch brings is
		// not seen at little load, where the busiest minute says little; and as long as reading the weights is nearly all of a step, which
		// it is for batches far above 8 on every accelerator, eight cost what one costs.
		ID: "safe_load_by_tokens", Title: "safe load by the token objective", Unit: Count, Level: Model,
		Formula: `clamp_min(0.7 * slo_tpot * model_output_best, 8) or 8 + 0 * load_mean`,
		Help:    "How many requests a replica can run at least with tokens 30 % within their objective, by the tokens of its busiest minute; 8 where it was never busy.",
	},
	{
		ID: "safe_load_by_cache", Title: "safe load by the KV cache", Unit: Count, Level: Model,
		Formula: `0.8 * model_running_mean / model_kv_mean or safe_load_by_tokens`,
		Help:    "How many requests of the present context fill 80 % of a replica's cache.",
	},
	{
		ID: "safe_load_by_cap", Title: "safe load by the told cap", Unit: Count, Level: Model,
		Formula: `0.7 * told_sequence_cap or safe_load_by_tokens`,
		Help:    "70 % of --max-num-seqs where it was told for all servers.",
	},
	{
		ID: "safe_load_by_server", Title: "safe load by cache and cap", Unit: Count, Level: Model,
		Formula: `safe_load_by_cap - clamp_min(safe_load_by_cap - safe_load_by_cache, 0)`,
		Help:    "The less of both.",
	},
	{
		ID: "safe_load", Title: "safe load of a replica", Unit: Count, Level: Model, Rounded: true,
		Formula: `floor(clamp_min(safe_load_by_tokens - clamp_min(safe_load_by_tokens - safe_load_by_server, 0), 1))`,
		Help:    "How many requests a replica can run with 30 % to spare to the token objective and to a told --max-num-seqs, and 20 % of its KV cache.",
		Trap:    "Worked out from the load of now: longer prompts or answers make it less.",
	},
	{
		ID: "safe_load_used", Title: "busiest replica of its safe load", Unit: Share, Level: Model,
		Formula: `model_running_p95 / safe_load`,
		Help:    "Below 25 % no replica has a quarter of what it could do.",
	},
	{
		ID: "replicas_needed", Title: "replicas needed", Unit: Count, Level: Model,
		Formula: `clamp_min(ceil(model_load_peak / safe_load), 1)`,
		Help:    "The most requests at once in 20 minutes, over the safe load of a replica.",
	},
	{
		ID: "replicas_hours", Title: "most replicas in 6 hours", Unit: Count, Level: Model, Window: 6 * time.Hour, Every: SlowInterval,
		Expr: `max_over_time((count by ($model) (group by ($replica) (vllm:num_requests_running)))[$window:1m])`,
		Help: "How many engines served the model at once, in as long as the data reach.",
	},
	{
		ID: "replicas_by_peak_hours", Title: "replicas for the peak of 6 hours", Unit: Count, Level: Model,
		Formula: `clamp_min(ceil(model_load_peak_hours / safe_load), 1)`,
		Help:    "The same for the most requests at once in six hours, or as long as the data reach.",
	},
	{
		ID: "replicas_needed_hours", Title: "replicas needed in 6 hours", Unit: Count, Level: Model,
		Formula: `replicas_by_peak_hours - clamp_min(replicas_by_peak_hours - replicas_hours, 0)`,
		Help:    "No more than there were: those served it.",
	},
	{
		ID: "replicas_spare", Title: "replicas to spare", Unit: Count, Level: Model,
		Formula: `replicas - replicas_needed`,
		Help:    "How many more there are than needed.",
	},
	{
		ID: "idle_share", Title: "share of the replicas that is not needed", Unit: Share, Level: Model,
		Formula: `1 - clamp_max(replicas_needed / replicas, 1)`,
		Help:    "The part of the cost that is paid for nothing.",
	},
}
