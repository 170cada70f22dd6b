package diagnose

import "time"

// noHeadroom is what to do about a full batch where a larger one would miss the objective, or fill the KV cache.
var noHeadroom = []Action{
	{Now, sendLess + ": a larger batch would not meet the objective (tokens come {token_seconds} apart, {slo_tpot} is the objective) or not fit into the KV cache", "waiting_mean"},
}

// raiseCap is what a restart brings where a larger batch meets the objective, and which of three bounds it comes from: a step of twice at
// most, since what tokens and the cache bear is worked out from the batch that runs.
var raiseCap = Action{Restart, "raise --max-num-seqs (now {sequence_cap}) to {raised_sequence_cap}, then look again: it serves {batch_gain} more at most, and a restart drops the {waiting} that wait. " +
	"The step is twice the batch at most, within what {slo_tpot} a token (about {max_num_seqs_for_slo}) and the KV cache (about {kv_sequences}) bear, both guessed from the batch that runs", "waiting_mean"}

// sequenceCap says that a full batch keeps requests waiting, where a larger one could serve them.
var sequenceCap = Rule{
	Code: "D3", Name: "SEQ_CAP", Title: "sequence cap", Level: Replica, Severity: Warning, Hold: 2 * time.Minute,
	When: All{
		Is{"waiting", AtLeast, 1, InSource},
		Is{"cap_reached", AtLeast, 1, Measured},
		Is{"waiting_trend", AtLeast, -0.5, Measured},
		Is{"kv_highest", Below, 0.80, Judgement},
		Is{"preemptions_per_second", AtMost, 0, InSource},
		// A full batch whose tokens are late on idle GPUs is the host's doing (D8): a larger one would be slower still.
		Any{Is{"itl_late", Below, 0.5, Judgement}, Is{"gpu_busy", AtLeast, 0.7, Judgement}},
	},
	Against:  []Is{{"deferred_share", AtLeast, 0.5, InSource}},
	Supports: []Is{{"told_sequence_cap", AtLeast, 1, Judgement}},
	Mild:     replicaInTime,
	Explains: map[Match][]string{SameReplica: {"D8", "E1", "I4"}, SameModel: {"E6"}, SameServer: {"D6", "F3"}},
	RuledOut: []Because{{"D2", "kv_median"}, {"D1", "kv_highest"}, {"D7", "tensor_active"}, {"F7", "waiting_mean"}},
	Cases: []Case{{
		If:       othersHaveRoom,
		Name:     "while other replicas have room",
		Sentence: "The batch is full at {sequence_cap} sequences and {waiting} wait here, while another replica of the model has room (shortest queue {shortest_queue}, emptiest KV cache {lowest_kv}).",
		Evidence: []string{"replicas", "replicas_now", "load_mean"},
		Actions:  []Action{{Now, sendToOthers, "waiting_mean"}, raiseCap},
	}, {
		If:       All{Is{"cap_headroom", Below, 1.15, Judgement}, Is{"told_sequence_cap", AtLeast, 1, Judgement}},
		Sentence: "The batch is full at {sequence_cap} sequences ({running} run), {waiting} wait, and the KV cache has room ({kv_highest}).",
		Actions:  noHeadroom,
	}, {
		If:      All{Is{"cap_headroom", Below, 1.15, Judgement}},
		Actions: noHeadroom,
	}, {
		If:       All{Is{"queue_growth", AtLeast, 0.05, Judgement}, Is{"demand_of_larger_batch", Above, 1, Judgement}},
		Name:     "and more comes than a larger batch serves",
		Sentence: "The batch is full at {sequence_cap} sequences, {waiting} wait, and {demand} times as much comes as is finished. The KV cache has room ({kv_highest}), but a larger batch brings {batch_gain} more at most: the queue would grow all the same.",
		Evidence: []string{"demand", "queue_growth", "batch_gain", "replicas", "replicas_asked"},
		Actions: []Action{
			{Now, "add replicas: {replicas_asked} at least ({replicas} today); until they serve, send fewer requests here or refuse some at the gateway", "queue_growth"},
			{Restart, "only beside that raise --max-num-seqs (now {sequence_cap}) to {raised_sequence_cap} at most: it brings {batch_gain} at most, and a restart drops the {waiting} that wait", "waiting_mean"},
		},
	}, {
		If:       All{Is{"told_sequence_cap", AtLeast, 1, Judgement}},
		Sentence: "The batch is full at {sequence_cap} sequences ({running} run), {waiting} wait, and the KV cache has room ({kv_highest}).",
	}},
	Sentence:   "The batch is full at {sequence_cap} sequences ({running_low} run in four of five readings), {waiting} wait, and the KV cache has room ({kv_highest}).",
	Evidence:   []string{"running_low", "sequence_cap", "told_sequence_cap", "queue_wait_ahead", "itl_p99", "gpu_busy"},
	Confidence: 0.75,
	Actions: []Action{
		raiseCap,
		{Now, sendLess, "waiting_mean"},
	},
	Settle: "the server's start flags: --max-num-seqs",
	Source: "vLLM's source: admission stops at max_num_seqs",
}
