package diagnose

import "slices"

// allSignals is the catalogue in the order in which it is listed: what is scraped, what the scheduler does, how long requests
// take, what becomes of them, the GPUs, the fleet, how much of it is needed, where the load goes, what work it is, what it costs, what
// hardware and model allow. Every signal is one row in the file of its topic.
var allSignals = slices.Concat(
	scrapeRows,
	serverRows,
	startRows,
	schedulerRows,
	adapterRows,
	tokenRows,
	cacheRows,
	speculationRows,
	latencyRows,
	coarseRows,
	requestRows,
	outputRows,
	changeRows,
	usualRows(allUsual),
	gpuRows,
	gpuMemoryRows,
	fleetRows,
	capacityRows,
	demandRows,
	workloadRows,
	costRows,
	trendRows,
	gpuHealthRows,
	linkRows,
	peerRows,
	roleRows,
	transferRows,
	poolRows,
	sheetRows,
	rooflineRows,
	batchRows,
	steadyRows,
	sloRows,
)

// shownSignals are those of the tables and small charts.
var shownSignals = []string{
	"up", "running", "waiting", "kv_usage", "ttft_p99", "ttft_p95", "ttft_p50", "tpot_p99", "tpot_p95", "tpot_p50", "generation_tokens_per_second", "gpu_busy",
	"sequence_cap", "requests_per_minute", "preemptions_per_minute", "uptime", "all_counters",
}
