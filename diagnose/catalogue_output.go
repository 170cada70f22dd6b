package diagnose

import "time"

// outputRows say whether answers are worth reading.
var outputRows = []Signal{
	{
		ID: "repetitions", Title: "answers that repeat themselves, 5 minutes", Unit: Count, Level: Replica, Window: 5 * time.Minute,
		Expr: `sum by ($replica) (increase(vllm:request_success_total{finished_reason="repetition"}[$window]))`,
		Help: "Answers that were ended since they repeated themselves.",
		Trap: "Only where repetition is detected: otherwise such an answer ends at its length.",
	},
	{
		ID: "finished_lately", Title: "finished requests, 5 minutes", Unit: Count, Level: Replica, Window: 5 * time.Minute,
		Expr: `sum by ($replica) (increase(vllm:request_success_total[$window]))`,
		Help: "What the share of repeating answers rests on.",
	},
	{
		ID: "repetition_share", Title: "answers that repeat themselves", Unit: Share, Level: Replica, Count: "finished_lately",
		Formula: `repetitions / finished_lately`,
		Help:    "The part of finished requests that was ended since it repeated itself.",
	},
	{
		ID: "repetition_share_before", Title: "answers that repeat themselves, before", Unit: Share, Level: Replica, Window: 15 * time.Minute, Every: SlowInterval,
		Expr: `(sum by ($replica) (vllm:request_success_total{finished_reason="repetition"}) - sum by ($replica) (increase(vllm:request_success_total{finished_reason="repetition"}[$window])))` +
			` / (sum by ($replica) (vllm:request_success_total) - sum by ($replica) (increase(vllm:request_success_total[$window])))`,
		Help: "The same share in the life of the process before the last 15 minutes.",
	},
	{
		ID: "repetition_rise", Title: "answers that repeat themselves, now / before", Unit: Ratio, Level: Replica,
		Formula: overBefore("repetition_share", "repetition_share_before", "0.003"),
		Instead: hardlyBefore,
		Help:    "How many times the share of before.",
	},
	{
		ID: "corrupted_lately", Title: "corrupted answers, 10 minutes", Unit: Count, Level: Replica, Window: 10 * time.Minute,
		Expr: `sum by ($replica) (increase(vllm:corrupted_requests_total[$window])) or 0 * sum by ($replica) (vllm:request_success_total)`,
		Help: "Requests whose logits were no numbers; 0 where vLLM does not look (VLLM_COMPUTE_NANS_IN_LOGITS=1 lets it).",
	},
}
