package diagnose

import "time"

// cacheRules ask whether the prefix cache helps.
var cacheRules = []Rule{
	{
		Code: "G2", Name: "PREFIX_COLLAPSED", Title: "prefix cache hits collapsed", Level: Replica, Severity: Warning, Hold: 10 * time.Minute,
		When: All{
			Is{"prefix_hit_loss", AtLeast, 0.15, Judgement},
			Is{"prefix_hit_kept", AtMost, 0.5, Judgement},
			Is{"prefix_found_kept", AtMost, 0.6, Judgement},
			Is{"prefix_queries", AtLeast, 100, Judgement},
			Is{"prompt_length_rise", Below, 1.5, Judgement},
			Is{"admissions_rise", Below, 2, Judgement},
		},
		Explains: map[Match][]string{SameReplica: {"D4", "D7", "E2", "E4", "I4"}, SameServer: {"I5"}},
		Cases: []Case{{
			If:       All{Is{"kv_median", AtLeast, 0.85, Stated(communitySet)}},
			Name:     "evicted",
			Sentence: "The prefix cache finds {prefix_hit_short} of the prompt tokens, {prefix_hit_before} before: the KV cache is full ({kv_usage}) and evicts them.",
			Actions:  []Action{{Restart, "give KV more memory, or offload it; shard prefixes over replicas by affinity", "prefix_hit_short"}},
		}, {
			If:       All{Is{"kv_median", Above, 0.60, Stated(communitySet)}},
			Name:     "evicted or changed",
			Sentence: "The prefix cache finds {prefix_hit_short} of the prompt tokens, {prefix_hit_before} before. The KV cache is neither full nor empty ({kv_usage}): either it evicts them, or the template or the routing changed.",
		}},
		Sentence:   "The prefix cache finds {prefix_hit_short} of the prompt tokens, {prefix_hit_before} before, with room in the KV cache ({kv_usage}): the template or the routing changed.",
		RuledOut:   []Because{{"D4", "waiting_for_room"}},
		Evidence:   []string{"prefix_queries", "computed_prompt_tokens_per_second", "prefill_average", "ttft_average"},
		Confidence: 0.8,
		Actions: []Action{
			{Now, "compare what was deployed: prompt template, router affinity, adapters; put what all prompts share first", "prefix_hit_short"},
		},
		Settle: "two prompts in a row from one client: what do they share?",
		Source: "community rule sets; vLLM's source",
	},
}
