package diagnose

import "time"

// A timed objective is one of the times that an objective sets, with the histogram that it is judged by.
type timed struct {
	name, bound string // of signals and of the setting
	title, what string
	expr, less  string // buckets a second, and observations that are none
	replicas    string // the distribution of replicas whose sum it is in the usual window
	trap        string
}

// oneToken are answers of a single token: they have no time per output token, and are told as 0 (vLLM's source).
const oneToken = `(rate(vllm:request_generation_tokens_bucket{le=~"1(\\.0)?"}[$window]))`

var timedObjectives = []timed{
	{
		name: "ttft", bound: "slo_ttft", title: "TTFT", what: "first tokens later", replicas: "ttft", trap: ttftTrap,
		expr: `sum by ($model, le) (rate(vllm:time_to_first_token_seconds_bucket[$window]))`,
	},
	{
		name: "tpot", bound: "slo_tpot", title: "TPOT", what: "requests with tokens farther apart", replicas: "tpot", trap: tpotTrap,
		expr: `sum by ($model, le) (rate(vllm:request_time_per_output_token_seconds_bucket[$window]))`, less: `sum by ($model) ` + oneToken,
	},
	{
		name: "e2e", bound: "slo_e2e", title: "request time", what: "requests that took longer",
		expr: `sum by ($model, le) (rate(vllm:e2e_request_latency_seconds_bucket[$window]))`,
	},
	{
		name: "queue", bound: "slo_queue", title: "queue time", what: "requests that queued longer",
		expr: `sum by ($model, le) (rate(vllm:request_queue_time_seconds_bucket[$window]))`,
	},
}

// burnWindows are those of the burn rates, the shortest first.
var burnWindows = []struct {
	name, title string
	span        time.Duration
}{
	{"5m", "5 minutes", 5 * time.Minute},
	{"30m", "30 minutes", 30 * time.Minute},
	{"1h", "1 hour", time.Hour},
	{"6h", "6 hours", 6 * time.Hour},
	{"3d", "3 days", 72 * time.Hour},
}

// sloDistributions are those of each time, over the usual window and those of the burn rates.
func sloDistributions() []Distribution {
	var all []Distribution
	for _, o := range timedObjectives {
		all = append(all, Distribution{ID: "model_" + o.name, Level: Model, Unit: Seconds, Sums: o.replicas, Expr: o.expr, Less: o.less})
		shorter := ""
		for _, w := range burnWindows {
			id := "model_" + o.name + "_" + w.name
			all = append(all, Distribution{ID: id, Level: Model, Unit: Seconds, Window: w.span, Every: everyFor(w.span), Expr: o.expr, Less: o.less, Shorter: shorter})
			shorter = id
		}
	}
	return all
}

// sloSignals are, of each time and window, the share of requests that missed it and how many times that is what may.
func sloSignals() []Signal {
	var all []Signal
	for _, o := range timedObjectives {
		all = append(all, o.signals("", "")...)
		for _, w := range burnWindows {
			all = append(all, o.signals("_"+w.name, ", "+w.title)...)
		}
		all = append(all, Signal{
			ID: "model_" + o.name + "_budget_left", Title: o.title + " budget of 30 days left, at most", Unit: Share, Level: Model,
			Formula: `clamp_min(1 - model_` + o.name + `_burn_6h * clamp_max(observed_seconds, 21600) / 2592000, 0)`,
			Help:    "What the last six hours, or as much as there is, have left of the misses that a month may have.",
		}, Signal{
			ID: "model_" + o.name + "_missed_1h", Title: o.title + " over the objective, requests in 1 hour", Unit: Count, Level: Model,
			Formula: `model_` + o.name + `_over_slo_1h * model_first_tokens_1h`,
			Help:    "How many requests missed it for certain: with little traffic a share says less.",
		})
	}
	return all
}

func (o timed) signals(suffix, title string) []Signal {
	over := "model_" + o.name + "_over_slo" + suffix
	return []Signal{{
		ID: over, Title: o.title + " over the objective" + title, Unit: Share, Level: Model, Of: "model_" + o.name + suffix, Take: ShareOver(o.bound),
		Help: "The part of " + o.what + " than the objective, over all replicas; an interval where that is no bucket edge.", Trap: o.trap,
	}, {
		ID: "model_" + o.name + "_burn" + suffix, Title: o.title + " misses / allowed" + title, Unit: Ratio, Level: Model,
		Formula: over + ` / slo_allowed`,
		Help:    "The burn rate: 1 uses up just what the objective allows.",
	}}
}

// queuedSum is the time in queues that is told a second.
const queuedSum = `sum by ($model) (rate(vllm:request_queue_time_seconds_sum[$window]))`

