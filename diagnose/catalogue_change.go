package diagnose

import "time"

// changeRows are about what clients ask for, and how it changes.
var changeRows = []Signal{
	{
		ID: "model_requests", Title: "admissions in 5 minutes", Unit: Count, Level: Model, Window: 5 * time.Minute,
		Expr: `sum by ($model) (increase(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "How many requests the lengths of five minutes rest on.",
	},
	{
		ID: "answer_tokens", Title: "tokens an admission", Unit: Tokens, Level: Model, Window: 5 * time.Minute, Count: "model_requests",
		Expr: `sum by ($model) (rate(vllm:generation_tokens_total[$window])) / sum by ($model) (rate(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "Tokens generated for each request that reached its first one. It rises while longer answers are still on their way, before any of them ends.",
		Trap: "While fewer and fewer requests come, those that are still answered make it too high.",
	},
	{
		ID: "answer_tokens_rise", Title: "tokens an admission, now / before", Unit: Ratio, Level: Model,
		Formula: `answer_tokens / answer_tokens_before`,
		Help:    "How many times as long answers are.",
	},
	{
		ID: "finished_answer_tokens", Title: "output average, model", Unit: Tokens, Level: Model, Window: 5 * time.Minute,
		Expr: `sum by ($model) (rate(vllm:request_generation_tokens_sum[$window])) / sum by ($model) (rate(vllm:request_generation_tokens_count[$window]))`,
		Help: "Mean tokens of a finished answer: it follows by the time that an answer takes.",
	},
	{
		ID: "prompt_mean", Title: "prompt average", Unit: Tokens, Level: Model, Window: 5 * time.Minute, Count: "model_requests",
		Expr: `sum by ($model) (rate(vllm:prompt_tokens_total[$window])) / sum by ($model) (rate(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "Mean prompt of the requests that reached their first token.",
	},
	{
		ID: "prompt_mean_rise", Title: "prompt average, now / before", Unit: Ratio, Level: Model,
		Formula: `prompt_mean / prompt_mean_before`,
		Help:    "How many times as long prompts are, in the mean, which a few long ones raise.",
	},
	{
		ID: "prompt_middle", Title: "prompt p50, model", Unit: Tokens, Level: Model, Window: 5 * time.Minute,
		Expr: `histogram_quantile(0.5, sum by ($model, le) (rate(vllm:request_prompt_tokens_bucket[$window])))`,
		Help: "Half of the prompts are this long at most.",
		Trap: "Where its bucket is wide, how far it moved is uncertain; that it moved is not.",
	},
	{
		ID: "prompt_middle_rise", Title: "prompt p50, now / before", Unit: Ratio, Level: Model,
		Formula: `prompt_middle / prompt_middle_before`,
		Help:    "1 while only a few long prompts came to others: usual prompts are as they were.",
	},
	{
		ID: "answers_asked", Title: "answers asked for by a request (n)", Unit: Ratio, Level: Model, Window: 5 * time.Minute,
		Expr: `sum by ($model) (rate(vllm:request_params_n_sum[$window])) / sum by ($model) (rate(vllm:request_params_n_count[$window]))`,
		Help: "The mean parameter n of finished requests: each answer is a sequence of its own in the batch.",
	},
	{
		ID: "answers_asked_rise", Title: "answers asked for by a request, now / before", Unit: Ratio, Level: Model,
		Formula: `answers_asked / answers_asked_before`,
		Help:    "How many times as many answers a request asks for.",
	},
	{
		ID: "model_arrivals", Title: "arrivals, model", Unit: PerSecond, Level: Model,
		Expr: `sum by ($model) (` + replicaArrivals + `)`,
		Help: "First tokens and growth of the queues: the requests a second that come, as far as metrics tell.",
	},
	{
		ID: "model_running", Title: "running, model", Unit: Count, Level: Model,
		Expr: `sum by ($model) (max by ($replica) (avg_over_time(vllm:num_requests_running[$window])))`,
		Help: "Requests in the batches of all replicas, mean of the window.",
	},
	{
		ID: "model_kv", Title: "KV cache, mean of the replicas", Unit: Share, Level: Model,
		Expr: `avg by ($model) (max by ($replica) (avg_over_time(vllm:kv_cache_usage_perc[$window])))`,
		Help: "How full the KV caches are, mean of the window.",
	},
	{
		ID: "running_dispersion", Title: "dispersion of running, 5 minutes", Unit: Ratio, Level: Replica, Window: 5 * time.Minute,
		Expr: `max by ($replica) (stdvar_over_time(vllm:num_requests_running[$window])) / max by ($replica) (avg_over_time(vllm:num_requests_running[$window]))`,
		Help: "Variance over mean of the running requests: about 1 when they come by themselves, near 0 when something lets no more in than a fixed number.",
		Trap: "Clients that send again as soon as they are answered look the same as a pool of connections.",
	},
	{
		ID: "watched_from", Title: "time of the first scrape in 15 minutes", Unit: Timestamp, Level: Target, Window: settledWindow, Ungated: true,
		Expr: `min by ($target) (min_over_time(timestamp(up)[$window:$sixtieth]))`,
		Help: "Up to when the life of the process before the last 15 minutes lasted, where the target was not watched for so long.",
	},
	{
		ID: "lived_before", Title: "uptime before", Unit: Seconds, Level: Server,
		Formula: `uptime - (last_scrape - watched_from)`,
		Help:    "How long the process had lived before the last 15 minutes, or before the first scrape.",
	},
	{
		ID: "admissions_kept", Title: "admissions of before", Unit: Share, Level: Replica,
		Formula: `admissions_per_second / admission_rate_before`,
		Help:    "What is left of the admissions of before.",
	},
	{
		ID: "output_kept", Title: "output tokens of before", Unit: Share, Level: Replica,
		Formula: `generation_tokens_per_second / output_rate_before`,
		Help:    "What is left of the throughput of before.",
	},
	{
		ID: "ttft_average_rise", Title: "TTFT average, now / before", Unit: Ratio, Level: Replica,
		Formula: `ttft_average / ttft_average_before`,
		Help:    "How much later first tokens come than before.",
	},
	{
		ID: "itl_average_rise", Title: "inter-token average, now / before", Unit: Ratio, Level: Replica,
		Formula: `itl_average / itl_average_before`,
		Help:    "How much longer a step takes than before, at the same load where that was watched.",
	},
	{
		ID: "itl_rise_if_known", Title: "inter-token average against before", Unit: Ratio, Level: Replica,
		Formula: `itl_average_rise or 0 * itl_average`,
		Instead: map[float64]string{0: "not known"},
		Help:    "The same, and 0 where nothing is known of before: then it tells nothing against a cause.",
	},
	{
		ID: "left_by_counts", Title: "requests cut after their first token", Unit: PerSecond, Level: Server,
		Expr: `clamp_min(sum by ($server) (rate(vllm:time_to_first_token_seconds_count[$window])) - sum by ($server) (rate(vllm:e2e_request_latency_seconds_count[$window]))` +
			` - sum by ($server) (deriv(vllm:num_requests_running[$window])), 0)`,
		Help: "First tokens less finished requests, less what the batch grew by: requests that began and never ended.",
		Trap: "Inferred from three families that differ by a request or two; a prompt that is still being computed hides one.",
	},
}
