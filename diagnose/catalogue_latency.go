package diagnose

import "time"

// allDistributions are the histograms that quantiles and shares are read from.
var allDistributions = append([]Distribution{
	{ID: "ttft", Level: Replica, Unit: Seconds, Expr: `sum by ($replica, le) (rate(vllm:time_to_first_token_seconds_bucket[$window]))`},
	{ID: "itl", Level: Replica, Unit: Seconds, Expr: `sum by ($replica, le) (rate(vllm:inter_token_latency_seconds_bucket[$window]))`},
	{ID: "itl_steady", Level: Replica, Unit: Seconds, Window: steadyWindow, Expr: `sum by ($replica, le) (rate(vllm:inter_token_latency_seconds_bucket[$window]))`},
	{ID: "tpot", Level: Replica, Unit: Seconds, Expr: `sum by ($replica, le) (rate(vllm:request_time_per_output_token_seconds_bucket[$window]))`, Less: `sum by ($replica) ` + oneToken},
	{ID: "prompt_tokens", Level: Replica, Unit: Tokens, Window: 5 * time.Minute, Expr: `sum by ($replica, le) (rate(vllm:request_prompt_tokens_bucket[$window]))`},
	{ID: "output_tokens", Level: Replica, Unit: Tokens, Window: 5 * time.Minute, Expr: `sum by ($replica, le) (rate(vllm:request_generation_tokens_bucket[$window]))`},
}, sloDistributions()...)

