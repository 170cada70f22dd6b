package diagnose

import "time"

// workloadRows say what work the requests are, and what came of it.
var workloadRows = []Signal{
	{
		ID: "tpot_average", Title: "TPOT average", Unit: Seconds, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:request_time_per_output_token_seconds_sum[$window])) / sum by ($replica) (rate(vllm:request_time_per_output_token_seconds_count[$window]))
		       or sum by ($replica) (rate(vllm:inter_token_latency_seconds_sum[$window])) / sum by ($replica) (rate(vllm:inter_token_latency_seconds_count[$window]))`,
		Help: "How far apart a finished request's tokens came, or, where vLLM does not tell that, any tokens.", Trap: tpotTrap,
	},
	{
		ID: "request_deviation", Title: "TTFT and tokens against the whole request", Unit: Share, Level: Replica, Count: "finished",
		Formula: `(ttft_average + clamp_min(output_tokens_average - 1, 0) * tpot_average) / e2e_average - 1`,
		Help:    "How far TTFT + (N - 1) × TPOT is from the whole request, by their means: near 0 the figures belong together.",
		Trap:    "First tokens are told before requests end: while waits change, or where long answers are also slower, the two differ.",
	},
	{
		ID: "prompt_per_output", Title: "prompt tokens per output token of a request", Unit: Ratio, Level: Replica,
		Formula: `prompt_length / output_tokens_average`,
		Help:    "Above 8 the work is reading, below 0.5 it is writing.",
	},
	{
		ID: "prefill_of_work", Title: "prefill of the time in the engine", Unit: Share, Level: Replica, Count: "finished",
		Formula: `prefill_average / inference_average`,
		Help:    "The part of the time between first scheduling and last token that comes before the first token.",
	},
	{
		ID: "decode_of_work", Title: "decode of the time in the engine", Unit: Share, Level: Replica, Count: "finished",
		Formula: `1 - prefill_of_work`,
		Help:    "The part of the time between first scheduling and last token that comes after the first token.",
	},
	{
		ID: "finished_well_per_second", Title: "successful requests", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:request_success_total{finished_reason=~"stop|length"}[$window]))`,
		Help: "Requests that ended with a stop or at their length.",
	},
	{
		ID: "server_stopped", Title: "requests that ended with a stop", Unit: PerSecond, Level: Server,
		Expr: `sum by ($server) (rate(vllm:request_success_total{finished_reason="stop"}[$window]))`,
		Help: "Answers that the model ended itself.",
	},
	{
		ID: "stop_share", Title: "ended with a stop, of requests taken in", Unit: Share, Level: Server, Count: "http_requests",
		Formula: `server_stopped / (server_finished + clamp_min(left or 0 * server_finished, 0) + (http_server_errors or 0 * server_finished))`,
		Help:    "Of all that finished, was cut by its client, or failed with 5xx: the stricter form of success, which has no answer in it that was cut at its length.",
	},
	{
		ID: "wasted_tokens_per_second", Title: "tokens of unfinished answers", Unit: TokensPerSecond, Level: Server, Window: 5 * time.Minute,
		Expr: `clamp_min(sum by ($server) (rate(vllm:generation_tokens_total[$window])) - sum by ($server) (rate(vllm:request_generation_tokens_sum[$window])), 0)`,
		Help: "Tokens generated less those of finished answers: what was computed for clients that left.",
		Trap: "While more requests run than before, the tokens of answers that go on are in it.",
	},
}

// workSignals are what a workload is told from.
var workSignals = []string{
	"prompt_length", "output_tokens_average", "prompt_per_output", "frontend_gap", "queue_average", "prefill_average", "decode_average", "e2e_average",
	"request_deviation", "prefill_of_work", "decode_of_work", "success_share", "stop_share", "left_share", "finished_per_second", "finished_well_per_second", "wasted_tokens_per_second",
}
