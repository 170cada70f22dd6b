package diagnose

import "slices"

// allSignals is the catalogue in the order in which it is listed: what is scraped, what the scheduler does, how long requests
// take, what becomes of them, the GPUs, the fleet. Every signal is one row in the file of its topic.
var allSignals = slices.Concat(
	scrapeRows,
	serverRows,
	schedulerRows,
	tokenRows,
	latencyRows,
	requestRows,
	gpuRows,
	fleetRows,
	sloRows,
)

// shownSignals are those of the tables and small charts.
var shownSignals = []string{
	"up", "running", "waiting", "kv_usage", "ttft_p99", "ttft_p95", "ttft_p50", "tpot_p99", "tpot_p95", "tpot_p50", "generation_tokens_per_second", "gpu_busy",
	"sequence_cap", "requests_per_minute", "preemptions_per_minute", "uptime",
}
