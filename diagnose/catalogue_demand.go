package diagnose

import "time"

// twentyMinutesOfKV leaves out replicas whose KV cache has not been watched for twenty minutes.
const twentyMinutesOfKV = ` and max by ($replica) (last_over_time(vllm:kv_cache_usage_perc[1m] offset 19m))`

// modelLeft are the requests of a model's servers whose client left: answered by HTTP, and never finished by an engine.
const modelLeft = `sum by ($model) (group by ($server, model_name) (vllm:num_requests_running) * on ($server) group_left () ` +
	`clamp_min(sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST",status="2xx"}[$window])) - sum by ($server) (rate(vllm:request_success_total[$window])), 0))`

// demandRows say where a replica's load goes.
var demandRows = []Signal{
	{
		ID: "queue_growth", Title: "growth of the queue", Unit: PerSecond, Level: Replica, Window: 2 * time.Minute,
		Expr: `max by ($replica) (deriv(vllm:num_requests_waiting[$window]))`,
		Help: "How many more wait each second, fitted to two minutes.",
	},
	{
		ID: "in_flight_growth", Title: "growth of what is in hand", Unit: PerSecond, Level: Replica, Window: 2 * time.Minute,
		Expr: `max by ($replica) (deriv(vllm:num_requests_running[$window])) + max by ($replica) (deriv(vllm:num_requests_waiting[$window]))`,
		Help: "How many more requests run or wait each second, fitted to two minutes.",
	},
	{
		ID: "output_lowest", Title: "output tokens, slowest half minute in 3", Unit: TokensPerSecond, Level: Replica, Window: 3 * time.Minute,
		Expr: `min by ($replica) (min_over_time((sum by ($replica) (rate(vllm:generation_tokens_total[30s])))[$window:15s]))`,
		Help: "0 when the engine stood still meanwhile: what waits then is a backlog, and no demand.",
	},
	{
		ID: "left_here", Title: "requests whose client left, of this engine", Unit: PerSecond, Level: Replica,
		Formula: `left * finished_per_second / server_finished or 0 * finished_per_second`,
		Help:    "This engine's part, by what it finishes; 0 where HTTP counters are missing.",
	},
	{
		ID: "arrivals_per_second", Title: "arrivals", Unit: PerSecond, Level: Replica,
		Formula: `clamp_min(finished_per_second + left_here + in_flight_growth, 0)`,
		Help:    "Requests that come in: those that end, whatever way, and those by which the load in hand grows.",
	},
	{
		ID: "efficiency", Title: "finished of arrived", Unit: Share, Level: Replica,
		Formula: `clamp_max(finished_per_second / arrivals_per_second, 1)`,
		Help:    "What part of the arriving requests is finished: 95 % and more is healthy, below 70 % is critical.",
		Trap:    "While a batch fills with long answers less is finished than arrives, and nothing is wrong: with a queue that grows, it counts.",
	},
	{
		ID: "demand", Title: "demand of what is finished", Unit: Ratio, Level: Replica,
		Formula: `clamp_min((finished_per_second + left_here + clamp_min(queue_growth, 0)) / finished_per_second, 1)`,
		Help:    "What is finished, what clients take back and what the queue grows by, over what is finished: 1 while the queue does not grow.",
		Trap:    "Clients that wait for their answer before they ask again send more when they wait less.",
	},
	{
		// While a window is not full its delta falls as short as the rate beside it: 120 s of both.
		ID: "model_demand", Title: "demand of what is finished, all replicas", Unit: Ratio, Level: Model, Window: 2 * time.Minute,
		Expr: `1 + (sum by ($model) (clamp_min(delta(vllm:num_requests_waiting[$window]), 0) / 120) + (` + modelLeft + ` or 0 * sum by ($model) (vllm:num_requests_running)))
		       / (sum by ($model) (rate(vllm:request_success_total[$window])) > 0)`,
		Help: "What is finished, what clients take back and what the queues grow by, over what is finished.",
		Trap: "Clients that wait for their answer before they ask again send more when they wait less.",
	},
	{
		ID: "replicas_by_load", Title: "replicas for the load of now, by their safe load", Unit: Count, Level: Model,
		Formula: `clamp_min(ceil(model_running_steady * model_demand / safe_load), 1)`,
		Help:    "What would run on all replicas if nothing had to wait, over the safe load of one. What has piled up is no demand.",
	},
	{
		ID: "replicas_by_share", Title: "replicas for the load of now, by what today's finish", Unit: Count, Level: Model,
		Formula: `ceil(replicas * model_demand / 0.7)`,
		Help:    "As many as finish all that comes at the pace of today's, with 30 % to spare.",
	},
	{
		ID: "replicas_now", Title: "replicas for the load of now", Unit: Count, Level: Model,
		Formula: `replicas_by_load - clamp_min(replicas_by_load - replicas_by_share, 0)`,
		Help:    "The fewer of both: the safe load is what a replica carries at least, by what was seen so far.",
	},
	{
		ID: "replicas_asked", Title: "replicas that a growing queue asks for", Unit: Count, Level: Model,
		Formula: `(replicas_now or replicas) + clamp_min(replicas + 1 - (replicas_now or replicas), 0)`,
		Help:    "As many as the load of now takes, and one more than today at least: today's do not finish what comes.",
	},
	{
		ID: "finished_best_minute", Title: "finished requests, best whole minute in 10", Unit: PerSecond, Level: Replica, Window: 10 * time.Minute,
		Expr: `max by ($replica) (max_over_time((sum by ($replica) (rate(vllm:request_success_total[1m])))[$window:15s]))`,
		Help: "0 and more: in the first minute it counts what is missing as nothing.",
	},
	{
		ID: "finished_best", Title: "finished requests, best minute in 10", Unit: PerSecond, Level: Replica,
		Formula: `finished_best_minute + clamp_min(finished_per_second - finished_best_minute, 0)`,
		Help:    "What the replica was able to finish, this minute among them.",
	},
	{
		ID: "drain_time", Title: "time to drain the queue", Unit: Seconds, Level: Replica,
		Formula: `waiting / clamp_min(finished_best - arrivals_per_second, 0)`,
		Help:    "The queue over what is finished at best beyond what arrives: ∞ until the load falls.",
	},
	{
		ID: "client_timeout_in", Title: "time until a minute is waited", Unit: Seconds, Level: Replica,
		Formula: `clamp_min(60 * served_per_second - waiting, 0) / clamp_min(queue_growth, 0)`,
		Help:    "When the queue, growing as now, will be as long as the shortest usual time-out of clients (60 s): then they leave and come again.",
	},
	{
		// A resistant line: through the medians of the first and the last third of the window. One reading that is off moves it not.
		ID: "kv_rise", Title: "KV cache, rise a minute", Unit: Share, Level: Replica, Window: 20 * time.Minute, Every: SlowInterval,
		Expr: `clamp_min((max by ($replica) (quantile_over_time(0.5, vllm:kv_cache_usage_perc[400s]))
		         - max by ($replica) (quantile_over_time(0.5, vllm:kv_cache_usage_perc[400s] offset 800s))) / 800 * 60, 0)` + twentyMinutesOfKV,
		Help: "By the medians of the first and the last third of 20 minutes; 0 while it does not rise.",
	},
	{
		// The variance that a line explains: that of its values, slope² · window² / 12, over that of the readings.
		ID: "kv_fit", Title: "KV cache, how well a line fits", Unit: Share, Level: Replica, Window: 20 * time.Minute, Every: SlowInterval,
		Expr: `clamp_max(max by ($replica) (deriv(vllm:kv_cache_usage_perc[$window])) * max by ($replica) (deriv(vllm:kv_cache_usage_perc[$window])) * 1200 * 1200 / 12
		         / max by ($replica) (stdvar_over_time(vllm:kv_cache_usage_perc[$window])), 1)` + twentyMinutesOfKV,
		Help: "The part of the ups and downs of 20 minutes that a straight line explains.",
	},
	{
		ID: "kv_full_in", Title: "time until the KV cache is full", Unit: Seconds, Level: Replica,
		Formula: `60 * clamp_min(1 - kv_median, 0.0001) / kv_rise`,
		Help:    "The room that is left over the rise: ∞ while it does not rise.",
	},
	{
		ID: "free_kv_tokens", Title: "free KV cache", Unit: Tokens, Level: Replica,
		Formula: `(1 - kv_highest) * kv_capacity_tokens`,
		Help:    "Tokens that the cache has room for at its fullest.",
	},
	{ID: "prompt_tokens_p95", Title: "prompt p95", Unit: Tokens, Level: Replica, Of: "prompt_tokens", Take: Quantile(0.95), Help: "95 % of the prompts are this long at most."},
	{
		ID: "free_kv_of_prompt", Title: "free KV cache in long prompts", Unit: Ratio, Level: Replica,
		Formula: `free_kv_tokens / prompt_tokens_p95`,
		Help:    "How many prompts as long as one in twenty is still fit: below 1 the next of them waits.",
	},
	{
		ID: "demand_growth", Title: "admissions against a quarter of an hour ago", Unit: Ratio, Level: Replica, Window: 20 * time.Minute, Every: SlowInterval,
		Expr: `sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[5m])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[5m] offset 15m)) > 0)`,
		Help: "More than 1 where more requests come.",
	},
	{
		ID: "answer_growth", Title: "tokens an admission against a quarter of an hour ago", Unit: Ratio, Level: Replica, Window: 20 * time.Minute, Every: SlowInterval,
		Expr: `(sum by ($replica) (rate(vllm:generation_tokens_total[5m])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[5m])) > 0))
		       / (sum by ($replica) (rate(vllm:generation_tokens_total[5m] offset 15m)) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[5m] offset 15m)) > 0))`,
		Help: "More than 1 where answers become longer; it leads the lengths of finished answers.",
	},
}
