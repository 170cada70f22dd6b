package diagnose

import "time"

// Forms of a transfer stall.
var (
	transfersFail = Is{"failed_transfer_share", AtLeast, 0.01, Judgement}
	leasesExpire  = Is{"kv_expired_share", AtLeast, 0.01, Judgement}
	// Blocks are kept until they are read; while decode is full, it is not the transfers that keep them (H2).
	nobodyReads = All{
		Is{"prefill_node", AtLeast, 1, InSource},
		Is{"running_mean", Below, 1, InSource},
		Is{"kv_median", AtLeast, 0.5, Judgement},
		Is{"decode_kv", Below, 0.5, Stated(dynamo)},
		Is{"decode_pressed", Below, 5, Stated(platforms)},
	}
	transfersCrawl  = Any{Is{"transfer_p95", Above, 0.5, Judgement}, All{Is{"transfer_average", AtLeast, 0.1, Judgement}, Is{"transfer_rise", AtLeast, 3, Judgement}}}
	nothingGetsOver = All{
		Is{"prefill_node", AtMost, 0, InSource},
		Is{"kv_waiting", AtLeast, 1, InSource},
		Is{"kv_waiting_share", AtLeast, 0.8, Judgement},
		Any{Is{"transfers_per_second", AtMost, 0, InSource}, All{Is{"running_fall", AtLeast, 0.3, Judgement}, Is{"gpu_busy", Below, 0.3, Judgement}}},
	}
)

// disaggregationRules ask whether servers that compute prompts and servers that write answers reach each other, and fit each other.
var disaggregationRules = []Rule{
	{
		Code: "H1", Name: "PD_TRANSFER_STALL", Title: "KV transfers", Level: Replica, Severity: Warning, Hold: time.Minute,
		When: All{
			Is{"hands_over", AtLeast, 1, InSource},
			Any{transfersFail, leasesExpire, nobodyReads, transfersCrawl, nothingGetsOver},
		},
		// Slow transfers may still be in time; failed ones are felt, or paid for with blocks and work.
		Mild: All{
			Is{"failed_transfers", AtMost, 0, Judgement},
			Is{"kv_expired", AtMost, 0, Judgement},
			Is{"transfers_per_second", Above, 0, Judgement},
			modelInTime,
		},
		Explains: map[Match][]string{SameReplica: {"D2", "D3", "D4", "D5", "D8", "E1", "E2", "E4", "I4"}, SameServer: {"D6", "F3", "F4"}, SameModel: {"H2", "E6"}},
		RuledOut: []Because{{"B4", "moves"}, {"H2", "decode_queue"}, {"D5", "kv_median"}},
		Cases: []Case{{
			If:       All{transfersFail, Is{"server_engine_errors", Above, 0, InSource}},
			Name:     "fail, and their requests with them",
			Sentence: "{failed_transfer_share} of the KV transfers fail, and the engine gives their requests up ({server_engine_errors}).",
			Actions: []Action{
				{Now, "look at the network cards and links between the two servers (`ibstat; rdma statistic; dmesg -T | tail -n 50`) and at the connector's log; take the pair with the bad card out", "failed_transfer_share"},
				{Restart, "set kv_load_failure_policy to recompute, so that a lost transfer costs a prefill instead of the request", "server_engine_errors"},
			},
		}, {
			If:       transfersFail,
			Name:     "fail, and prompts are computed again",
			Sentence: "{failed_transfer_share} of the KV transfers fail; this server computes those prompts again ({computed_prompt_tokens_per_second}) between its answers.",
			Actions: []Action{
				{Now, "look at the network cards and links between the two servers (`ibstat; rdma statistic; dmesg -T | tail -n 50`) and at the connector's log; restart the pair that fails", "failed_transfer_share"},
			},
		}, {
			If:       leasesExpire,
			Name:     "nobody reads in time",
			FarEnd:   true,
			Sentence: "{kv_expired_share} of the prompts computed here are not read before their lease ends ({kv_expired}); until then their KV takes {kv_usage} of the cache with {running} running.",
			Actions: []Action{
				{Now, "look at the servers that should read it: do their transfers fail, do they wait, have they gone? Some releases hand a late reader wrong KV with HTTP 200: compare a few answers", "kv_expired_share"},
				{Restart, "raise kv_lease_duration only if they are slow and sound; upgrade where stranded blocks stay (vLLM #41269, #21570)", "kv_expired_share"},
			},
		}, {
			If:       nobodyReads,
			Name:     "nobody reads",
			FarEnd:   true,
			Sentence: "{kv_usage} of the KV cache is held for readers while {running} run here: prompts are computed, and the servers that write answers do not fetch them, with {decode_kv} of their own cache in use.",
			Actions: []Action{
				{Now, "look at the connector's log of the servers that should read: handshakes, time-outs, failed transfers; restart the pair, which frees the blocks", "kv_median"},
				{Restart, "vLLM 0.20 or newer keeps blocks for half a minute instead of eight (VLLM_NIXL_ABORT_REQUEST_TIMEOUT), and shows its transfers", "kv_median"},
			},
		}, {
			If:       nothingGetsOver,
			Name:     "nothing gets over",
			Sentence: "{kv_waiting} requests wait for KV from another server ({kv_waiting_share} of the queue), {transfers_per_second} transfers end, and {running} run.",
		}, {
			If:       Is{"transfer_of_compute", AtLeast, 1, Judgement},
			Name:     "slower than computing",
			Sentence: "A prompt's KV takes {transfer_average} (p95 {transfer_p95}) at {transfer_speed} a second ({transferred_per_second} a second with all that share the way); computing the prompt here would take {compute_instead}.",
		}},
		Sentence:   "A prompt's KV takes {transfer_average} (p95 {transfer_p95}) at {transfer_speed} a second ({transferred_per_second} a second with all that share the way), and {kv_waiting} requests wait for theirs.",
		Evidence:   []string{"transfers_per_second", "transfer_bytes", "transfer_rise", "transfer_of_compute", "kv_waiting", "kv_usage", "running_mean", "found_outside_share", "prefill_kv", "gpu_busy"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "see which way the KV takes: UCX_NET_DEVICES and UCX_TLS of both servers (NCCL's variables do not apply), and `ucx_info -d` for RDMA; a side channel that is closed shows in the connector's log", "transfer_average"},
			{Now, "until then send prompts that are computed faster than moved to a server that does both", "kv_waiting"},
		},
		Settle: "the connector's log of both servers, and the error counters of their network cards",
		Source: "vLLM NIXL connector usage and lease design; vLLM #50719",
	},
	{
		Code: "H2", Name: "PD_IMBALANCE", Title: "prefill and decode do not fit", Level: Model, Severity: Warning, Hold: 5 * time.Minute,
		When: All{
			Is{"disaggregated", AtLeast, 1, InSource},
			Any{prefillShort, decodeShort},
		},
		Mild:     modelInTime,
		Explains: map[Match][]string{SameModel: {"C6", "D1", "D2", "D3", "D4", "D6", "D7", "D9", "E1", "E2", "E4", "E5", "E6", "I4"}},
		RuledOut: []Because{{"H3", "shortest_answers"}},
		Cases: []Case{{
			If:       decodeShort,
			Name:     "too few that write answers",
			Sentence: "Decode is full: KV {decode_kv} and {decode_pressed} waiting at each server that writes answers (mean; servers: {decode_nodes}), while {prefill_queue} wait at each that computes prompts (servers: {prefill_nodes}).",
			Actions:  []Action{moveToDecode},
		}},
		Sentence:   "Prefill is short: {prefill_queue} prompts wait at each server that computes prompts (mean; servers: {prefill_nodes}), while those that write the answers (servers: {decode_nodes}) have room: KV {decode_kv}, {decode_pressed} waiting.",
		Evidence:   []string{"prefill_busy", "prefill_queue_share", "prefill_kv", "decode_kv", "prefill_arrivals", "prefill_served", "decode_arrivals", "decode_served"},
		Confidence: 0.8,
		Actions:    []Action{moveToPrefill},
		Settle:     "the same load with one server moved to the other side",
		Source:     "NVIDIA Dynamo planner; vLLM disaggregated prefill",
	},
}

