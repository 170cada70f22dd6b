package diagnose

import "time"

// lifetimeAnswers are the tokens that a replica has generated for each first token since its process started: exactly 1 on a server that
// computes prompts for others. Failed and cut requests make it less elsewhere, and not nearly 1.
const lifetimeAnswers = `sum by ($replica) (vllm:generation_tokens_total) / (sum by ($replica) (vllm:time_to_first_token_seconds_count) > 0)`

// Of the replicas of a model, those that compute prompts for others, and those that write the answers.
const (
	ofPrefillNodes = ` and on ($replica) (` + lifetimeAnswers + ` <= 1.5)`
	ofDecodeNodes  = ` and on ($replica) (` + lifetimeAnswers + ` > 1.5)`
)

// Of a replica, how many wait for room, and how many wait for whatever reason.
const (
	meanForRoom = `max by ($replica) (avg_over_time(vllm:num_requests_waiting_by_reason{reason="capacity"}[$window]))`
	meanWaiting = `max by ($replica) (avg_over_time(vllm:num_requests_waiting[$window]))`
)

// transferTimes is the distribution of how long KV was on its way.
var transferTimes = Distribution{ID: "transfer_time", Level: Replica, Unit: Seconds, Expr: `sum by ($replica, le) (rate(vllm:nixl_xfer_time_seconds_bucket[$window]))`}

// roleRows say which servers of a model compute prompts and which write answers.
var roleRows = []Signal{
	{
		ID: "answer_length", Title: "tokens an answer since the start", Unit: Tokens, Level: Replica,
		Expr: lifetimeAnswers,
		Help: "Tokens generated for each first token, in the life of the process.",
	},
	{
		ID: "prefill_nodes", Title: "prefill servers", Unit: Count, Level: Model, Every: SlowInterval,
		Expr: `count by ($model) (` + lifetimeAnswers + ` <= 1.5) or 0 * count by ($model) (vllm:num_requests_running)`,
		Help: "Engines of the model whose answers have one token.",
	},
	{
		ID: "decode_nodes", Title: "decode servers", Unit: Count, Level: Model, Every: SlowInterval,
		Expr: `count by ($model) (` + lifetimeAnswers + ` > 1.5) or 0 * count by ($model) (vllm:num_requests_running)`,
		Help: "Engines of the model that write whole answers.",
	},
	{
		ID: "disaggregated", Title: "prefill and decode apart", Unit: YesNo, Level: Model,
		Formula: `clamp_max(prefill_nodes * decode_nodes, 1)`,
		Help:    "Whether some servers of the model give one token an answer and others whole answers: the first compute prompts for the second.",
	},
	{
		ID: "transfers_on", Title: "NIXL connector", Unit: YesNo, Level: Replica,
		Expr: `group by ($replica) (vllm:nixl_xfer_time_seconds_count) or 0 * max by ($replica) (vllm:num_requests_running)`,
		Help: "Whether the engine has the NIXL connector: vLLM shows its figures only then.",
	},
	{
		ID: "hands_over", Title: "part of a disaggregated deployment", Unit: YesNo, Level: Replica,
		Formula: `clamp_max(transfers_on + disaggregated, 1)`,
		Help:    "Whether KV is handed from one server to another here.",
	},
	{
		ID: "prefill_node", Title: "prefill server", Unit: YesNo, Level: Replica,
		Formula: `floor(clamp_max(1.5 / answer_length, 1)) * hands_over`,
		Help:    "Whether the server computes prompts for others: its answers have one token. One that classifies does the same, and has no peer that writes.",
	},
}

