package diagnose

import "time"

// steadyWindow is how far back readings go from which a setting is worked out: as long as most rules that advise one hold before
// they fire.
const steadyWindow = 3 * time.Minute

// steadyRows are what settings are worked out from: over a minute the same readings swing, and an advice that changes with each scrape
// is not believed.
var steadyRows = []Signal{
	{
		ID: "running_steady", Title: "running, mean of 3 minutes", Unit: Count, Level: Replica, Window: steadyWindow, Rounded: true,
		Expr: `max by ($replica) (avg_over_time(vllm:num_requests_running[$window]))`,
		Help: "The mean batch of as long as a setting is worked out from.",
	},
	{
		ID: "waiting_steady", Title: "waiting, mean of 3 minutes", Unit: Count, Level: Replica, Window: steadyWindow,
		Expr: `max by ($replica) (avg_over_time(vllm:num_requests_waiting[$window])) or sum by ($replica) (avg_over_time(vllm:num_requests_waiting_by_reason[$window]))`,
		Help: "The mean queue of as long as a setting is worked out from.",
	},
	{ID: "itl_steady", Title: "inter-token p50 of 3 minutes", Unit: Seconds, Level: Replica, Of: "itl_steady", Take: Quantile(0.50), Help: "Half of the outputs came within it after the one before.", Trap: itlTrap},
	{
		ID: "prefill_steady", Title: "prefill average of 3 minutes", Unit: Seconds, Level: Replica, Window: steadyWindow,
		Expr: `sum by ($replica) (rate(vllm:request_prefill_time_seconds_sum[$window])) / sum by ($replica) (rate(vllm:request_prefill_time_seconds_count[$window]))`, Unless: "failed_loads",
		Help: "Mean time from the first scheduling to the first token, of finished requests.",
	},
	{
		ID: "model_running_steady", Title: "running on all replicas, mean of 3 minutes", Unit: Count, Level: Model, Window: steadyWindow,
		Expr: `sum by ($model) (max by ($replica) (avg_over_time(vllm:num_requests_running[$window])))`,
		Help: "The mean batches of the model's replicas, added up.",
	},
}
