package diagnose

import "time"

// acceptedAt is the part of the drafts whose proposal at a position stood.
func acceptedAt(position string) string {
	return `sum by ($replica) (rate(vllm:spec_decode_num_accepted_tokens_per_pos_total{position="` + position + `"}[$window]))` +
		` / sum by ($replica) (rate(vllm:spec_decode_num_drafts_total[$window]))`
}

// acceptedEverywhere is the same of all positions.
const acceptedEverywhere = `sum by ($replica, position) (rate(vllm:spec_decode_num_accepted_tokens_per_pos_total[$window]))` +
	` / on ($replica) group_left () sum by ($replica) (rate(vllm:spec_decode_num_drafts_total[$window]))`

// speculationRows say what speculative decoding brings, and what it may cost.
var speculationRows = []Signal{
	{
		ID: "speculates", Title: "speculation", Unit: YesNo, Level: Replica,
		Expr: `group by ($replica) (vllm:spec_decode_num_draft_tokens_total) or 0 * max by ($replica) (vllm:num_requests_running)`,
		Help: "Whether the engine was started with speculative decoding: vLLM has its counters only then.",
	},
	{
		ID: "drafts_per_second", Title: "drafts", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:spec_decode_num_drafts_total[$window]))`,
		Help: "Proposals of several tokens each, one for a sequence and a step.",
		Trap: "Drafting may stop by itself, with n-grams or a schedule by batch size; then the quotients have no data.",
	},
	{
		ID: "drafted_share", Title: "outputs with a draft", Unit: Share, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:spec_decode_num_drafts_total[$window])) / sum by ($replica) (rate(vllm:inter_token_latency_seconds_count[$window]))`,
		Help: "A draft model or head proposes before each output; n-grams only where the text repeats.",
	},
	{
		ID: "draft_length", Title: "tokens a draft", Unit: Tokens, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:spec_decode_num_draft_tokens_total[$window])) / sum by ($replica) (rate(vllm:spec_decode_num_drafts_total[$window]))`,
		Help: "How deep the drafter looks: num_speculative_tokens, or less where drafts are shorter.",
	},
	{
		ID: "acceptance", Title: "accepted proposals", Unit: Share, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:spec_decode_num_accepted_tokens_total[$window])) / sum by ($replica) (rate(vllm:spec_decode_num_draft_tokens_total[$window]))`,
		Help: "The part of the proposed tokens that stood. 50 % is a mark, not a limit: depth, batch and the drafter's cost decide what pays.",
		Trap: "Over all positions, so that it is lower than the chance of one token, and lower the deeper the drafts are.",
	},
	{
		ID: "acceptance_before", Title: "accepted proposals, best in 30 minutes", Unit: Share, Level: Replica, Window: 30 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (max_over_time((sum by ($replica) (rate(vllm:spec_decode_num_accepted_tokens_total[1m])) / (sum by ($replica) (rate(vllm:spec_decode_num_draft_tokens_total[1m])) > 5))[$window:30s]))`,
		Help: "The same in the best minute of the last thirty that had more than five proposals a second.",
	},
	{
		ID: "acceptance_kept", Title: "accepted proposals of before", Unit: Share, Level: Replica,
		Formula: `acceptance / acceptance_before`,
		Help:    "What is left of the acceptance of before. At equal depth a higher temperature is the usual cause of a fall; vLLM does not export it.",
	},
	{ID: "acceptance_first", Title: "accepted at the first position", Unit: Share, Level: Replica, Expr: acceptedAt("0"), Help: "The part of the drafts whose first token stood."},
	{ID: "acceptance_second", Title: "accepted at the second position", Unit: Share, Level: Replica, Expr: acceptedAt("1"), Help: "The part of the drafts whose first two tokens stood."},
	{ID: "acceptance_third", Title: "accepted at the third position", Unit: Share, Level: Replica, Expr: acceptedAt("2"), Help: "The part of the drafts whose first three tokens stood."},
	{
		ID: "acceptance_last", Title: "accepted at the last position", Unit: Share, Level: Replica,
		Expr: `min by ($replica) (` + acceptedEverywhere + `)`,
		Help: "The part of the drafts that stood as a whole.",
	},
	{
		ID: "useful_draft_length", Title: "positions worth a proposal", Unit: Count, Level: Replica,
		Expr: `count by ($replica) (` + acceptedEverywhere + ` >= 0.25) or 1 + 0 * sum by ($replica) (rate(vllm:spec_decode_num_drafts_total[$window]))`,
		Help: "At how many positions a quarter of the drafts stand, 1 at least: what num_speculative_tokens may be.",
	},
	{
		ID: "tokens_per_draft", Title: "tokens a sequence and step", Unit: Ratio, Level: Replica,
		Expr: `1 + sum by ($replica) (rate(vllm:spec_decode_num_accepted_tokens_total[$window])) / sum by ($replica) (rate(vllm:spec_decode_num_drafts_total[$window]))`,
		Help: "What a step with a draft brings: the accepted proposals, and the token that it would have brought without.",
	},
	{
		ID: "expected_tokens_per_draft", Title: "tokens a sequence and step, by the first position", Unit: Ratio, Level: Replica,
		Formula: `(1 - acceptance_first ^ (draft_length + 1)) / (1 - acceptance_first)`,
		Help:    "What it would be if each proposal stood as often as the first: where it is less, the drafter gets worse with the depth.",
	},
	{
		ID: "verify_cost", Title: "step with drafts / without", Unit: Ratio, Level: Replica,
		Formula: `clamp_min(running_mean * (draft_length + 1) / (crossover_batch or gpu_ridge), 1) / clamp_min(running_mean / (crossover_batch or gpu_ridge), 1) or 1 + 0 * draft_length`,
		Help:    "How many times as long a step takes that verifies drafts. 1 at least, and taken for 1 where the GPU is not known.",
	},
	{
		ID: "draft_cost_allowed", Title: "drafter's cost that pays", Unit: Share, Level: Replica,
		Formula: `(tokens_per_draft - verify_cost) / draft_length`,
		Help:    "What a token of the drafter may cost, of a step of the model, until speculation takes as long as none: n-grams cost nothing, a head such as EAGLE about 5 %, a small draft model 10 to 15 %.",
	},
	{
		ID: "tokens_to_break_even", Title: "tokens a sequence and step to break even", Unit: Ratio, Level: Replica,
		Formula: `verify_cost + 0.1 * draft_length`,
		Help:    "What a step has to bring where a token of the drafter costs 10 % of it.",
	},
}