// transferRows are about the way of the KV from one server to the other.
var transferRows = []Signal{
	{
		ID: "transfers_per_second", Title: "KV transfers", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:nixl_xfer_time_seconds_count[$window]))`,
		Help: "Reads of a prompt's KV that came through; one for each rank. Counted where it is read.",
	},
	{
		ID: "transfer_average", Title: "KV transfer average", Unit: Seconds, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:nixl_xfer_time_seconds_sum[$window])) / sum by ($replica) (rate(vllm:nixl_xfer_time_seconds_count[$window]))`,
		Help: "Mean time that the KV of a prompt is on its way, its wait for others included.",
	},
	{ID: "transfer_p95", Title: "KV transfer p95", Unit: Seconds, Level: Replica, Of: "transfer_time", Take: Quantile(0.95), Help: "95 % of the transfers took this long at most.", Trap: "The last bucket ends at 5 s."},
	{
		ID: "transfer_before", Title: "KV transfer average, usual in 30 minutes", Unit: Seconds, Level: Replica, Window: 30 * time.Minute, Every: SlowInterval,
		Expr: `max by ($replica) (quantile_over_time(0.1, (sum by ($replica) (rate(vllm:nixl_xfer_time_seconds_sum[1m])) / sum by ($replica) (rate(vllm:nixl_xfer_time_seconds_count[1m])))[$window:30s]))`,
		Help: "The lower tenth of its minutes, so that it stays what it was while transfers get slow.",
	},
	{
		ID: "transfer_rise", Title: "KV transfer against before", Unit: Ratio, Level: Replica,
		Formula: `transfer_average / transfer_before`,
		Help:    "How many times as long a transfer takes.",
	},
	{
		ID: "transfer_bytes", Title: "KV of a transfer", Unit: Bytes, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:nixl_bytes_transferred_sum[$window])) / sum by ($replica) (rate(vllm:nixl_bytes_transferred_count[$window]))`,
		Help: "Mean size of what one rank reads for a prompt.",
	},
	{
		ID: "transfer_speed", Title: "KV a second of transfer", Unit: Bytes, Level: Replica,
		Formula: `transfer_bytes / transfer_average`,
		Help:    "Bytes over the time that they are on their way, of one transfer: RDMA makes tens of gigabytes a second, TCP one.",
		Trap:    "Transfers that share the way have less each.",
	},
	{
		ID: "transferred_per_second", Title: "KV read a second", Unit: Bytes, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:nixl_bytes_transferred_sum[$window]))`,
		Help: "Bytes that came over the network, of all ranks and transfers.",
	},
	{
		ID: "model_prefill_seconds_per_token", Title: "prefill a computed token, prefill servers", Unit: Seconds, Level: Model,
		Expr: `sum by ($model) (sum by ($replica) (rate(vllm:request_prefill_time_seconds_sum[$window]))` + ofPrefillNodes + `)` +
			` / sum by ($model) (sum by ($replica) (rate(vllm:request_prefill_kv_computed_tokens_sum[$window]))` + ofPrefillNodes + `)`,
		Help: "Time in prefill over the tokens that were computed in it, of the servers that compute prompts for others.",
	},
	{
		ID: "compute_instead", Title: "computing the prompt instead", Unit: Seconds, Level: Replica,
		Formula: `prompt_length * model_prefill_seconds_per_token`,
		Help:    "How long the mean prompt takes to compute, as fast as the prefill servers are.",
	},
	{
		ID: "transfer_of_compute", Title: "KV transfer / computing instead", Unit: Ratio, Level: Replica,
		Formula: `transfer_average / compute_instead`,
		Help:    "Above 1 the transfer takes longer than computing the prompt where it is needed: it does not pay.",
	},
	{
		ID: "failed_transfer_rate", Title: "failed KV reads", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:nixl_num_failed_transfers_total[$window]))`,
		Help: "Reads of KV that failed, on each rank; in newer releases failed notifications too.",
	},
	{
		ID: "failed_notifications", Title: "failed KV notifications", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:nixl_num_failed_notifications_total[$window]))`,
		Help: "Messages between the two servers that failed: the other side keeps its blocks until the lease ends.",
	},
	{
		ID: "failed_transfers", Title: "failed KV transfers", Unit: PerSecond, Level: Replica,
		Formula: `failed_transfer_rate + clamp_min(failed_notifications - failed_transfer_rate, 0)`,
		Help:    "Reads or messages, whichever are more: newer releases count the second among the first.",
	},
	{
		ID: "failed_loads", Title: "requests given up for their KV", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:request_success_total{finished_reason="error"}[$window])) and on ($replica) (sum by ($replica) (rate(vllm:nixl_num_failed_transfers_total[$window])) > 0)`,
		Help: "Requests that failed in the engine while KV transfers failed.",
		Trap: "vLLM takes the moments that never were for 0: the times in queue and prefill of such a request are as long as the host's uptime (vLLM #49135), and are left out here.",
	},
	{
		ID: "failed_transfer_share", Title: "failed KV transfers of all", Unit: Share, Level: Replica,
		Formula: `failed_transfers / (failed_transfers + transfers_per_second)`,
		Help:    "The part of the transfers that failed.",
	},
	{
		ID: "kv_expired", Title: "expired KV leases", Unit: PerSecond, Level: Replica,
		Expr: `sum by ($replica) (rate(vllm:nixl_num_kv_expired_reqs_total[$window])) or 0 * max by ($replica) (vllm:num_requests_running)`,
		Help: "Prompts whose KV nobody read in time; counted where it was computed, since vLLM 0.15.",
		Trap: "In some versions a reader that comes late gets another request's KV, with HTTP 200.",
	},
	{
		ID: "kv_expired_share", Title: "expired KV leases of prompts", Unit: Share, Level: Replica,
		Formula: `kv_expired / admissions_per_second`,
		Help:    "The part of the computed prompts whose KV nobody read in time.",
	},
	{
		ID: "kv_waiting", Title: "waiting for KV", Unit: Count, Level: Replica,
		Formula: `deferred_mean or waiting_mean`,
		Help:    "Requests that wait for something else than room, mean of the window; all that wait where vLLM does not tell the reason.",
	},
	{
		ID: "kv_waiting_share", Title: "waiting for KV of waiting", Unit: Share, Level: Replica,
		Formula: `deferred_share or 1 + 0 * waiting`,
		Help:    "The part of the queue that waits for something else than room; all of it where vLLM does not tell the reason.",
	},
	{
		ID: "held_up_by_kv", Title: "held up by another server", Unit: Share, Level: Replica,
		Formula: `clamp_max((deferred_share or 0 * running) * transfers_on + (prefill_node or 0 * running) * floor(clamp_max(kv_usage / 0.85, 1)), 1)`,
		Help:    "The part of the queue that waits for KV from another server, or all of it at a prefill server whose cache others have to read first; 0 where nothing is handed over.",
	},
}

// poolRows compare the servers that compute prompts with those that write answers.
var poolRows = []Signal{
	{
		ID: "prefill_queue", Title: "queue of a prefill server", Unit: Count, Level: Model,
		Expr: `avg by ($model) (` + meanWaiting + ofPrefillNodes + `)`,
		Help: "Requests that wait at a server that computes prompts, mean over these servers.",
	},
	{
		ID: "decode_queue", Title: "queue for room of a decode server", Unit: Count, Level: Model,
		Expr: `avg by ($model) (` + meanForRoom + ofDecodeNodes + `)`,
		Help: "Requests that wait for room at a server that writes answers, mean over these servers; those that wait for their KV are not in it.",
	},
	{
		ID: "decode_waiting", Title: "queue of a decode server", Unit: Count, Level: Model,
		Expr: `avg by ($model) (` + meanWaiting + ofDecodeNodes + `)`,
		Help: "Requests that wait at a server that writes answers, for room or for their KV, mean over these servers.",
	},
	{
		ID: "decode_pressed", Title: "queue of a decode server that needs room", Unit: Count, Level: Model,
		Formula: `decode_queue or decode_waiting`,
		Help:    "Those that wait for room; all that wait where vLLM does not tell the reason.",
	},
	{
		ID: "decode_kv", Title: "KV cache of a decode server", Unit: Share, Level: Model,
		Expr: `avg by ($model) (max by ($replica) (avg_over_time(vllm:kv_cache_usage_perc[$window]))` + ofDecodeNodes + `)`,
		Help: "Mean over the servers that write answers.",
	},
	{
		ID: "prefill_kv", Title: "KV cache of a prefill server", Unit: Share, Level: Model,
		Expr: `avg by ($model) (max by ($replica) (avg_over_time(vllm:kv_cache_usage_perc[$window]))` + ofPrefillNodes + `)`,
		Help: "Mean over the servers that compute prompts. They keep blocks until these are read.",
	},
	{
		ID: "prefill_queue_share", Title: "queue share at the prefill servers", Unit: Share, Level: Model,
		Expr: `sum by ($model) (sum by ($replica) (rate(vllm:request_queue_time_seconds_sum[$window]))` + ofPrefillNodes + `)` +
			` / sum by ($model) (sum by ($replica) (rate(vllm:time_to_first_token_seconds_sum[$window]))` + ofPrefillNodes + `)`,
		Help: "The part of the time to the token of a prefill server that is spent in its queue.",
	},
	{
		ID: "prefill_busy", Title: "running at a prefill server", Unit: Count, Level: Model,
		Expr: `avg by ($model) (max by ($replica) (avg_over_time(vllm:num_requests_running[$window]))` + ofPrefillNodes + `)`,
		Help: "Requests in the batch of a server that computes prompts, mean over these servers.",
	},
	{
		ID: "prefill_servers_needed", Title: "prefill servers that the load takes", Unit: Count, Level: Model,
		Formula: `prefill_nodes + 1 + clamp_min(floor(prefill_nodes * prefill_arrivals / prefill_served) - prefill_nodes, 0)`,
		Help:    "What comes, over what one of them computes now while its queue is not empty; never fewer than one more than there are: it is told of a pool that is too small.",
	},
	{
		ID: "prefill_arrivals", Title: "prompts that come", Unit: PerSecond, Level: Model,
		Expr: `sum by ($model) (` + replicaArrivals + ofPrefillNodes + `)`,
		Help: "First tokens and growth of the queues of the servers that compute prompts.",
	},
	{
		ID: "prefill_served", Title: "prompts that are computed", Unit: PerSecond, Level: Model,
		Expr: `sum by ($model) (sum by ($replica) (rate(vllm:time_to_first_token_seconds_count[$window]))` + ofPrefillNodes + `)`,
		Help: "First tokens of the servers that compute prompts.",
	},
	{
		ID: "decode_servers_needed", Title: "decode servers that the load takes", Unit: Count, Level: Model,
		Formula: `decode_nodes + 1 + clamp_min(floor(decode_nodes * decode_arrivals / decode_served) - decode_nodes, 0)`,
		Help:    "What comes, over what one of them finishes now while it is full; never fewer than one more than there are: it is told of a pool that is too small.",
	},
	{
		ID: "decode_arrivals", Title: "answers that are asked for", Unit: PerSecond, Level: Model,
		Expr: `sum by ($model) (` + replicaArrivals + ofDecodeNodes + `)`,
		Help: "First tokens and growth of the queues of the servers that write answers.",
	},
	{
		ID: "decode_served", Title: "answers that end", Unit: PerSecond, Level: Model,
		Expr: `sum by ($model) (sum by ($replica) (rate(vllm:request_success_total[$window]))` + ofDecodeNodes + `)`,
		Help: "Finished requests of the servers that write answers.",
	},
}
