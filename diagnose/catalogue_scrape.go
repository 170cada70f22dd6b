package diagnose

import "time"

const failedScrapes = `count_over_time(up[$window]) - sum_over_time(up[$window])`

// scrapeRows are about scraping itself. They hold while a target is down.
var scrapeRows = []Signal{
	{
		ID: "up", Title: "up", Unit: YesNo, Level: Target, Ungated: true,
		Expr: `max by ($target) (up)`,
		Help: "1 when the last scrape succeeded, 0 when it failed.",
	},
	{
		ID: "ever_up", Title: "answered within the hour", Unit: YesNo, Level: Target, Window: time.Hour, Ungated: true,
		Expr: `max by ($target) (max_over_time(up[$window]))`,
		Help: "1 when any scrape of the last hour succeeded.",
	},
	{
		ID: "never_down", Title: "answered throughout the hour", Unit: YesNo, Level: Target, Window: time.Hour, Every: SlowInterval, Ungated: true,
		Expr: `min by ($target) (min_over_time(up[$window]))`,
		Help: "0 when any scrape of the last hour failed.",
	},
	{
		ID: "scrapes", Title: "good scrapes in the window", Unit: Count, Level: Target, Ungated: true,
		Expr: `max by ($target) (sum_over_time(up[$window]))`,
		Help: "How many scrapes the rates of the window rest on.",
	},
	{
		ID: "failed_scrapes", Title: "failed scrapes, 2 minutes", Unit: Count, Level: Target, Window: backlogOfStop, Ungated: true,
		Expr: `max by ($target) (` + failedScrapes + `)`,
		Help: "How many scrapes of the last two minutes failed: what came while the server did not answer is read late.",
	},
	{
		ID: "first_page", Title: "time of the first page in the window", Unit: Timestamp, Level: Target, Ungated: true,
		Expr: `min by ($target) (min_over_time((timestamp(up) and last_over_time(up[$sixtieth]) == 1)[$window:$sixtieth]))`,
		Help: "Since when the target is seen, while it is new or was away.",
	},
	{
		ID: "new_processes", Title: "new processes in the window", Unit: Count, Level: Target, Ungated: true,
		Expr: `max by ($target) (changes(process_start_time_seconds[$window])) or max by ($target) (resets(vllm:generation_tokens_total[$window]))`,
		Help: "How often the page was of another process than the page before: nothing is known of what was counted between the two.",
	},
	{
		ID: "last_scrape", Title: "time of the last scrape", Unit: Timestamp, Level: Target, Ungated: true,
		Expr: `max by ($target) (timestamp(up))`,
		Help: "When the newest page was asked for.",
	},
	{
		ID: "scrape_seconds", Title: "duration of the last scrape", Unit: Seconds, Level: Target, Ungated: true,
		Expr: `max by ($target) (scrape_duration_seconds)`,
		Help: "How long the last scrape took, until its end or its time-out.",
		Trap: "A slow page of a vLLM server is a symptom: the page is made by the process that also serves the requests.",
	},
	{
		ID: "scrape_seconds_median", Title: "scrape duration, median", Unit: Seconds, Level: Target, Ungated: true,
		Expr: `max by ($target) (quantile_over_time(0.5, scrape_duration_seconds[$window]))`,
		Help: "The lag of the API process's event loop, for free: 5 ms when idle, 0.5 to 1.3 s where it was the bottleneck.",
	},
	{
		ID: "scrape_timeout", Title: "scrape time-out", Unit: Seconds, Level: Target, Ungated: true,
		Expr: `max by ($target) (scrape_timeout_seconds)`,
		Help: "After how long a scrape is given up.",
	},
	{
		ID: "scrape_of_timeout", Title: "scrape duration, share of its time-out", Unit: Share, Level: Target, Ungated: true,
		Formula: `scrape_seconds / scrape_timeout`,
		Help:    "How near the last scrape came to being given up.",
	},
	{
		ID: "scrape_samples", Title: "samples on the page", Unit: Count, Level: Target,
		Expr: `max by ($target) (scrape_samples_scraped)`,
		Help: "How many samples the last page had.",
	},
	{
		ID: "bad_lines", Title: "bad lines on the page", Unit: Count, Level: Target,
		Expr: `max by ($target) (vllmscope_bad_lines)`,
		Help: "Lines of the last page that could not be read and were skipped.",
	},
	{
		ID: "scrape_error", Title: "scrape error", Unit: Count, Level: Target, Ungated: true, Info: scrapeError, Label: "error",
		Help: "What failed in the last scrape, and the way out.",
	},
	{
		ID: "failure", Title: "kind of failure", Unit: Code, Level: Target, Ungated: true, Words: failureWords,
		Expr: `max by ($target) (
		         1 * vllmscope_scrape_error{class="refused"}
		         or 2 * vllmscope_scrape_error{class=~"timeout|closed|truncated|unreachable"}
		         or 3 * vllmscope_scrape_error{class=~"tls|unauthorized|forbidden"}
		         or 4 * vllmscope_scrape_error{class=~"redirect|not_found|not_metrics|too_big|encoding"}
		         or 5 * vllmscope_scrape_error{class="status"}
		         or 6 * vllmscope_scrape_error{class="internal"}
		         or 7 * vllmscope_scrape_error{class="dns"})`,
		Help: "What the failure of the last scrape takes to mend.",
	},
	{
		ID: "health", Title: "/health is 200", Unit: YesNo, Level: Target, Ungated: true,
		Expr: `max by ($target) (vllmscope_health)`,
		Help: "0 when /health did not answer 200. It is asked only when a scrape failed or a rule suspects a stop.",
		Trap: "A hung engine keeps answering 200.",
	},
	{
		ID: "peers", Title: "servers of its model that answer", Unit: Count, Level: Target, Window: 10 * time.Minute, Ungated: true,
		Expr: `max by ($target) (0 * last_over_time(vllm:num_requests_running[$window])
		       + on (model_name) group_left () count by (model_name) (group by ($server, model_name) (vllm:num_requests_running)))`,
		Help: "How many servers have the model of this one, itself included while it answers.",
	},
	{
		ID: "left_with", Title: "requests at its last good scrape", Unit: Count, Level: Target, Window: 10 * time.Minute, Ungated: true,
		Expr: `sum by ($target) (last_over_time(vllm:num_requests_running[$window])) + sum by ($target) (last_over_time(vllm:num_requests_waiting[$window]))` +
			` and on ($target) (up == 0)`,
		Help: "Running and waiting at its last good scrape of ten minutes, of a target that does not answer: 0 when the server had been emptied before it stopped.",
	},
	{
		ID: "restarted_with", Title: "requests when it went away", Unit: Count, Level: Target, Window: 40 * time.Minute,
		Expr: `max by ($target) (max_over_time((
		         (sum by ($target) (vllm:num_requests_running offset 30s) + sum by ($target) (vllm:num_requests_waiting offset 30s))
		         and on ($target) (up == 0)
		       )[$window:30s]))`,
		Help: "Running and waiting half a minute before it did not answer, the most of as long as restarts are told: 0 when the server had been emptied before it stopped.",
		Trap: "Absent when it was away for less than half a minute.",
	},
	{
		ID: "silent_exporter", Title: "only a GPU exporter", Unit: YesNo, Level: Target, Setting: "silent_exporter",
		Help: "Whether a target that does not answer is known to export GPU metrics.",
	},
}

// Kinds of failed scrapes.
const (
	failedRefused = iota + 1
	failedSilent
	failedDenied
	failedMisplaced
	failedStatus
	failedInternal
	failedUnnamed
)

var failureWords = map[int]string{
	failedRefused: "nothing listens", failedSilent: "no answer", failedDenied: "not let in", failedMisplaced: "no metrics page there",
	failedStatus: "HTTP error", failedInternal: "a fault of vllmscope", failedUnnamed: "name not found",
}