// latencyRows say how long requests take, and where the time goes.
var latencyRows = []Signal{
	{
		ID: "slo_ttft", Title: "TTFT objective", Unit: Seconds, Level: Model, Setting: "slo_ttft",
		Help: "Requests are to have their first token within it, but for the share that may miss it (--slo).",
	},
	{
		ID: "slo_tpot", Title: "TPOT objective", Unit: Seconds, Level: Model, Setting: "slo_tpot",
		Help: "Requests are to have their tokens this far apart at most, but for the share that may miss it (--slo).",
	},
	{ID: "ttft_p50", Title: "TTFT p50", Unit: Seconds, Level: Replica, Of: "ttft", Take: Quantile(0.50), Help: "Half of the first tokens came within it.", Trap: ttftTrap},
	{ID: "ttft_p95", Title: "TTFT p95", Unit: Seconds, Level: Replica, Of: "ttft", Take: Quantile(0.95), Help: "95 % of the first tokens came within it.", Trap: ttftTrap},
	{ID: "ttft_p99", Title: "TTFT p99", Unit: Seconds, Level: Replica, Of: "ttft", Take: Quantile(0.99), Help: "99 % of the first tokens came within it.", Trap: ttftTrap},
	{ID: "ttft_slowest", Title: "slowest TTFT", Unit: Seconds, Level: Replica, Of: "ttft", Take: Slowest(), Help: "The slowest bucket that grew in the window."},
	{ID: "ttft_over_slo", Title: "TTFT over the objective", Unit: Share, Level: Replica, Of: "ttft", Take: ShareOver("slo_ttft"), Help: "The part of first tokens that came later than the objective; an interval where that is no bucket edge."},
	{
		ID: "ttft_late", Title: "late first tokens", Unit: Share, Level: Replica,
		Formula: `ttft_over_slo or 0 * running`,
		Help:    "The part of first tokens later than the objective for certain; 0 while there are none.",
	},
	{
		ID: "ttft_burn", Title: "TTFT misses / allowed", Unit: Ratio, Level: Replica,
		Formula: `ttft_late / slo_allowed`,
		Help:    "Above 1 more first tokens are late than the objective allows; 0 while there are none.",
	},
	{
		ID: "ttft_average_of_slo", Title: "TTFT average of the objective", Unit: Share, Level: Replica,
		Formula: `ttft_average / slo_ttft`,
		Help:    "The share over the objective is an interval where that is no bucket edge; this is exact.",
	},
	{
		ID: "ttft_average", Title: "TTFT average", Unit: Seconds, Level: Replica, Count: "admissions",
		Expr: `sum by ($replica) (rate(vllm:time_to_first_token_seconds_sum[$window])) / sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "Mean time to the first token. Exact, whatever the buckets are.", Trap: ttftTrap,
	},
	{ID: "itl_p50", Title: "inter-token p50", Unit: Seconds, Level: Replica, Of: "itl", Take: Quantile(0.50), Help: "Half of the outputs came within it after the one before.", Trap: itlTrap},
	{ID: "itl_p99", Title: "inter-token p99", Unit: Seconds, Level: Replica, Of: "itl", Take: Quantile(0.99), Help: "99 % of the outputs came within it after the one before.", Trap: itlTrap},
	{
		ID: "itl_p99_of_slo", Title: "inter-token p99 / TPOT objective", Unit: Ratio, Level: Replica,
		Formula: `itl_p99 / slo_tpot`,
		Help:    "How many objectives for tokens the pauses of an answer last: from two on a reader sees them.",
	},
	{ID: "itl_slowest", Title: "slowest inter-token", Unit: Seconds, Level: Replica, Of: "itl", Take: Slowest(), Help: "The slowest bucket that grew in the window."},
	{ID: "itl_over_slo", Title: "inter-token over the TPOT objective", Unit: Share, Level: Replica, Of: "itl", Take: ShareOver("slo_tpot"), Help: "The part of outputs that came later after the one before than the objective for tokens."},
	{
		ID: "itl_late", Title: "late tokens", Unit: Share, Level: Replica,
		Formula: `itl_over_slo or 0 * running`,
		Help:    "The part of outputs later after the one before than the objective for tokens, for certain; 0 while there are none.",
	},
	{
		ID: "itl_burn", Title: "inter-token misses / allowed", Unit: Ratio, Level: Replica,
		Formula: `itl_over_slo / slo_allowed`,
		Help:    "Above 1 more outputs come too late after the one before than the objective allows of requests.",
	},
	{
		ID: "itl_jitter", Title: "inter-token p99 / p50", Unit: Ratio, Level: Replica,
		Formula: `itl_p99 / itl_p50`,
		Help:    "How uneven tokens come: below 2 is even, from 4 on some steps carry something else.",
	},
	{ID: "tpot_p50", Title: "TPOT p50", Unit: Seconds, Level: Replica, Of: "tpot", Take: Quantile(0.50), Help: "Half of the finished requests had their tokens this far apart at most.", Trap: tpotTrap},
	{ID: "tpot_p95", Title: "TPOT p95", Unit: Seconds, Level: Replica, Of: "tpot", Take: Quantile(0.95), Help: "95 % of the finished requests had their tokens this far apart at most.", Trap: tpotTrap},
	{ID: "tpot_p99", Title: "TPOT p99", Unit: Seconds, Level: Replica, Of: "tpot", Take: Quantile(0.99), Help: "99 % of the finished requests had their tokens this far apart at most.", Trap: tpotTrap},
	{
		ID: "e2e_average", Title: "request average", Unit: Seconds, Level: Replica, Count: "finished",
		Expr: `sum by ($replica) (rate(vllm:e2e_request_latency_seconds_sum[$window])) / sum by ($replica) (rate(vllm:e2e_request_latency_seconds_count[$window]))`,
		Help: "Mean time from the request's arrival to its end, of finished requests.",
	},
	{
		ID: "queue_average", Title: "queue average", Unit: Seconds, Level: Replica, Count: "finished",
		Expr: `sum by ($replica) (rate(vllm:request_queue_time_seconds_sum[$window])) / sum by ($replica) (rate(vllm:request_queue_time_seconds_count[$window]))`, Unless: "failed_loads",
		Help: "Mean time from the scheduler to the first scheduling, of finished requests.",
		Trap: "Told when a request finishes, so it trails; the second wait after a preemption is in decode.",
	},
	{
		ID: "prefill_average", Title: "prefill average", Unit: Seconds, Level: Replica, Count: "finished",
		Expr: `sum by ($replica) (rate(vllm:request_prefill_time_seconds_sum[$window])) / sum by ($replica) (rate(vllm:request_prefill_time_seconds_count[$window]))`, Unless: "failed_loads",
		Help: "Mean time from the first scheduling to the first token, of finished requests.",
	},
	{
		ID: "inference_average", Title: "inference average", Unit: Seconds, Level: Replica, Count: "finished",
		Expr: `sum by ($replica) (rate(vllm:request_inference_time_seconds_sum[$window])) / sum by ($replica) (rate(vllm:request_inference_time_seconds_count[$window]))`, Unless: "failed_loads",
		Help: "Mean time from the first scheduling to the last token, of finished requests.",
	},
	{
		ID: "decode_average", Title: "decode average", Unit: Seconds, Level: Replica,
		Formula: `inference_average - prefill_average`,
		Help:    "Mean time from the first token to the last, of finished requests.",
	},
	{
		ID: "frontend_gap", Title: "frontend gap", Unit: Seconds, Level: Replica, Count: "finished",
		Formula: `clamp_min(e2e_average - queue_average - inference_average, 0)`,
		Help:    "Mean time outside the engine: template, tokenising, media, sockets, detokenising. Exact, since its parts are of the same finished requests.",
		Trap:    "It also grows when the engine stops or is in a long step, since requests then wait before the scheduler sees them.",
	},
	{
		ID: "frontend_gap_of_slo", Title: "frontend gap / TTFT objective", Unit: Ratio, Level: Replica,
		Formula: `frontend_gap / slo_ttft`,
		Help:    "1 when the frontend alone uses up the objective.",
	},
	{
		ID: "frontend_share", Title: "frontend share of the time to the first token", Unit: Share, Level: Replica,
		Formula: `frontend_gap / (frontend_gap + queue_average + prefill_average)`,
		Help:    "The part of the way to the first token that is spent outside the engine, of finished requests.",
	},
	{
		ID: "queue_share", Title: "queue share of the time to the first token", Unit: Share, Level: Replica,
		Formula: `queue_average / (frontend_gap + queue_average + prefill_average)`,
		Help:    "The part of the way to the first token that is spent in the queue, of finished requests.",
	},
	{
		ID: "prefill_share", Title: "prefill share of the time to the first token", Unit: Share, Level: Replica,
		Formula: `prefill_average / (frontend_gap + queue_average + prefill_average)`,
		Help:    "The part of the way to the first token that is spent in prefill, of finished requests.",
	},
	{ID: "prompt_tokens_p50", Title: "prompt p50", Unit: Tokens, Level: Replica, Of: "prompt_tokens", Take: Quantile(0.5), Help: "Half of the prompts are this long at most."},
	{ID: "prompt_tokens_p90", Title: "prompt p90", Unit: Tokens, Level: Replica, Of: "prompt_tokens", Take: Quantile(0.9), Help: "Nine of ten prompts are this long at most."},
	{ID: "prompt_tokens_p99", Title: "prompt p99", Unit: Tokens, Level: Replica, Of: "prompt_tokens", Take: Quantile(0.99), Help: "99 % of the prompts are this long at most."},
	{
		ID: "prompt_spread", Title: "prompt p99 / p50", Unit: Ratio, Level: Replica,
		Formula: `prompt_tokens_p99 / prompt_tokens_p50`,
		Help:    "From 10 on a few prompts are of another kind.",
	},
	{ID: "output_tokens_p90", Title: "output p90", Unit: Tokens, Level: Replica, Of: "output_tokens", Take: Quantile(0.9), Help: "Nine of ten answers are this long at most."},
	{
		ID: "output_tokens_average", Title: "output average", Unit: Tokens, Level: Replica, Count: "finished",
		Expr: `sum by ($replica) (rate(vllm:request_generation_tokens_sum[$window])) / sum by ($replica) (rate(vllm:request_generation_tokens_count[$window]))`,
		Help: "Mean tokens of a finished answer.",
	},
}

const (
	ttftTrap = "Observed at the first token, the queue included; while nothing gets in, nothing is observed. The network to the client is not in it."
	itlTrap  = "One observation an output, not a token: under speculation it is the time of a step."
	tpotTrap = "Observed when a request ends; an answer of one token counts as 0."
)