// sloRows say what is wanted of a model, and how far it is from it.
var sloRows = append([]Signal{
	{ID: "slo_e2e", Title: "request objective", Unit: Seconds, Level: Model, Setting: "slo_e2e", Help: "So long a request is to take at most (--slo)."},
	{ID: "slo_queue", Title: "queue objective", Unit: Seconds, Level: Model, Setting: "slo_queue", Help: "So long a request is to queue at most (--slo)."},
	{ID: "slo_feels", Title: "TTFT that feels immediate", Unit: Seconds, Level: Model, Setting: "slo_feels", Help: "A second mark; nobody is alarmed for it."},
	{ID: "slo_allowed", Title: "misses allowed", Unit: Share, Level: Model, Setting: "slo_allowed", Help: "The share of requests that may miss an objective (--slo)."},
	{ID: "slo_failures", Title: "failures allowed", Unit: Share, Level: Model, Setting: "slo_failures", Help: "The share of requests that may fail (--slo)."},
	{
		ID: "observed_seconds", Title: "observed", Unit: Seconds, Level: Model, Setting: "observed_seconds",
		Help: "From the first data to now.",
	},
	{
		ID: "model_ttft_over_feels", Title: "TTFT over the mark that feels immediate", Unit: Share, Level: Model, Of: "model_ttft", Take: ShareOver("slo_feels"),
		Help: "The part of first tokens that do not feel immediate. It is no alarm.",
	},
	{ID: "model_first_tokens", Title: "first tokens in the window", Unit: Count, Level: Model, Of: "model_ttft", Take: Observations(), Help: "How many requests of the model reached their first token."},
	{
		ID: "model_work_lately", Title: "requests in hand or admitted in 20 s, all replicas", Unit: Count, Level: Model, Window: 20 * time.Second,
		Expr: `sum by ($model) (max_over_time(vllm:num_requests_running[$window])) + sum by ($model) (max_over_time(vllm:num_requests_waiting[$window]))` +
			` + sum by ($model) (increase(vllm:time_to_first_token_seconds_count[$window]))`,
		Help: "0 once a load has ended, while what it met is still in the window.",
	},
	{
		ID: "model_waiting", Title: "waiting, all replicas", Unit: Count, Level: Model,
		Expr: `sum by ($model) (vllm:num_requests_waiting) or sum by ($model) (vllm:num_requests_waiting_by_reason)`,
		Help: "Requests in the queues of the model's replicas now.",
	},
	{
		ID: "model_queued_share", Title: "queue share of the time to the first token, all replicas", Unit: Share, Level: Model,
		Expr: queuedSum + ` / (` + queuedSum + ` + sum by ($model) (rate(vllm:request_prefill_time_seconds_sum[$window]))` +
			` + clamp_min(sum by ($model) (rate(vllm:e2e_request_latency_seconds_sum[$window])) - ` + queuedSum +
			` - sum by ($model) (rate(vllm:request_inference_time_seconds_sum[$window])), 0))`,
		Help: "Of frontend, queue and prefill, of finished requests. From a half on it was queues that made first tokens late.",
	},
	{
		ID: "model_stopped_ago", Title: "since an engine stood still", Unit: Seconds, Level: Model, Window: backlogOfStop,
		Expr: `time() - max by ($model) (` + lastStop + `)`,
		Help: "How long ago the last of the model's engines went on again that had stood still with requests for half a minute, in two minutes.",
	},
	{
		ID: "model_failed_scrapes", Title: "failed scrapes of a server, 2 minutes", Unit: Count, Level: Model, Window: backlogOfStop,
		Expr: `max by ($model) (0 * vllm:num_requests_running + on ($target) group_left () (` + failedScrapes + `))`,
		Help: "How many scrapes of the last two minutes failed, at the server of the model that missed the most.",
	},
	{ID: "model_first_tokens_1h", Title: "first tokens in 1 hour", Unit: Count, Level: Model, Of: "model_ttft_1h", Take: Observations(), Help: "How many requests a burn rate over an hour rests on."},
	{ID: "model_first_tokens_6h", Title: "first tokens in 6 hours", Unit: Count, Level: Model, Of: "model_ttft_6h", Take: Observations(), Help: "How many requests a burn rate over six hours rests on."},
	{
		ID: "model_failed_share", Title: "failed requests", Unit: Share, Level: Model, Bound: "slo_failures", Expr: failedShare,
		Help: "Neither ended with a stop nor at their length: given up by an engine, or answered with 5xx. What its client cut is not in it.",
	},
	{
		ID: "model_failures_burn", Title: "failures / allowed", Unit: Ratio, Level: Model,
		Formula: `model_failed_share / slo_failures`,
		Help:    "The burn rate of failures: 1 uses up just what the objective allows.",
	},
}, sloSignals()...)

// failedPerSecond are the requests of a model that fail: those that its engines gave up or found repeating, and what its servers answered
// with 5xx, which every error of an engine is as well.
const failedPerSecond = `((sum by ($model) (rate(vllm:request_success_total{finished_reason=~"abort|repetition"}[$window])) or 0 * sum by ($model) (rate(vllm:request_success_total[$window]))) + ` +
	`(sum by ($model) (group by ($server, model_name) (vllm:num_requests_running) * on ($server) group_left () sum by ($server) (rate(http_requests_total{handler=~"/v1/.*",method="POST",status="5xx"}[$window])))` +
	` or sum by ($model) (rate(vllm:request_success_total{finished_reason="error"}[$window]))))`

const failedShare = failedPerSecond + ` / (` + failedPerSecond + ` + sum by ($model) (rate(vllm:request_success_total{finished_reason=~"stop|length"}[$window])))`
