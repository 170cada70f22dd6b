package diagnose

import "time"

// fromSource is the part of the prompt tokens that came from a source.
func fromSource(source string) string {
	return `sum by ($replica) (rate(vllm:prompt_tokens_by_source_total{source="` + source + `"}[$window]))` +
		` / sum by ($replica) (rate(vllm:prompt_tokens_by_source_total[$window]))`
}

// residency are the distributions of vLLM's sampled cache residency (--kv-cache-metrics).
var residency = []Distribution{
	{ID: "kv_idle_before_evict", Level: Replica, Unit: Seconds, Window: 5 * time.Minute, Expr: `sum by ($replica, le) (rate(vllm:kv_block_idle_before_evict_seconds_bucket[$window]))`},
	{ID: "kv_reuse_gap", Level: Replica, Unit: Seconds, Window: 5 * time.Minute, Expr: `sum by ($replica, le) (rate(vllm:kv_block_reuse_gap_seconds_bucket[$window]))`},
}

// cacheRows say where the KV of prompts comes from, and what finding it saves.
var cacheRows = []Signal{
	{ID: "found_here_share", Title: "prompt tokens found here", Unit: Share, Level: Replica, Expr: fromSource("local_cache_hit"), Help: "The part of the prompts that the engine's own prefix cache had."},
	{ID: "found_outside_share", Title: "prompt tokens from outside", Unit: Share, Level: Replica, Expr: fromSource("external_kv_transfer"), Help: "The part of the prompts whose KV came from a store or another server."},
	{
		ID: "computed_share", Title: "prompt tokens computed here", Unit: Share, Level: Replica,
		Formula: `clamp_max(computed_prompt_tokens_per_second / prompt_tokens_per_second, 1)`,
		Help:    "The part of the prompts that the engine computed: by source where vLLM tells it, else what the prefix cache missed.",
	},
	{
		ID: "prefix_saved_tokens", Title: "tokens found a prompt", Unit: Tokens, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:prefix_cache_hits_total[$window])) / (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window])) > 0)`,
		Help: "How many tokens of a prompt the prefix cache spares the engine.",
	},
	{
		ID: "prefill_seconds_per_token", Title: "prefill a computed token", Unit: Seconds, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:request_prefill_time_seconds_sum[$window])) / sum by ($replica) (rate(vllm:request_prefill_kv_computed_tokens_sum[$window]))`, Unless: "failed_loads",
		Help: "Time in prefill over the tokens that were computed in it, of finished requests.",
		Trap: "Prompts that are computed together have the same time each.",
	},
	{
		ID: "prefix_saved_seconds", Title: "prefill saved a prompt", Unit: Seconds, Level: Replica,
		Formula: `prefix_saved_tokens * prefill_seconds_per_token`,
		Help:    "How much later the first token would come if nothing were found.",
	},
	{
		ID: "prefix_missed_seconds", Title: "prefill of what was not found", Unit: Seconds, Level: Replica,
		Formula: `(prompt_length - prefix_saved_tokens) * prefill_seconds_per_token`,
		Help:    "How much earlier the first token could come at most if all were found.",
	},
	{
		ID: "admissions_half_hour", Title: "first tokens in 30 minutes", Unit: Count, Level: Replica, Window: 30 * time.Minute, Every: SlowInterval,
		Expr: `sum by ($replica) (increase(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "How many requests a judgement of half an hour rests on.",
	},
	{
		ID: "kv_peak", Title: "KV cache, highest in 2 minutes", Unit: Share, Level: Replica, Window: 2 * time.Minute,
		Expr: `max by ($replica) (max_over_time(vllm:kv_cache_usage_perc[$window]))`,
		Help: "The highest reading of two minutes: cached prefixes are overwritten at the peaks.",
	},
	{ID: "kv_idle_before_evict_p50", Title: "idle before eviction p50", Unit: Seconds, Level: Replica, Of: "kv_idle_before_evict", Take: Quantile(0.5), Help: "Half of the evicted KV blocks had not been used for this long at most."},
	{ID: "kv_reuse_gap_p50", Title: "reuse gap p50", Unit: Seconds, Level: Replica, Of: "kv_reuse_gap", Take: Quantile(0.5), Help: "Half of the KV blocks that were used again were so within this time.", Trap: "Blocks that were evicted first are not in it, so that the gap is longer in truth."},
	{
		ID: "evicted_too_soon", Title: "reuse gap / idle before eviction", Unit: Ratio, Level: Replica,
		Formula: `kv_reuse_gap_p50 / kv_idle_before_evict_p50 or 0 * running`,
		Help:    "Above 1 blocks are evicted before the time after which they are usually used again; no sign of it (0) where vLLM does not sample them (--kv-cache-metrics).",
	},
	{
		ID: "outside_queries", Title: "look-ups outside", Unit: TokensPerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:external_prefix_cache_queries_total[$window])) or 0 * max by ($replica) (vllm:num_requests_running)`,
		Help: "Tokens that were looked for outside the engine, by a KV connector; 0 without one.",
		Trap: "Since 0.16 without the tokens that were found here.",
	},
	{
		ID: "outside_hit_share", Title: "found outside of looked up", Unit: Share, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:external_prefix_cache_hits_total[$window])) / sum by ($replica) (rate(vllm:external_prefix_cache_queries_total[$window]))`,
		Help: "The part of the tokens looked for outside that was there.",
	},
	{
		ID: "outside_hit_before", Title: "found outside of looked up, best in 40 minutes", Unit: Share, Level: Replica, Window: 40 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (max_over_time((sum by ($replica) (rate(vllm:external_prefix_cache_hits_total[1m])) / (sum by ($replica) (rate(vllm:external_prefix_cache_queries_total[1m])) > 100))[$window:1m]))`,
		Help: "The same in the best minute of the last forty that looked for more than 100 tokens a second.",
	},
}
