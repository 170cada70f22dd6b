package diagnose

import "time"

// latencyRules ask which phase makes requests slow, and whether users feel it.
var latencyRules = []Rule{
	{
		Code: "E3", Name: "FRONTEND_TTFT", Title: "frontend bound", Level: Replica, Severity: Warning, Hold: 3 * time.Minute,
		When: All{
			Is{"frontend_gap", AtLeast, 0.25, Judgement},
			Is{"frontend_share", AtLeast, 0.3, Judgement},
			Any{Is{"ttft_burn", Above, 1, Judgement}, Is{"frontend_gap_of_slo", AtLeast, 0.33, Judgement}},
			Is{"queue_share", Below, 0.5, Judgement},
			Is{"waiting", Below, 1, Measured},
			Is{"moves", AtLeast, 1, Measured},
			Any{Is{"api_cpu_cores", AtLeast, 0.3, Measured}, Is{"scrape_seconds_median", AtLeast, 0.2, Measured}},
		},
		Explains:   map[Match][]string{SameModel: {"E6"}, SameServer: {"F3"}},
		RuledOut:   []Because{{"E1", "waiting"}, {"B4", "moves"}, {"E2", "prefill_share"}},
		Sentence:   "Requests spend {frontend_gap} outside the engine ({frontend_share} of the way to the first token): templates, tokenising or media keep the API process busy ({api_cpu_cores}) while the engine waits.",
		Evidence:   []string{"api_cpu_cores", "scrape_seconds_median", "scrape_of_timeout", "hidden", "queue_average", "prefill_average", "ttft_average", "ttft_over_slo", "gpu_busy"},
		Confidence: 0.75,
		Actions: []Action{
			{Restart, "more API processes (--api-server-count) and cores for them; a faster tokenizer", "frontend_gap"},
			{Now, "send token ids instead of text, render templates in the client, cache media", "frontend_gap"},
		},
		Settle: "what the API process does: `py-spy top --pid $(pgrep -of '[v]llm serve|[a]pi_server|[A]PIServer')`",
		Source: "vLLM optimisation guide; measured on a real server",
	},
	{
		Code: "E2", Name: "PREFILL_TTFT", Title: "prefill makes the first token late", Level: Replica, Severity: Warning, Hold: 3 * time.Minute,
		Symptom: true,
		When: All{
			Any{Is{"ttft_burn", Above, 1, Judgement}, Is{"ttft_average_of_slo", AtLeast, 0.8, Judgement}},
			Is{"waiting", Below, 1, Judgement},
			// Where the tokens of nearly all answers are late too, all steps are slow, and not prefill alone.
			Also{Is{"tpot_over_slo", Below, 0.8, Judgement}},
			Any{
				Is{"prefill_share", AtLeast, 0.6, Judgement},
				All{Is{"prompt_spread", AtLeast, 10, Judgement}, Is{"prefill_share", AtLeast, 0.4, Judgement}},
			},
		},
		Cases: []Case{{
			If:       All{Is{"prompt_spread", AtLeast, 10, Judgement}},
			Name:     "a few long prompts",
			Sentence: "The slowest first tokens belong to a few long prompts: their longest are {prompt_spread} times the median ({prompt_tokens_p50}).",
			Actions:  []Action{{Now, "send long prompts to a replica of their own, or cap their length", "ttft_over_slo"}},
		}, {
			If:       All{Is{"prefill_over_predicted", AtMost, 2, Judgement}},
			Name:     "arithmetic",
			Sentence: "Prefill takes {prefill_average} of a prompt's way to its first token ({prefill_share}), and nothing waits. Its {computed_prompt} take {prefill_predicted} by arithmetic: it is the hardware.",
			Actions: []Action{
				{Now, "share prefixes and shorten prompts: of {computed_prompt} each saves its part of {prefill_average}", "prefill_average"},
				{Restart, "more tensor parallelism, fp8 weights, or GPUs with more arithmetic; a larger --max-num-batched-tokens would save nothing", "prefill_average"},
			},
		}, {
			If:       All{Is{"prefill_over_predicted", AtLeast, 3, Judgement}},
			Name:     "more than arithmetic",
			Sentence: "Prefill takes {prefill_average} of a prompt's way to its first token ({prefill_share}), and nothing waits. By arithmetic its {computed_prompt} take {prefill_predicted}: the rest is a small token budget, prompts that share steps, or the host.",
		}, {
			If:       All{Is{"gpus", AtMost, 0, Judgement}},
			Name:     "or a slow GPU",
			Sentence: "Prefill takes {prefill_average} of a prompt's way to its first token ({prefill_share}), and nothing waits. Without GPU metrics nobody can say whether a clock is low (C2, C5) or GPUs wait for each other (D9).",
			Actions: []Action{
				{Now, "share prefixes and shorten prompts", "prefill_average"},
				{Now, "add --gpu URL before a restart: where clocks are low or links slow, neither another token budget nor more tensor parallelism helps", "gpus"},
			},
		}},
		Against:    []Is{{"gpus", AtMost, 0, Judgement}},
		Explains:   map[Match][]string{SameModel: {"E6"}},
		RuledOut:   []Because{{"E1", "waiting"}, {"E3", "frontend_share"}},
		Sentence:   "Prefill takes {prefill_average} of a prompt's way to its first token ({prefill_share}), and nothing waits.",
		Evidence:   []string{"prompt_tokens_p50", "prompt_tokens_p99", "prefix_hit_share", "computed_prompt", "prefill_predicted", "prefill_over_predicted", "ttft_average", "ttft_over_slo", "gpu_busy"},
		Confidence: 0.8,
		Actions: []Action{
			{Now, "share prefixes and shorten prompts", "prefill_average"},
			{Restart, "raise --max-num-batched-tokens, or use more tensor parallelism", "prefill_average"},
		},
		Settle: "vllm:prompt_tokens_by_source_total: how much is computed here",
		Source: "vLLM optimisation guide; automatic prefix caching",
	},
	{
		Code: "E4", Name: "PREFILL_INTERFERENCE", Title: "prefill interferes with decode", Level: Replica, Severity: Warning, Hold: 5 * time.Minute,
		Symptom: true,
		When: All{
			Is{"itl_jitter", AtLeast, 4, Judgement},
			Is{"itl_burn", Above, 1, Judgement},
			Is{"itl_over_slo", Below, 0.5, Judgement},
			Is{"ttft_burn", AtMost, 1, Judgement},
			Is{"ttft_average_of_slo", Below, 0.5, Judgement},
			// Under speculation a gap is a step of several tokens: what users see is the time per token.
			Any{Is{"speculates", AtMost, 0, InSource}, Is{"tpot_burn", Above, 1, Measured}},
			Is{"computed_prompt_tokens_per_second", AtLeast, 100, Judgement},
			Is{"preemptions_per_second", AtMost, 0, Judgement},
			Is{"kv_median", Below, 0.9, Judgement},
			// Steps that take longer than before with no more prompts are slow by themselves (C2, C5, D9): only GPU metrics can say why.
			Any{
				Is{"gpus", AtLeast, 1, Judgement},
				Is{"itl_rise_if_known", Below, 1.05, Judgement},
				Is{"prompt_mean_rise", AtLeast, 1.15, Judgement},
				Is{"admissions_kept", AtLeast, 1.25, Judgement},
			},
		},
		// Pauses that no reader sees, in answers that come in time.
		Mild:     All{Is{"itl_p99_of_slo", Below, 2, Judgement}, Is{"tpot_burn", AtMost, 1, Judgement}},
		Explains: map[Match][]string{SameModel: {"E6"}},
		Against:  []Is{{"chunk_agreement", Below, 0.25, Judgement}, {"collections_rise", AtLeast, 3, Judgement}, {"gpus", AtMost, 0, Judgement}},
		RuledOut: []Because{{"D1", "kv_highest"}, {"E2", "ttft_burn"}, {"E5", "itl_jitter"}, {"I3", "collections_rise"}},
		Cases: []Case{{
			If:       All{Is{"chunk_agreement", AtLeast, 0.5, Judgement}},
			Sentence: "First tokens come after {ttft_average} on average; {itl_over_slo} of the later ones come late (p99 {itl_p99}, p50 {itl_p50}): a chunk of {chunk_tokens} of prefill takes {chunk_seconds} by arithmetic, and holds up everybody's next token.",
		}, {
			If:       All{Is{"gpus", AtMost, 0, Judgement}},
			Name:     "or a slow GPU",
			Sentence: "First tokens come after {ttft_average} on average; {itl_over_slo} of the later ones come late (p99 {itl_p99}, p50 {itl_p50}): steps that carry a chunk of prefill hold up everybody's next token. Without GPU metrics nobody can say whether they are long by themselves, or because a clock is low (C2, C5) or GPUs wait for each other (D9).",
			Actions: []Action{
				{Now, "add --gpu URL before a restart: where clocks are low or links slow, another token budget does not help", "gpus"},
				{Now, "send long prompts to a replica of their own", "itl_over_slo"},
				{Restart, "lower --max-num-batched-tokens (now {told_token_budget}), or set --long-prefill-token-threshold; first tokens then come later", "itl_p99"},
			},
		}},
		Sentence:   "First tokens come after {ttft_average} on average; {itl_over_slo} of the later ones come late (p99 {itl_p99}, p50 {itl_p50}): steps that carry a chunk of prefill hold up everybody's next token.",
		Evidence:   []string{"itl_p50", "itl_p99", "itl_slowest", "chunk_seconds", "chunk_tokens", "decode_average", "tokens_per_step", "prompt_tokens_p90", "gpu_busy"},
		Confidence: 0.75,
		Actions: []Action{
			{Restart, "lower --max-num-batched-tokens (now {told_token_budget}), or set --long-prefill-token-threshold; first tokens then come later", "itl_p99"},
			{Now, "send long prompts to a replica of their own", "itl_over_slo"},
		},
		Settle: "does the p99 stay when the long prompts stay away?",
		Source: "vLLM optimisation guide; disaggregated prefill",
	},
	{
		Code: "E1", Name: "QUEUE_TTFT", Title: "the queue makes the first token late", Level: Replica, Severity: Warning, Hold: 2 * time.Minute, CriticalHold: 2 * time.Minute,
		Symptom: true,
		When: All{
			Is{"waiting", AtLeast, 1, Stated(platforms)},
			Any{Is{"queue_share", AtLeast, 0.5, Judgement}, Is{"queue_wait_of_slo", AtLeast, 0.5, Judgement}},
			Any{Is{"ttft_burn", Above, 1, Judgement}, Is{"queue_wait_of_slo", AtLeast, 0.5, Judgement}},
		},
		Critical: All{Is{"queue_wait_of_slo", AtLeast, 0.67, Judgement}},
		Explains: map[Match][]string{SameModel: {"E6"}, SameServer: {"F3"}},
		RuledOut: []Because{{"E3", "frontend_share"}, {"E2", "waiting"}},
		Cases: []Case{{
			If:       All{Is{"admissions_per_second", AtMost, 0, Judgement}},
			Sentence: "{waiting} wait, and none was served in the last {watched_seconds}.",
		}, {
			If:       All{Is{"stopped_ago", AtMost, backlogOfStop.Seconds(), Judgement}, Is{"moves", AtLeast, 1, InSource}},
			Name:     "the backlog of a stop",
			Sentence: "The engine stood still until {stopped_ago} ago, and works off what it held up: {waiting} wait, {served_per_second} are served.",
			Evidence: []string{"stopped_ago"},
			Actions: []Action{
				{Now, "wait: at this rate the queue is gone in {queue_wait_ahead}; spread load only if it does not shrink", "waiting_mean"},
				{Now, "see why it stood still: the end of the engine's log, and what else its host did", "moves"},
			},
		}, {
			If:       All{Is{"failed_scrapes", AtLeast, 1, Judgement}},
			Name:     "after failed scrapes",
			Sentence: "Scrapes failed ({failed_scrapes} in 2m): what came while the server did not answer may be in the queue now. {waiting} wait, {served_per_second} are served.",
			Evidence: []string{"failed_scrapes"},
			Actions: []Action{
				{Now, "wait: at this rate the queue is gone in {queue_wait_ahead}; spread load only if it does not shrink", "waiting_mean"},
				{Now, whyNoAnswer, "failed_scrapes"},
			},
		}},
		Sentence:   "A request that arrives now waits about {queue_wait_ahead} in the queue: {waiting} wait, {served_per_second} are served.",
		Evidence:   []string{"queue_average", "prefill_average", "frontend_gap", "ttft_over_slo", "ttft_p95", "ttft_slowest", "gpu_busy"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "send fewer requests here, or refuse some early; where 5 and more keep waiting, add a replica", "waiting_mean"},
		},
		Caused: seeItsCause,
		Settle: "what gates admission: D1 to D8",
		Source: "Gateway API inference extension; production-stack",
	},
	missedObjective,
}

const whyNoAnswer = "see why the server did not answer: its log, the cores and the memory of its host"
