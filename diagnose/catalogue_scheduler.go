package diagnose

import "time"

// backlogOfStop is for how long what an engine held up while it stood still is looked for (judgement): as long as the windows that it
// fills and the queue that it leaves.
const backlogOfStop = 2 * time.Minute

// lastStop is the newest moment up to which an engine that had requests all the time had made neither a token nor a change of its KV cache
// for as long as it takes to see one. An engine that is new to us has not been seen so long.
const lastStop = `max_over_time(timestamp((sum by ($replica) (changes(vllm:generation_tokens_total[$moment]))` +
	` + max by ($replica) (changes(vllm:kv_cache_usage_perc[$moment])) == 0)` +
	` and (max by ($replica) (vllm:num_requests_running offset $moment) > 0)` +
	` and (max by ($replica) (min_over_time(vllm:num_requests_running[$moment])) > 0))[$window:5s])`

// schedulerRows are about the scheduler of one engine and its KV cache.
var schedulerRows = []Signal{
	{
		ID: "running", Title: "running", Unit: Count, Level: Replica,
		Expr: `max by ($replica) (vllm:num_requests_running)`,
		Help: "Requests in the engine's batch, those still in chunked prefill included.",
	},
	{
		ID: "waiting", Title: "waiting", Unit: Count, Level: Replica,
		Expr: `max by ($replica) (vllm:num_requests_waiting) or sum by ($replica) (vllm:num_requests_waiting_by_reason)`,
		Help: "Requests that reached the scheduler and do not run yet, preempted ones included.",
		Trap: "Requests that are still being tokenised, or that sit in a socket before a stuck engine, are not in it.",
	},
	{
		ID: "waiting_mean", Title: "waiting, mean", Unit: Count, Level: Replica,
		Expr: `max by ($replica) (avg_over_time(vllm:num_requests_waiting[$window])) or sum by ($replica) (avg_over_time(vllm:num_requests_waiting_by_reason[$window]))`,
		Help: "The mean of the readings in the window.",
	},
	{
		ID: "waiting_rise", Title: "waiting, rise", Unit: Count, Level: Replica, Window: 30 * time.Second,
		Expr: `max by ($replica) (delta(vllm:num_requests_waiting[$window]))`,
		Help: "How many more wait than a window ago.",
	},
	{
		ID: "waiting_moves", Title: "changes of waiting", Unit: Count, Level: Replica, Window: 30 * time.Second,
		Expr: `max by ($replica) (changes(vllm:num_requests_waiting[$window]))`,
		Help: "How often the number of waiting requests changed: 0 for as long as no step ends.",
	},
	{
		ID: "deferred_mean", Title: "deferred, mean", Unit: Count, Level: Replica,
		Expr: `max by ($replica) (avg_over_time(vllm:num_requests_waiting_by_reason{reason="deferred"}[$window]))`,
		Help: "Requests that wait for something else than room: an adapter slot, a remote cache, a grammar.",
	},
	{
		ID: "waiting_for_room", Title: "waiting for room", Unit: Count, Level: Replica,
		Expr: `max by ($replica) (vllm:num_requests_waiting) - max by ($replica) (vllm:num_requests_waiting_by_reason{reason="deferred"}) or max by ($replica) (vllm:num_requests_waiting)`,
		Help: "Requests that wait for a place in the batch or for KV blocks; all that wait where vLLM does not tell the reason.",
	},
	{
		ID: "deferred_share", Title: "deferred of waiting", Unit: Share, Level: Replica,
		Formula: `deferred_mean / waiting_mean`,
		Help:    "The part of the queue that waits for something else than room in the batch and the cache.",
	},
	{
		ID: "waiting_trend", Title: "waiting, rise of its mean", Unit: Ratio, Level: Replica,
		Formula: `waiting_rise / waiting_mean`,
		Help:    "Below -0.5 the queue is draining.",
	},
	{
		ID: "running_low", Title: "running, low mark", Unit: Count, Level: Replica, Window: 30 * time.Second,
		Expr: `max by ($replica) (quantile_over_time(0.2, vllm:num_requests_running[$window]))`,
		Help: "At least so many ran in four of five readings.",
	},
	{
		ID: "running_mean", Title: "running, mean", Unit: Count, Level: Replica,
		Expr: `max by ($replica) (avg_over_time(vllm:num_requests_running[$window]))`,
		Help: "The mean of the readings in the window.",
	},
	{
		ID: "running_highest", Title: "running, highest in 10 minutes", Unit: Count, Level: Replica, Window: 10 * time.Minute,
		Expr: `max by ($replica) (max_over_time(vllm:num_requests_running[$window]))`,
		Help: "The most that ran at once: what --max-num-seqs looks like from outside.",
	},
	{
		ID: "running_fall", Title: "running, below its highest", Unit: Share, Level: Replica,
		Formula: `1 - running / running_highest`,
		Help:    "How far the batch has shrunk from the most that ran at once in 10 minutes.",
	},
	{
		ID: "running_dip", Title: "running, low mark below its highest", Unit: Share, Level: Replica,
		Formula: `1 - running_low / running_highest`,
		Help:    "How far the batch has shrunk from the most that ran at once in 10 minutes, in one of five readings at least: it may swing.",
	},
	{
		ID: "told_sequence_cap", Title: "--max-num-seqs, as told", Unit: Count, Level: Replica, Setting: "told_sequence_cap",
		Help: "vLLM does not export it: give --max-num-seqs, or max_num_seqs in the configuration.",
	},
	{
		ID: "sequence_cap", Title: "sequence cap", Unit: Count, Level: Replica,
		Formula: `told_sequence_cap or running_highest`,
		Help:    "--max-num-seqs as told, otherwise inferred: the most that ran at once in 10 minutes.",
	},
	{
		ID: "cap_reached", Title: "batch of its sequence cap", Unit: Share, Level: Replica,
		Formula: `clamp_max((running + clamp_min(0.02 * told_sequence_cap, 1)) / told_sequence_cap, 1) or clamp_max((running_low + clamp_min(0.02 * running_highest, 1)) / clamp_min(running_highest, 4), 1)`,
		Help:    "100 % when the batch is full, or one slot (2 %) short of it: a slot is empty for an instant at every change. Where the cap is inferred, the batch must have been so full in four of five readings of half a minute; of a batch below 4 nothing is inferred.",
	},
	{
		ID: "told_cap_reached", Title: "batch of its told cap", Unit: Share, Level: Replica,
		Formula: `clamp_max((running + clamp_min(0.02 * told_sequence_cap, 1)) / told_sequence_cap, 1)`,
		Help:    "The same by a told --max-num-seqs alone.",
	},
	{
		ID: "kv_usage", Title: "KV cache", Unit: Share, Level: Replica,
		Expr: `max by ($replica) (vllm:kv_cache_usage_perc)`,
		Help: "Blocks held by live requests. Cached prefixes that nobody uses count as free.",
		Trap: "95 % without a queue and without preemptions is a healthy full batch.",
	},
	{
		ID: "kv_median", Title: "KV cache, median", Unit: Share, Level: Replica, Window: 30 * time.Second,
		Expr: `max by ($replica) (quantile_over_time(0.5, vllm:kv_cache_usage_perc[$window]))`,
		Help: "The middle of the readings in the window: under preemption the usage swings.",
	},
	{
		ID: "kv_highest", Title: "KV cache, highest", Unit: Share, Level: Replica, Window: 30 * time.Second,
		Expr: `max by ($replica) (max_over_time(vllm:kv_cache_usage_perc[$window]))`,
		Help: "The highest reading in the window.",
	},
	{
		ID: "kv_moves", Title: "changes of the KV cache", Unit: Count, Level: Replica, Window: 30 * time.Second,
		Expr: `max by ($replica) (changes(vllm:kv_cache_usage_perc[$window]))`,
		Help: "How often the usage changed: once a step at least while anything is computed.",
	},
	{
		ID: "kv_capacity_tokens", Title: "KV cache size", Unit: Tokens, Level: Server, Label: "kv_cache_size_tokens",
		Expr: `max by ($server, kv_cache_size_tokens) (vllm:cache_config_info)`,
		Help: "How many tokens the cache of one engine holds.",
		Trap: "Hybrid models hold fewer than blocks times block size.",
	},
	{
		ID: "prompts_that_fit", Title: "prompts that still fit", Unit: Ratio, Level: Replica,
		Formula: `(1 - kv_highest) * kv_capacity_tokens / prompt_tokens_p50`,
		Help:    "How many prompts of the usual length the KV cache has room for at its fullest: below 1 the next one waits until another ends.",
		Trap:    "A prompt whose beginning is cached and in use needs less.",
	},
	{
		ID: "long_prompts_that_fit", Title: "longest prompts that still fit", Unit: Ratio, Level: Replica,
		Formula: `(1 - kv_median) * kv_capacity_tokens / prompt_tokens_p99`,
		Help:    "How many prompts as long as one in a hundred is the KV cache has room for: below 1 such a prompt waits at the head of the queue, and all behind it.",
	},
	{
		ID: "context_tokens", Title: "context of a running request", Unit: Tokens, Level: Replica,
		Formula: `kv_median * kv_capacity_tokens / running_mean`,
		Help:    "The mean number of tokens that a running request holds.",
	},
	{
		ID: "preemptions_per_second", Title: "preemptions", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:num_preemptions_total[$window]))`,
		Help: "Requests that lost their blocks and will be computed again.",
		Trap: "Counted at the request's next output, about 10 s late; the work that is done again is in no token counter.",
	},
	{
		ID: "preemptions_per_minute", Title: "preemptions a minute", Unit: PerMinute, Level: Replica,
		Formula: `60 * preemptions_per_second`,
		Help:    "Requests a minute that lost their blocks and will be computed again.",
	},
	{
		ID: "admissions_per_second", Title: "admissions", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "Requests that reached their first token.",
	},
	{
		ID: "admissions_lately", Title: "admissions, last 20 s", Unit: PerSecond, Level: Replica, Window: 20 * time.Second,
		Expr: `sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "The same over 20 seconds.",
	},
	{
		ID: "served_per_second", Title: "admissions, the faster of both", Unit: PerSecond, Level: Replica,
		Formula: `admissions_per_second + clamp_min(admissions_lately - admissions_per_second, 0) or admissions_per_second`,
		Help:    "How fast the queue is served: after a stop the last seconds tell it, with few requests the whole window does.",
	},
	{
		ID: "admissions", Title: "first tokens in the window", Unit: Count, Level: Replica,
		Formula: `admissions_per_second * watched_seconds`,
		Help:    "How many requests reached their first token in the window.",
	},
	{
		ID: "preemptions_per_admission", Title: "preemptions per admission", Unit: Ratio, Level: Replica, Count: "admissions",
		Formula: `preemptions_per_second * watched_seconds / clamp_min(admissions, 1)`,
		Help:    "Evictions for each request that reached its first token; where none did, the evictions of the window.",
		Trap:    "The rate alone says little: 200 in ten minutes pass an alert at 0.5/s.",
	},
	{
		ID: "queue_wait_ahead", Title: "predicted queue wait", Unit: Seconds, Level: Replica,
		Formula: `waiting * watched_seconds / clamp_min(served_per_second * watched_seconds, 1)`,
		Help:    "How long a request that arrives now will wait: the queue over the rate at which it is served, which is taken to be one a window where it was none.",
	},
	{
		ID: "queue_wait_of_slo", Title: "predicted queue wait / TTFT objective", Unit: Ratio, Level: Replica,
		Formula: `queue_wait_ahead / slo_ttft`,
		Help:    "1 when the queue alone uses up the objective.",
	},
	{
		ID: "moves", Title: "progress", Unit: Count, Level: Replica, Window: 30 * time.Second,
		Expr: `sum by ($replica) (changes(vllm:generation_tokens_total[$window])) + sum by ($replica) (changes(vllm:time_to_first_token_seconds_count[$window]))` +
			` + sum by ($replica) (changes(vllm:request_success_total[$window]))`,
		Help: "How often the counters of tokens, first tokens and finished requests moved.",
		Trap: "A prefill of many chunks moves none of them until its end.",
	},
	{
		ID: "unchanged_for", Title: "since the last change of tokens, KV cache or batch", Unit: Seconds, Level: Replica, Window: time.Hour,
		Expr: `time() - (` + lastChange(`sum by ($replica) (changes(vllm:generation_tokens_total[$moment]))`+
			` + max by ($replica) (changes(vllm:kv_cache_usage_perc[$moment])) + max by ($replica) (changes(vllm:num_requests_running[$moment]))`) +
			` or min by ($replica) (min_over_time(timestamp(vllm:generation_tokens_total)[$window:15s])))`,
		Help: "How long ago any of them moved, to a quarter of a minute and an hour at most; where none did, how long they have been watched.",
	},
	{
		ID: "stopped_ago", Title: "since the engine stood still", Unit: Seconds, Level: Replica, Window: backlogOfStop,
		Expr: `time() - ` + lastStop,
		Help: "How long ago it went on again after it had stood still with requests for half a minute, in two minutes.",
		Trap: "A stop that is shorter than half a minute does not show.",
	},
	{
		ID: "awake", Title: "engine awake", Unit: YesNo, Level: Replica,
		Expr: `max by ($replica) (vllm:engine_sleep_state{sleep_state="awake"})`,
		Help: "0 when the engine was put to sleep.",
	},
	{
		ID: "sleeping", Title: "engine sleeps", Unit: YesNo, Level: Replica,
		Expr: `1 - max by ($replica) (vllm:engine_sleep_state{sleep_state="awake"})`,
		Help: "1 when the engine was put to sleep.",
		Trap: "Nothing else says so: running and waiting are 0, and /health is 200.",
	},
	{
		ID: "sleep_told", Title: "sleep state is told", Unit: YesNo, Level: Replica,
		Expr: `group by ($replica) (vllm:engine_sleep_state) or 0 * max by ($replica) (vllm:num_requests_running)`,
		Help: "Whether the release tells if its engine sleeps.",
	},
	{
		ID: "may_sleep", Title: "may be asleep", Unit: YesNo, Level: Replica,
		Formula: `(1 - sleep_told) * (1 - clamp_max(running + waiting, 1))`,
		Help:    "1 when the engine has nothing in its batch and its queue, and its release does not tell whether it sleeps.",
	},
	{
		ID: "weights_discarded", Title: "weights discarded", Unit: YesNo, Level: Replica,
		Expr: `max by ($replica) (vllm:engine_sleep_state{sleep_state="discard_all"})`,
		Help: "1 when the engine sleeps so deeply that its weights must be loaded again.",
	},
	{
		ID: "stranded", Title: "requests inside", Unit: Count, Level: Server,
		Formula: `hidden + in_engine or in_engine`,
		Help:    "Requests inside the server, wherever they are: by its open files where they are told, otherwise those of the engine, which are 0 while it sleeps.",
		Trap:    "Idle connections of clients count, too.",
	},
	{
		ID: "shed_share", Title: "share of requests to route away", Unit: Share, Level: Replica, Rounded: true,
		Formula: `clamp_min(1 - 0.85 * running_steady / (kv_highest * (running_steady + waiting_steady)), 0.05)`,
		Help:    "What must go elsewhere so that the rest fits into 85 % of the cache at the present context.",
	},
	{
		ID: "fitting_sequences", Title: "sequences that fit at the present context", Unit: Count, Level: Replica, Rounded: true,
		Formula: `clamp_min(floor(0.85 * running_steady / kv_highest), 1)`,
		Help:    "How many as long as those that run take 85 % of the cache.",
	},
	{
		ID: "safe_sequence_cap", Title: "sequences that fit at full length", Unit: Count, Level: Replica, Rounded: true,
		Formula: `clamp_min(floor(fitting_sequences - clamp_min(fitting_sequences - 0.9 * kv_capacity_tokens / (prompt_tokens_p90 + output_tokens_p90), 0)), 1)`,
		Help:    "90 % of what the cache holds of the length that nine of ten requests stay below (p90 of prompt and of answer), and no more than fit at the present context.",
	},
}
