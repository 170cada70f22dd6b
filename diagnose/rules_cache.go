package diagnose

import "time"

// hitsFell says that the prefix cache finds much less than it did, of prompts that are as long and come as often.
var hitsFell = All{
	// Of 20 seconds a little of it is chance: a day would take 0.15.
	Is{"prefix_hit_loss", AtLeast, 0.2, Judgement},
	Is{"prefix_hit_kept", AtMost, 0.5, Judgement},
	Is{"prefix_found_kept", AtMost, 0.6, Judgement},
	Is{"prefix_queries", AtLeast, 100, Judgement},
	// What a few prompts share with those before is chance, and the best minute was the luckiest.
	Is{"prompts_lately", AtLeast, 10, Judgement},
	Is{"prompt_length_rise", Below, 1.5, Judgement},
	Is{"admissions_rise", Below, 2, Judgement},
}

// cacheRules ask whether the prefix cache, caches outside and speculation help.
var cacheRules = []Rule{
	{
		Code: "G3", Name: "PREFIX_EVICTED", Title: "shared prefixes are evicted", Level: Replica, Severity: Warning, Hold: 5 * time.Minute,
		When: Any{
			All{hitsFell, Is{"kv_peak", AtLeast, 0.85, Stated(communitySet)}},
			All{
				Is{"prefix_queries", AtLeast, 100, Judgement},
				Is{"prefix_hit_share", Below, 0.5, Judgement},
				Is{"evicted_too_soon", Above, 1, Judgement},
			},
		},
		Mild:     replicaInTime,
		Supports: []Is{{"evicted_too_soon", Above, 1, Judgement}},
		Explains: map[Match][]string{SameReplica: {"D4", "D7", "E2", "E4", "E5", "G1", "G2", "I4"}, SameServer: {"I5"}},
		RuledOut: []Because{{"D1", "preemptions_per_admission"}},
		Cases: []Case{{
			If:       All{Is{"kv_peak", Below, 0.85, Stated(communitySet)}},
			Sentence: "KV blocks are evicted after {kv_idle_before_evict_p50} without use, and those that are used again are so after {kv_reuse_gap_p50}: the prefix cache finds {prefix_hit_share} of the prompt tokens.",
		}},
		Sentence:   "The prefix cache finds {prefix_hit_short} of the prompt tokens, {prefix_hit_before} before: live requests hold up to {kv_peak} of the KV cache and overwrite what others share.",
		Evidence:   []string{"prefix_queries", "found_here_share", "computed_share", "prefix_saved_tokens", "prefix_saved_seconds", "context_tokens", "kv_idle_before_evict_p50", "kv_reuse_gap_p50", "ttft_average"},
		Confidence: 0.7,
		Actions: []Action{
			{Now, "send what shares a prefix to one replica, and requests with long contexts of their own ({context_tokens} each) to another", "prefix_hit_short"},
			{Restart, "give KV more memory (fp8 KV cache, --gpu-memory-utilization), or a tier behind it (--kv-offloading-size); fewer sequences at once", "kv_peak"},
		},
		Settle: "vllm:kv_block_idle_before_evict_seconds against vllm:kv_block_reuse_gap_seconds (start with --kv-cache-metrics)",
		Source: "vLLM's source: free blocks are overwritten, oldest first; community rule sets",
	},
	{
		Code: "G2", Name: "PREFIX_COLLAPSED", Title: "prefix cache hits collapsed", Level: Replica, Severity: Warning, Hold: 10 * time.Minute,
		When:     hitsFell,
		Explains: map[Match][]string{SameReplica: {"D4", "D7", "E2", "E4", "I4"}, SameServer: {"I5"}},
		Cases: []Case{{
			If:       All{Is{"uptime", Below, 900, Judgement}},
			Name:     "cold cache",
			Sentence: "The prefix cache finds {prefix_hit_short} of the prompt tokens, {prefix_hit_before} before: the process runs for {uptime} and has to compute what prompts share once more.",
			Actions:  []Action{{Now, "wait until the cache is warm; send what shares a prefix to the replicas that have it meanwhile", "prefix_hit_short"}},
		}, {
			If:       All{Is{"kv_median", Above, 0.60, Stated(communitySet)}},
			Name:     "evicted or changed",
			Sentence: "The prefix cache finds {prefix_hit_short} of the prompt tokens, {prefix_hit_before} before. With {kv_usage} of the KV cache in use it may evict them, or the template or the routing changed.",
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
	{
		Code: "G5", Name: "EXTERNAL_KV_USELESS", Title: "external KV cache finds nothing", Level: Replica, Severity: Warning, Hold: 30 * time.Minute,
		When: All{
			Is{"outside_queries", AtLeast, 100, Judgement},
			Is{"prefill_node", AtMost, 0, InSource},
			Is{"outside_hit_share", Below, 0.05, Judgement},
			// Where KV comes from another server, what does not come is a transfer that failed (H1).
			Is{"transfers_on", AtMost, 0, InSource},
		},
		Mild:     replicaInTime,
		Explains: map[Match][]string{SameReplica: {"D4", "D7", "E2", "E4", "E5", "G1", "I4"}},
		Cases: []Case{{
			If:       All{Is{"outside_hit_before", AtLeast, 0.1, Judgement}},
			Name:     "no longer",
			Sentence: "{outside_hit_share} of the tokens looked for outside are found, {outside_hit_before} before: the store has lost them, or others fill it.",
		}},
		Sentence:   "{outside_queries} are looked for outside the engine, and {outside_hit_share} of them are found: the look-ups cost time and save none.",
		Evidence:   []string{"outside_queries", "found_here_share", "found_outside_share", "computed_share", "computed_prompt_tokens_per_second", "prefill_average", "ttft_average"},
		Confidence: 0.5,
		Actions: []Action{
			{Now, "look at the store: does it answer, how full is it, who else writes to it, how long do entries live?", "outside_hit_share"},
			{Restart, "give this model a part of its own, or start the engine without the connector", "outside_hit_share"},
		},
		Settle: "the store's own hit and eviction figures; one prompt sent twice, ten minutes apart",
		Source: "vLLM's source: KV connector look-ups",
	},
	{
		Code: "G4", Name: "SPEC_LOSS", Title: "speculation may not pay", Level: Replica, Severity: Warning, Hold: 10 * time.Minute,
		When: All{
			Is{"speculates", AtLeast, 1, InSource},
			Is{"drafts_per_second", AtLeast, 1.67, Judgement}, // a thousand in the ten minutes
			Any{
				Is{"draft_cost_allowed", Below, 0, Stated(leviathan)},
				All{Is{"drafted_share", AtLeast, 0.9, Judgement}, Is{"draft_cost_allowed", Below, draftModelCost, Judgement}},
			},
		},
		Mild:     modelInTime,
		Supports: []Is{{"acceptance", Below, 0.5, Stated(communitySet)}, {"draft_cost_allowed", Below, 0.05, Judgement}},
		Against:  []Is{{"draft_cost_allowed", AtLeast, 0.10, Judgement}},
		Explains: map[Match][]string{SameReplica: {"D7", "E5", "I4"}, SameModel: {"E6"}, SameServer: {"I5"}},
		Cases: []Case{{
			If:       All{Is{"draft_cost_allowed", Below, 0, Stated(leviathan)}},
			Name:     "no draft pays at this batch",
			Sentence: "With {running_mean} running, a step that verifies drafts of {draft_length} takes {verify_cost} times as long as one without and brings {tokens_per_draft} tokens for one ({acceptance} stand): at this batch that never pays, not even with proposals that cost nothing.",
			Actions: []Action{
				{Restart, "turn speculation off for batches of this size, or altogether, and compare the time per output token", "tpot_p50"},
				{Restart, "or propose fewer tokens (num_speculative_tokens), which verifies faster: {useful_draft_length} positions are worth a proposal", "tokens_per_draft"},
			},
		}, {
			If:       All{Is{"acceptance_kept", AtMost, 0.6, Judgement}},
			Name:     "fewer proposals stand",
			Sentence: "{acceptance} of the proposed tokens stand, {acceptance_before} before: a step brings {tokens_per_draft} tokens for {draft_length} proposed, which pays while a proposal costs less than {draft_cost_allowed} of a step (n-grams nothing, a head such as EAGLE 5 %, a small model 10 to 15 %).",
			Actions: []Action{
				{Now, "see what the clients changed: a higher temperature is the usual cause, another language or task the next; vLLM exports neither", "acceptance"},
				{Restart, "lower num_speculative_tokens to about {useful_draft_length}, or take a drafter that was trained on such text", "tokens_per_draft"},
			},
		}},
		Sentence:   "A step brings {tokens_per_draft} tokens for {draft_length} proposed ({acceptance} stand), which pays while a proposal costs less than {draft_cost_allowed} of a step (n-grams nothing, a head such as EAGLE 5 %, a small model 10 to 15 %).",
		Evidence:   []string{"tokens_to_break_even", "expected_tokens_per_draft", "acceptance_first", "acceptance_second", "acceptance_third", "acceptance_last", "verify_cost", "running_mean", "tpot_p50", "itl_p50"},
		Confidence: 0.6, // the mark of 50 % nearly always adds to it
		Actions: []Action{
			{Restart, "lower num_speculative_tokens to about {useful_draft_length}: at later positions fewer than a quarter of the drafts stand", "tokens_per_draft"},
			{Restart, "turn speculation off above a batch size, or altogether, and compare the time per output token", "tpot_p50"},
		},
		Settle: "time per output token of the same requests with speculation off",
		Source: "arXiv 2211.17192 and 2605.15051; vLLM speculative decoding",
	},
	{
		Code: "G1", Name: "PREFIX_NOT_SHARED", Title: "long prompts share nothing", Level: Replica, Severity: Information, Hold: 30 * time.Minute,
		When: All{
			Is{"prefix_hit_share", Below, 0.10, Judgement},
			Is{"prefix_queries", AtLeast, 100, Judgement},
			Is{"prompt_tokens_p50", AtLeast, 1000, Judgement},
			Is{"computed_share", AtLeast, 0.9, Judgement}, // what comes from outside is found all the same
			Is{"kv_median", Below, 0.6, Stated(communitySet)},
			Is{"admissions_half_hour", AtLeast, 500, Judgement},
			Is{"prefix_hit_before", Below, 0.25, Stated("infertop")},
		},
		Explains:   map[Match][]string{SameServer: {"I5"}},
		RuledOut:   []Because{{"G2", "prefix_hit_loss"}, {"G3", "kv_peak"}},
		Sentence:   "Half of the prompts have {prompt_tokens_p50} or more, and the prefix cache finds {prefix_hit_share} of them: they share no beginning, or one that changes each time. Whether they could, no metric tells.",
		Evidence:   []string{"prefix_saved_tokens", "prefix_missed_seconds", "computed_share", "prefill_average", "ttft_average"},
		Confidence: 0.55,
		Actions: []Action{
			{Now, "compare two prompts: put what is the same first, and times, ids and names behind it; finding all would spare {prefix_missed_seconds} of prefill a prompt", "prefix_hit_share"},
			{Now, "with several replicas send the same beginnings to the same one; cache salts, adapters and images part what looks alike", "prefix_saved_tokens"},
		},
		Settle: "two requests with the same prompt, one after the other: is the second found? Hybrid models share in blocks of some 500 tokens (vLLM #40696)",
		Source: "vLLM automatic prefix caching; vLLM #40696",
	},
}

// draftModelCost is what a token of a small draft model costs at most, of a step of the model: Llama 1B reads 15 % of the weights of 8B.
// A head such as EAGLE costs a third of it, which no metric tells apart, so that the sentence names both. While verifying is free, less
// than this is left when fewer than 15 % of the proposals stand; the usual rule of thumb calls it a loss below 40 %.
const draftModelCost = 0.15

const leviathan = "arXiv 2211.17192"
