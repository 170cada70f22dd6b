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
		Mild:       All{Is{"rejected_share", Below, 0.01, Judgement}},
		Explains:   map[Match][]string{SameServer: {"F3", "F4", "I4"}, SameModel: {"E6"}},
		RuledOut:   []Because{{"B5", "server_finished"}},
		Sentence:   "The server is as full as it may be and refuses {rejected} ({rejected_share} of the requests). What gets in is served ({server_finished}).",
		Evidence:   []string{"rejected", "rejected_share", "in_engine", "server_finished", "http_server_errors", "refused_in_stream"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "it is full: spread or shed load before it, or add a replica; clients should wait before they try again", "rejected_share"},
			{Restart, "raise --max-num-queued-reqs if requests may wait longer: to as many as are served in the time that clients may wait, {server_finished_best} times the seconds", "rejected"},
		},
		Settle: "the server's start flags: --max-num-queued-reqs and --max-num-queued-tokens",
		Source: "vLLM's metrics; measured on a real server",
	},
}
