package diagnose

import "time"

// tokenRows are about the work of the engine: tokens, steps, and what the prefix cache saves.
var tokenRows = []Signal{
	{
		ID: "generation_tokens_per_second", Title: "output tokens", Unit: TokensPerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:generation_tokens_total[$window]))`,
		Help: "Tokens generated, those of requests that are later cut included.",
	},
	{
		ID: "generation_tokens_before", Title: "output tokens, 10 minutes before", Unit: TokensPerSecond, Level: Replica, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (max_over_time((sum by ($replica) (rate(vllm:generation_tokens_total[1m])))[$window:1m]))`,
		Help: "The best minute of the last ten.",
	},
	{
		ID: "throughput_kept", Title: "output tokens of the best minute", Unit: Share, Level: Replica,
		Formula: `clamp_max(generation_tokens_per_second / generation_tokens_before, 1)`,
		Help:    "What is left of the throughput of the best minute in ten.",
	},
	{
		ID: "prompt_tokens_per_second", Title: "prompt tokens", Unit: TokensPerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:prompt_tokens_total[$window]))`,
		Help: "Prompt tokens of requests that reached their first token, cached ones included.",
		Trap: "A long prompt is counted as one lump at its first token.",
	},
	{
		ID: "local_prompt_tokens_per_second", Title: "prompt tokens by source: computed here", Unit: TokensPerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:prompt_tokens_by_source_total{source="local_compute"}[$window]))`,
		Help: "Prompt tokens that the engine computed itself.",
	},
	{
		ID: "computed_prompt_tokens_per_second", Title: "computed prompt tokens", Unit: TokensPerSecond, Level: Replica,
		Formula: `local_prompt_tokens_per_second or prompt_tokens_per_second * (1 - prefix_hit_share) or prompt_tokens_per_second`,
		Help:    "Real prefill work: by source where vLLM tells it, else what the prefix cache missed.",
	},
	{
		ID: "prefill_to_decode", Title: "computed prompt tokens per output token", Unit: Ratio, Level: Replica,
		Formula: `computed_prompt_tokens_per_second / generation_tokens_per_second`,
		Help:    "How much of the engine's work is prefill.",
	},
	{
		ID: "steps_per_second", Title: "engine steps", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:iteration_tokens_total_count[$window]))`,
		Help: "Steps that produced output.",
		Trap: "A step that only prefills part of a prompt is not counted; with several API processes a step counts more than once.",
	},
	{
		ID: "tokens_per_step", Title: "tokens per step", Unit: Tokens, Level: Replica, Window: 30 * time.Second,
		Expr: `sum by ($replica) (rate(vllm:iteration_tokens_total_sum[$window])) / sum by ($replica) (rate(vllm:iteration_tokens_total_count[$window]))`,
		Help: "Under more prefill than the device can do it equals the token budget of a step, which no metric tells.",
	},
	{
		ID: "step_tokens_per_request", Title: "tokens per step and running request", Unit: Ratio, Level: Replica,
		Formula: `tokens_per_step / running_mean`,
		Help:    "1 where every running request gets its next token; more where a step carries chunks of prompts.",
	},
	{
		ID: "decode_share", Title: "share of the batch that decodes", Unit: Share, Level: Replica,
		Formula: `clamp_max(generation_tokens_per_second / (steps_per_second * running_mean), 1)`,
		Help:    "The part of the running requests that gets a token in a step; the rest is in prefill.",
		Trap:    "Not for speculation, where a step gives several tokens.",
	},
	{
		ID: "prefix_queries", Title: "prefix cache look-ups", Unit: TokensPerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:prefix_cache_queries_total[$window]))`,
		Help: "Tokens looked up in the prefix cache.",
		Trap: "Some versions look a waiting request up again at each step, which flatters or spoils the quotient.",
	},
	{
		ID: "prefix_hit_share", Title: "prefix cache hits", Unit: Share, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:prefix_cache_hits_total[$window])) / sum by ($replica) (rate(vllm:prefix_cache_queries_total[$window]))`,
		Help: "The part of the looked-up tokens that was found.",
		Trap: "0 by 0 when the feature is off or nothing arrived: no data, not 0 %.",
	},
	{
		ID: "prefix_hit_short", Title: "prefix cache hits, last 20 s", Unit: Share, Level: Replica, Window: 20 * time.Second, Count: "prompts_lately",
		Expr: `sum by ($replica) (rate(vllm:prefix_cache_hits_total[$window])) / sum by ($replica) (rate(vllm:prefix_cache_queries_total[$window]))`,
		Help: "The same over 20 seconds, to see a fall early.",
	},
	{
		ID: "prompts_lately", Title: "first tokens, last 20 s", Unit: Count, Level: Replica,
		Formula: `20 * admissions_lately`,
		Help:    "How many requests that share rests on.",
	},
	{
		ID: "prefix_hit_before", Title: "prefix cache hits, best in 30 minutes", Unit: Share, Level: Replica, Window: 30 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (max_over_time((sum by ($replica) (rate(vllm:prefix_cache_hits_total[1m])) / (sum by ($replica) (rate(vllm:prefix_cache_queries_total[1m])) > 100))[$window:15s]))`,
		Help: "What the cache found in the best minute of the last thirty that looked up more than 100 tokens a second.",
	},
	{
		ID: "prefix_found", Title: "prompt tokens found, last 20 s", Unit: TokensPerSecond, Level: Replica, Window: 20 * time.Second,
		Expr: `sum by ($replica) (rate(vllm:prefix_cache_hits_total[$window]))`,
		Help: "Prompt tokens that did not have to be computed.",
	},
	{
		ID: "prefix_found_before", Title: "prompt tokens found, best in 30 minutes", Unit: TokensPerSecond, Level: Replica, Window: 30 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (max_over_time((sum by ($replica) (rate(vllm:prefix_cache_hits_total[1m])))[$window:15s]))`,
		Help: "The same in the best minute of the last thirty.",
	},
	{
		ID: "prefix_found_kept", Title: "prompt tokens found of before", Unit: Share, Level: Replica,
		Formula: `prefix_found / prefix_found_before`,
		Help:    "What is left of the tokens that were found before: it stays when new prompts of another kind come on top, and the hit share falls all the same.",
	},
	{
		ID: "prompt_length", Title: "prompt tokens per admission", Unit: Tokens, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:prompt_tokens_total[$window])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window])) > 0)`,
		Help: "The mean prompt of the requests that reached their first token.",
	},
	{
		ID: "prompt_length_before", Title: "prompt tokens per admission, usual in 30 minutes", Unit: Tokens, Level: Replica, Window: 30 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (quantile_over_time(0.25, (sum by ($replica) (rate(vllm:prompt_tokens_total[30s])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[30s])) > 0))[$window:15s]))`,
		Help: "The lower quarter of its minutes, so that it stays what it was while longer prompts come.",
	},
	{
		ID: "prompt_length_rise", Title: "prompt length against before", Unit: Ratio, Level: Replica,
		Formula: `prompt_length / prompt_length_before`,
		Help:    "Longer prompts share less, and no template has changed.",
	},
	{
		ID: "admissions_before", Title: "admissions, usual in 30 minutes", Unit: PerSecond, Level: Replica, Window: 30 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (quantile_over_time(0.25, (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[30s]))
		         and sum by ($replica) (rate(vllm:prefix_cache_queries_total[30s])) > 100)[$window:15s]))`,
		Help: "The lower quarter of its busy half minutes, so that it stays what it was while more requests come.",
	},
	{
		ID: "admissions_rise", Title: "admissions against before", Unit: Ratio, Level: Replica,
		Formula: `admissions_per_second / admissions_before`,
		Help:    "Other clients share less, and no template has changed.",
	},
	{
		ID: "prefix_hit_loss", Title: "prefix cache hits lost", Unit: Share, Level: Replica,
		Formula: `prefix_hit_before - prefix_hit_short`,
		Help:    "How many points fewer are found than before.",
	},
	{
		ID: "prefix_hit_kept", Title: "prefix cache hits of before", Unit: Share, Level: Replica,
		Formula: `prefix_hit_short / prefix_hit_before`,
		Help:    "What is left of the hit share of before.",
	},
}
