package diagnose

import "time"

// refusalRules ask whether the server turns requests away, as it was told to do when it is full.
var refusalRules = []Rule{
	{
		Code: "D6", Name: "ADMISSION_REJECT", Title: "requests are refused", Level: Server, Severity: Warning, Hold: time.Minute,
		When: All{
			// Where refusals are not counted, nobody was refused while nothing failed.
			Is{"turned_away", Above, 0, InSource},
			Is{"rejected", Above, 0, Stated("vLLM's metrics")},
			Is{"server_finished", Above, 0, Judgement},
		},
		Mild:     All{Is{"rejected_share", Below, 0.01, Judgement}},
		Explains: map[Match][]string{SameServer: {"F3", "F4", "I4"}, SameModel: {"E6"}},
		RuledOut: []Because{{"B5", "server_finished"}},
		Cases: []Case{{
			If:       All{Is{"longest_engine_queue", Below, 1, InSource}, Is{"fullest_engine_kv", Below, 0.8, Judgement}},
			Name:     "the engine has room",
			Sentence: "The server refuses {rejected} ({rejected_share} of the requests) at a limit of its own, not for want of room: nothing waits in the engine ({in_engine} requests, KV cache {fullest_engine_kv}). What gets in is served ({server_finished}).",
			Actions: []Action{
				{Now, "until it is restarted spread the load over other replicas; clients should wait before they try again", "rejected_share"},
				{Restart, "raise the limit first (--max-num-queued-reqs, or --max-num-queued-tokens; requests that run count, too): to --max-num-seqs and as many more as are served in the time that clients may wait, {server_finished} times the seconds. No replica is missing as long as nothing waits", "rejected"},
			},
		}},
		Sentence:   "The server is as full as it may be and refuses {rejected} ({rejected_share} of the requests). What gets in is served ({server_finished}).",
		Evidence:   []string{"rejected", "rejected_share", "in_engine", "longest_engine_queue", "fullest_engine_kv", "server_finished", "http_server_errors", "refused_in_stream"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "it is full: spread the load, or add a replica; clients should wait before they try again", "rejected_share"},
			{Restart, "raise --max-num-queued-reqs if requests may wait longer: by as many as are served in that time, {server_finished} times the seconds", "rejected"},
		},
		Settle: "the server's start flags: --max-num-queued-reqs and --max-num-queued-tokens",
		Source: "vLLM's metrics; measured on a real server",
	},
}