// What to do where the servers of one pool are too few.
var (
	moveToDecode  = Action{Now, "move a server from prefill to decode: this load takes about {decode_servers_needed} that write answers", "decode_queue"}
	moveToPrefill = Action{Now, "move a server from decode to prefill: this load takes about {prefill_servers_needed} that compute prompts", "prefill_queue"}
)

// Which of the two pools is short (NVIDIA Dynamo's planner: a queue of 5 and of 0.2 at a prefill server, 90 % and 50 % of the KV cache
// of a decode server).
var (
	prefillShort = All{
		Any{
			Is{"prefill_queue", AtLeast, 5, Stated(dynamo)},
			All{Is{"prefill_queue_share", AtLeast, 0.5, Judgement}, Is{"model_ttft_burn", Above, 1, Judgement}},
		},
		Is{"decode_kv", Below, 0.5, Stated(dynamo)},
		Is{"decode_pressed", Below, 1, Judgement},
		// A cache full of prompts that nobody reads is no lack of servers (H1).
		Any{Is{"prefill_busy", AtLeast, 1, Judgement}, Is{"prefill_kv", Below, 0.5, Judgement}},
	}
	decodeShort = All{
		Any{
			Is{"decode_queue", AtLeast, 5, Stated(platforms)},
			All{Is{"decode_kv", AtLeast, 0.9, Stated(dynamo)}, modelLate},
		},
		Is{"prefill_queue", AtMost, 0.2, Stated(dynamo)},
	}
)

// What says of a server that its pool is too small: before H2 has held, its full cache or its queue is what shows.
var (
	decodeIsShort  = All{Is{"disaggregated", AtLeast, 1, InSource}, Is{"prefill_node", AtMost, 0, InSource}, decodeShort}
	prefillIsShort = All{Is{"disaggregated", AtLeast, 1, InSource}, Is{"prefill_node", AtLeast, 1, InSource}, prefillShort}
)

const dynamo = "NVIDIA Dynamo planner"
