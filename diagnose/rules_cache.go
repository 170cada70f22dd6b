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
		Explains: map[Match][]string{SameReplica: {"D4", "D7", "E2", "E4"}},
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
	{
		Code: "G4", Name: "SPEC_LOSS", Title: "speculation hardly pays", Level: Replica, Severity: Warning, Hold: 10 * time.Minute,
		When: All{
			Is{"speculates", AtLeast, 1, InSource},
			Is{"drafts_per_second", AtLeast, 1.67, Judgement}, // a thousand in the ten minutes
			Any{
				Is{"draft_cost_allowed", Below, 0, Stated(leviathan)},
				All{Is{"drafted_share", AtLeast, 0.9, Judgement}, Is{"draft_cost_allowed", Below, draftModelCost, Judgement}},
			},
		},
		Mild:     meetsObjective,
		Supports: []Is{{"acceptance", Below, 0.5, Stated(communitySet)}, {"draft_cost_allowed", Below, 0.05, Judgement}},
		Explains: map[Match][]string{SameReplica: {"D7"}, SameModel: {"E6"}},
		Cases: []Case{{
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
		Confidence: 0.7,
		Actions: []Action{
			{Restart, "lower num_speculative_tokens to about {useful_draft_length}: at later positions fewer than a quarter of the drafts stand", "tokens_per_draft"},
			{Restart, "turn speculation off above a batch size, or altogether, and compare the time per output token", "tpot_p50"},
		},
		Settle: "time per output token of the same requests with speculation off",
		Source: "arXiv 2211.17192 and 2605.15051; vLLM speculative decoding",
	},
}

// draftModelCost is what a token of a small draft model costs at least, of a step of the model. A head such as EAGLE costs half of it,
// which no metric tells apart, so that the sentence names both.
const draftModelCost = 0.10

const leviathan = "arXiv 2211.17192"
