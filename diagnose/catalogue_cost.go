package diagnose

import "time"

// Parts of the cost: lately is the last ten minutes, before the twenty minutes that ended twenty minutes ago.
const (
	serverTokens     = `sum by ($server) (rate(vllm:generation_tokens_total`
	serverAdmissions = `sum by ($server) (rate(vllm:time_to_first_token_seconds_count`
	lastTen          = `[$window]))`
	twentyBefore     = `[20m] offset 20m))`
)

// costRows say what tokens cost.
var costRows = []Signal{
	{
		ID: "cost_known_before", Title: "watched for 40 minutes", Unit: YesNo, Level: Server,
		Expr: watchedSince("$server", "39m"),
		Help: "0 while there is no cost of before to compare with.",
	},
	{
		ID: "server_generation_tokens", Title: "output tokens of the server", Unit: TokensPerSecond, Level: Server,
		Expr: serverTokens + lastTen,
		Help: "Tokens generated, over all engines of the server.",
	},
	{
		ID: "server_finished_tokens", Title: "output tokens of finished requests", Unit: TokensPerSecond, Level: Server, Window: 5 * time.Minute,
		Expr: `sum by ($server) (rate(vllm:request_generation_tokens_sum[$window]))`,
		Help: "Tokens of answers that were finished: those of cut requests are not in it.",
	},
	{
		ID: "energy_per_token", Title: "energy per output token", Unit: Joules, Level: Server,
		Formula: `gpu_power * gpus / server_generation_tokens`,
		Help:    "What all GPUs of the server draw, over its output tokens.",
		Trap:    "Few requests make tokens dear: the weights are read for each step, however small the batch is.",
	},
	{
		ID: "useful_tokens_per_gpu_second", Title: "useful tokens a busy GPU second", Unit: TokensPerSecond, Level: Server,
		Formula: `server_finished_tokens / (gpu_busy * gpus)`,
		Help:    "Tokens of finished answers for each second that a GPU was busy.",
	},
	{
		ID: "tokens_lately", Title: "output tokens, 10 minutes", Unit: TokensPerSecond, Level: Server, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: serverTokens + lastTen,
		Help: "Tokens generated, over ten minutes.",
	},
	{
		ID: "tokens_before", Title: "output tokens, before", Unit: TokensPerSecond, Level: Server, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: serverTokens + twentyBefore,
		Help: "The same over the twenty minutes that ended twenty minutes ago.",
	},
	{
		ID: "power_lately", Title: "power, 10 minutes", Unit: Watts, Level: GPU, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_DEV_BOARD_POWER_WATTS[$window]))`,
		Help: "What the board draws, over ten minutes.",
	},
	{
		ID: "power_before", Title: "power, before", Unit: Watts, Level: GPU, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_DEV_BOARD_POWER_WATTS[20m] offset 20m))`,
		Help: "The same over the twenty minutes that ended twenty minutes ago.",
	},
	{
		ID: "energy_per_token_lately", Title: "energy per output token, 10 minutes", Unit: Joules, Level: Server,
		Formula: `power_lately * gpus / tokens_lately`,
		Help:    "Over ten minutes.",
	},
	{
		ID: "energy_per_token_before", Title: "energy per output token, before", Unit: Joules, Level: Server,
		Formula: `power_before * gpus / tokens_before`,
		Help:    "Over the twenty minutes that ended twenty minutes ago.",
	},
	{
		ID: "tokens_per_joule_kept", Title: "output tokens a joule, of before", Unit: Share, Level: Server,
		Formula: `energy_per_token_before / energy_per_token_lately`,
		Help:    "What is left of the tokens that a joule gave before.",
	},
	{
		ID: "batch_change", Title: "running against before", Unit: Ratio, Level: Server, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: `sum by ($server) (avg_over_time(vllm:num_requests_running[$window])) / (sum by ($server) (avg_over_time(vllm:num_requests_running[20m] offset 20m)) > 0)`,
		Help: "Near 1 the batch is as large as before: only then costs can be compared.",
	},
	{
		ID: "prompt_change", Title: "prompt length against before", Unit: Ratio, Level: Server, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: `(sum by ($server) (rate(vllm:prompt_tokens_total` + lastTen + ` / (` + serverAdmissions + lastTen + ` > 0))
		       / (sum by ($server) (rate(vllm:prompt_tokens_total` + twentyBefore + ` / (` + serverAdmissions + twentyBefore + ` > 0))`,
		Help: "Near 1 prompts are as long as before.",
	},
	{
		ID: "answer_change", Title: "answer length against before", Unit: Ratio, Level: Server, Window: 10 * time.Minute, Every: SlowInterval,
		Expr: `(` + serverTokens + lastTen + ` / (` + serverAdmissions + lastTen + ` > 0))
		       / (` + serverTokens + twentyBefore + ` / (` + serverAdmissions + twentyBefore + ` > 0))`,
		Help: "Near 1 answers are as long as before.",
	},
	{
		ID: "server_prefill_to_decode", Title: "prompt tokens per output token", Unit: Ratio, Level: Server,
		Expr: `sum by ($server) (rate(vllm:prompt_tokens_total[$window])) / sum by ($server) (rate(vllm:generation_tokens_total[$window]))`,
		Help: "How much longer prompts are than answers, cached parts included.",
	},
}
