package diagnose

import "time"

// lately counts what a function finds between two neighbouring samples of a series, of which the later one came in the last ten
// minutes and the earlier one up to half an hour before them: a process that loads may be away for longer than the ten minutes.
func lately(function, series string) string {
	all := function + `(` + series + `[40m])`
	return all + ` - (` + function + `(` + series + `[30m] offset 10m) or 0 * ` + all + `)`
}

// watchedSince is 1 where an engine was watched at a moment so long ago, and 0 where it is watched only now: a comparison with before
// must not take the beginning of the data for the usual.
func watchedSince(labels, ago string) string {
	return `group by (` + labels + `) (last_over_time(vllm:num_requests_running[2m] offset ` + ago + `)) or 0 * sum by (` + labels + `) (vllm:num_requests_running)`
}

// lastChange is the newest moment of the hour before which changes were found, to a quarter of a minute: those of a moment are seen for as
// long as it lasts.
func lastChange(changes string) string {
	return `max_over_time(timestamp(` + changes + ` > 0)[$window:15s]) - 15`
}

// serverRows are about the API process.
var serverRows = []Signal{
	{
		ID: "uptime", Title: "uptime", Unit: Seconds, Level: Server, Unless: "times_assumed",
		Expr: `time() - max by ($server) (process_start_time_seconds)`,
		Help: "How long the API process has been running; not known of saved pages whose times were assumed.",
	},
	{
		ID: "times_assumed", Title: "times of its pages assumed", Unit: YesNo, Level: Server, Setting: "times_assumed",
		Help: "Saved pages whose names are no times are taken to be an interval apart, and to end when the last was written.",
	},
	{
		ID: "start_told", Title: "start time told", Unit: YesNo, Level: Server,
		Formula: `0 * start_changes + 1 or 0 * up`,
		Help:    "Several API processes hide it.",
	},
	{
		ID: "start_changes", Title: "changes of the start time in 10 minutes", Unit: Count, Level: Server,
		Expr: `max by ($server) (` + lately("changes", "process_start_time_seconds") + `)`,
		Help: "How often the start time of the API process changed, by when the new one was seen first.",
		Trap: "Absent with several API processes.",
	},
	{
		ID: "restarts", Title: "restarts in 10 minutes", Unit: Count, Level: Server,
		Formula: `start_changes or floor(counters_reset / 3)`,
		Help:    "By the start time of the process; where it is hidden, by three counters that fell together.",
	},
	{
		ID: "counters_reset", Title: "counters that fell in 10 minutes", Unit: Count, Level: Server,
		Expr: `max by ($server) (clamp_max(` + lately("resets", "vllm:generation_tokens_total") + `, 1))` +
			` + max by ($server) (clamp_max(` + lately("resets", "vllm:prompt_tokens_total") + `, 1))` +
			` + max by ($server) (clamp_max(` + lately("resets", "vllm:time_to_first_token_seconds_count") + `, 1))`,
		Help: "How many of three counters that cannot fall in the life of a process fell: 3 after a restart.",
	},
	{
		ID: "api_cpu_cores", Title: "API process CPU", Unit: Cores, Level: Server,
		Expr: `sum by ($server) (rate(process_cpu_seconds_total[$window]))`,
		Help: "CPU time of the API process alone, in cores: tokenising, templates, HTTP, detokenising.",
		Trap: "The engine is another process. Absent with several API processes.",
	},
	{
		ID: "inside", Title: "requests inside the server", Unit: Count, Level: Server, Window: time.Hour,
		Expr: `max by ($server) (process_open_fds) - max by ($server) (min_over_time(process_open_fds[$window]))`,
		Help: "Open files above their idle level: one for each request, wherever it is stuck.",
		Trap: "Keep-alive pools add idle connections; a call with several prompts is one.",
	},
	{
		ID: "inside_rising", Title: "requests inside, rise in the window", Unit: Count, Level: Server,
		Expr: `max by ($server) (delta(process_open_fds[$window]))`,
		Help: "How many more open files than a window ago.",
	},
	{
		ID: "in_engine", Title: "requests in the engine", Unit: Count, Level: Server,
		Expr: `sum by ($server) (vllm:num_requests_running) + sum by ($server) (vllm:num_requests_waiting)`,
		Help: "Running and waiting, over all engines of the server.",
	},
	{
		ID: "longest_engine_queue", Title: "waiting in the engine, mean", Unit: Count, Level: Server,
		Expr: `max by ($server) (avg_over_time(vllm:num_requests_waiting[$window]))`,
		Help: "Of the engine with the most requests waiting: below 1 nothing waits for room in a batch or in a KV cache.",
	},
	{
		ID: "fullest_engine_kv", Title: "fullest KV cache of the server", Unit: Share, Level: Server,
		Expr: `max by ($server) (max_over_time(vllm:kv_cache_usage_perc[$window]))`,
		Help: "The highest reading of its engines in the window.",
	},
	{
		ID: "hidden", Title: "requests that no gauge shows", Unit: Count, Level: Server,
		Formula: `clamp_min(inside - in_engine, 0)`,
		Help:    "Requests inside the server that the scheduler has not seen yet.",
	},
	{
		ID: "vllm_families", Title: "vLLM series on the page", Unit: YesNo, Level: Server,
		Expr: `group by ($server) (vllm:num_requests_running or vllm:num_requests_waiting or vllm:kv_cache_usage_perc or vllm:generation_tokens_total)` +
			` or 0 * count by ($server) (http_requests_total{handler=~"/v1/.*"})`,
		Help: "Whether the server shows any of vLLM's basic series: 0 when only its HTTP counters are there.",
	},
	{
		ID: "http_ok", Title: "answered requests", Unit: PerSecond, Level: Server,
		Expr: `sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST",status="2xx"}[$window]))`,
		Help: "HTTP requests to the API that ended with 2xx, those whose client left included.",
	},
	{
		ID: "http_all", Title: "HTTP requests", Unit: PerSecond, Level: Server,
		Expr: `sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST"}[$window]))`,
		Help: "HTTP requests to the API.",
	},
	{
		ID: "http_client_errors", Title: "HTTP 4xx", Unit: PerSecond, Level: Server,
		Expr: `sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST",status="4xx"}[$window]))`,
		Help: "Requests that the API process refused: unknown model, bad parameters, too long, not JSON.",
		Trap: "vLLM groups the codes; 400, 404 and 422 look alike.",
	},
	{
		ID: "http_server_errors", Title: "HTTP 5xx", Unit: PerSecond, Level: Server,
		Expr: `sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST",status="5xx"}[$window]))`,
		Help: "Requests that failed in the server, or were refused because it is full.",
	},
	{
		ID: "rejected", Title: "rejected at admission", Unit: PerSecond, Level: Server,
		Expr: `sum by ($server) (rate(vllm:admission_rejections_total[$window]))`,
		Help: "Requests refused because the queue is at its limit (--max-num-queued-reqs, --max-num-queued-tokens).",
	},
	{
		ID: "client_error_share", Title: "HTTP 4xx of all requests", Unit: Share, Level: Server, Count: "http_requests",
		Formula: `http_client_errors / http_all`,
		Help:    "The part of requests that the API refused as wrong.",
	},
	{
		ID: "server_error_share", Title: "HTTP 5xx of all requests", Unit: Share, Level: Server, Count: "http_requests",
		Formula: `http_server_errors / http_all`,
		Help:    "The part of requests that failed in the server.",
	},
	{
		ID: "http_requests", Title: "HTTP requests in the window", Unit: Count, Level: Server,
		Formula: `http_all * watched_seconds`,
		Help:    "How many requests the HTTP shares rest on.",
	},
	{
		ID: "counted_nowhere", Title: "answered requests that no counter has", Unit: PerSecond, Level: Server,
		Formula: `http_ok * clamp_min(1 - all_counters, 0)`,
		Help:    "Requests that were answered while no token was ever counted: what vLLM's counters say of them is not to be believed.",
	},
	{
		ID: "server_finished", Title: "finished requests", Unit: PerSecond, Level: Server, Unless: "counted_nowhere",
		Expr: `sum by ($server) (rate(vllm:request_success_total[$window]))`,
		Help: "Requests that the engines finished, for whatever reason.",
	},
	{
		ID: "server_finished_well", Title: "successful requests", Unit: PerSecond, Level: Server, Unless: "counted_nowhere",
		Expr: `sum by ($server) (rate(vllm:request_success_total{finished_reason=~"stop|length"}[$window]))`,
		Help: "Requests that ended with a stop or at their length.",
	},
	{
		ID: "refused_in_stream", Title: "refused inside a 200", Unit: PerSecond, Level: Server,
		Formula: `clamp_min(rejected - http_server_errors, 0) or 0 * http_ok`,
		Help:    "Streaming requests that admission control refused after the headers were sent.",
	},
	{
		ID: "turned_away", Title: "refused, or failed", Unit: PerSecond, Level: Server,
		Formula: `rejected or http_server_errors`,
		Help:    "Refused requests; where the release does not count them, all that failed in the server, of which they would be a part.",
	},
	{
		ID: "rejected_share", Title: "refused of all requests", Unit: Share, Level: Server, Count: "http_requests",
		Formula: `rejected / http_all`,
		Help:    "The part of requests that admission control refused.",
	},
	{
		ID: "left", Title: "requests whose client left", Unit: PerSecond, Level: Server,
		Formula: `clamp_min(http_ok - server_finished - refused_in_stream, 0)`,
		Help:    "Answered by HTTP and never finished by an engine: the cut requests, which no vLLM counter has.",
		Trap:    "Requests in flight add nothing to it, since both are counted at the end; a call with several prompts hides some.",
	},
	{
		ID: "left_share", Title: "clients that left", Unit: Share, Level: Server, Count: "http_requests",
		Formula: `left / http_ok`,
		Help:    "The part of answered requests whose client left before the end.",
	},
	{
		ID: "left_rise", Title: "clients that left, now / before", Unit: Ratio, Level: Server,
		Formula: overBefore("left_share", "left_share_before", "0.01"),
		Instead: hardlyBefore,
		Help:    "How many times the share of before.",
	},
	{
		ID: "client_error_rise", Title: "HTTP 4xx, now / before", Unit: Ratio, Level: Server,
		Formula: overBefore("client_error_share", "(client_error_share_before or 0 * client_error_share)", "0.01"),
		Instead: hardlyBefore,
		Help:    "How many times the share of before.",
	},
	{
		ID: "server_engine_errors", Title: "engine errors", Unit: PerSecond, Level: Server,
		Expr: `sum by ($server) (rate(vllm:request_success_total{finished_reason="error"}[$window]))`,
		Help: "Requests that failed inside an engine; each is an HTTP 500.",
	},
	{
		ID: "series_per_engine", Title: "series for one engine", Unit: Count, Level: Server,
		Expr: `max by ($server) (count by ($replica) (vllm:kv_cache_usage_perc))`,
		Help: "More than 1 when every API process shows its own copy of a gauge, most of them stale.",
	},
	{
		ID: "all_counters", Title: "everything ever counted", Unit: Count, Level: Server,
		Expr: `sum by ($server) (vllm:generation_tokens_total) + sum by ($server) (vllm:prompt_tokens_total)`,
		Help: "Tokens in and out since the process started.",
	},
	{
		ID: "page_moves", Title: "changes of the page", Unit: Count, Level: Server,
		Expr: `max by ($server) (changes(process_cpu_seconds_total[$window]))`,
		Help: "How often the CPU time of the process moved: a live page costs some CPU itself, so that 0 means an old page.",
	},
	{
		ID: "page_unchanged_for", Title: "since the page changed last", Unit: Seconds, Level: Server, Window: time.Hour,
		Expr: `time() - (max by ($server) (` + lastChange(`changes(process_cpu_seconds_total[$moment])`) +
			`) or min by ($server) (min_over_time(timestamp(process_cpu_seconds_total)[$window:15s])))`,
		Help: "How long ago the CPU time of the process moved, to a quarter of a minute and an hour at most; where it did not, how long it has been watched.",
	},
	{
		ID: "page_moves_short", Title: "changes of the page, 30 s", Unit: Count, Level: Server, Window: 30 * time.Second,
		Expr: `max by ($server) (changes(process_cpu_seconds_total[$window]))`,
		Help: "The same over half a minute: 0 is an old page, which proves no stop.",
	},
	{
		ID: "silent_exporters", Title: "GPU exporters that do not answer", Unit: Count, Level: Server, Setting: "silent_exporters",
		Help: "Targets that are known to export GPU metrics, and do not answer.",
	},
	{
		ID: "gpus", Title: "GPUs of the server", Unit: Count, Level: Server, Setting: "mapped_gpus",
		Help: "GPUs that are known to belong to the server.",
	},
	{
		ID: "unmapped_gpus", Title: "GPUs of no server", Unit: Count, Level: Server, Setting: "unmapped_gpus",
		Help: "GPUs that are watched, and that are not known to belong to any server: several could use them.",
	},
	{
		ID: "success_share", Title: "successful, of requests taken in", Unit: Share, Level: Server, Count: "http_requests",
		Formula: `server_finished_well / (server_finished + clamp_min(left or 0 * server_finished, 0) + (http_server_errors or 0 * server_finished))`,
		Help:    "Stop and length, of all that finished, was cut by its client, or failed with 5xx. 99.5 % and more is healthy.",
	},
	{
		ID: "watched_seconds", Title: "watched part of the window", Unit: Seconds, Level: Server, Setting: "watched_seconds",
		Help: "The part of the rate window in which the target has been scraped: all of it after the first minute.",
	},
}
