package diagnose

import (
	"slices"
	"time"
)

// requestRules ask what becomes of requests.
var requestRules = []Rule{
	{
		Code: "F4", Name: "ERROR_RATE", Title: "errors", Level: Server, Severity: Warning, Hold: 5 * time.Minute, CriticalHold: 5 * time.Minute,
		When: All{
			Is{"http_requests", AtLeast, 20, Judgement},
			// Success is healthy from 99.5 % on; what clients cut is F3's.
			Any{
				Is{"server_error_share", AtLeast, 0.005, Judgement},
				All{Is{"client_error_share", AtLeast, 0.10, Judgement}, Is{"client_error_rise", AtLeast, 3, Judgement}},
			},
		},
		Critical: Any{
			Is{"server_error_share", AtLeast, 0.05, Stated("llm-d alert rules")},
			// Below 98 % by errors, whatever else clients do.
			All{Is{"success_share", Below, 0.98, Judgement}, Is{"server_error_share", AtLeast, 0.02, Judgement}},
		},
		Explains: map[Match][]string{SameModel: {"E6"}},
		Cases: []Case{
			{
				If:       All{Is{"server_error_share", AtLeast, 0.005, Judgement}, Is{"rejected", Above, 0, InSource}},
				Name:     "overload",
				Sentence: "The server refuses {rejected} because its queue is at its limit; {server_error_share} of the requests end with 503. What gets in is served.",
				Actions: []Action{
					{Now, "spread or shed load before this server; clients should wait before they try again", "rejected"},
					{Restart, "raise --max-num-queued-reqs if the queue may be longer", "rejected"},
				},
			},
			{
				If:       All{Is{"server_error_share", AtLeast, 0.005, Judgement}, Is{"server_engine_errors", Above, 0, InSource}},
				Name:     "engine",
				Sentence: "{server_error_share} of the requests fail with 5xx, and the engine says so itself ({server_engine_errors}): a failed KV load, a grammar, or bad numbers.",
				Actions: []Action{
					{Now, "read the server's log for the failing request; with P/D look at the transfers", "server_engine_errors"},
				},
			},
			{
				If:       All{Is{"server_error_share", AtLeast, 0.005, Judgement}, Is{"server_engine_errors", AtMost, 0, InSource}},
				Name:     "frontend",
				Sentence: "{server_error_share} of the requests fail with 5xx, and no engine counted an error: the API process fails before or after it.",
				Actions: []Action{
					{Now, "read the API process's log for its tracebacks; send one failing request by hand", "server_error_share"},
				},
			},
			{
				If:       All{Is{"server_error_share", AtLeast, 0.005, Judgement}},
				Name:     "in the server",
				Sentence: "{server_error_share} of the requests fail with 5xx. This release does not count what its engine gives up, so it is the engine or the API process.",
				Actions: []Action{
					{Now, "read the server's log for its tracebacks; send one failing request by hand", "server_error_share"},
				},
			},
		},
		Sentence:   "{client_error_share} of the requests are refused as wrong (4xx), {client_error_share_before} before; the engine is not touched.",
		Evidence:   []string{"http_all", "http_client_errors", "http_server_errors", "success_share", "stop_share"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "take one failing body from the client or the gateway: unknown model, bad parameters, too long a prompt, or no JSON; vLLM's metrics cannot tell them apart", "client_error_share"},
		},
		Settle: "the status codes in the gateway's log",
		Source: "vLLM's source; llm-d observability guide",
	},
	{
		Code: "F3", Name: "ABORT_SURGE", Title: "clients give up", Level: Server, Severity: Warning, Hold: 5 * time.Minute, CriticalHold: 10 * time.Minute,
		Symptom: true,
		When: All{
			Is{"http_requests", AtLeast, 20, Judgement},
			Is{"left_share", AtLeast, 0.05, Judgement},
			Is{"left_rise", AtLeast, 2, Judgement},
		},
		// Whatever the class of requests: where it lasts, two of a hundred are too many. Fewer than one in twenty cannot be told from
		// the difference of two counters in a minute, and what always was so is the clients' habit.
		Critical:   All{Is{"success_share", Below, 0.98, Judgement}},
		RuledOut:   []Because{{"F4", "server_error_share"}},
		Sentence:   "{left_share} of the requests were cut by their client ({left}); vLLM counts none of them.",
		Evidence:   slices.Concat(pasts("left_share"), []string{"http_ok", "server_finished", "left_by_counts", "success_share", "stop_share", "wasted_tokens_per_second"}),
		Confidence: 0.7,
		Actions: []Action{
			{Now, "look at the clients' time-out; refuse early instead of late; let clients wait before they try again", "left_share"},
		},
		Settle: "499 and 504 in the proxy's log",
		Source: "measured on a real server; vLLM #31503, #55634",
	},
	{
		Code: "F2", Name: "LENGTH_TRUNCATION", Title: "answers are cut", Level: Replica, Severity: Warning, Hold: 10 * time.Minute,
		When: All{
			Is{"length_share", AtLeast, 0.20, Judgement},
			Is{"length_share_rise", AtLeast, 3, Measured},
			Is{"finished", AtLeast, 20, Judgement},
			Is{"output_tokens_average", Above, 1.5, InSource},
		},
		Sentence:   "{length_share} of the answers end at their length, {length_share_before} before: max_tokens is too low, or answers do not stop.",
		Evidence:   slices.Concat(pasts("length_share"), []string{"finished_before", "output_tokens_average", "output_tokens_p90"}),
		Confidence: 0.8,
		Actions: []Action{
			{Now, "raise max_tokens in the client, or shorten prompts that reach the longest context", "length_share"},
			{Now, "look at a few answers: do they repeat? Then set stop strings", "length_share"},
		},
		Settle: "some cut answers",
		Source: "vLLM's source; measured on a real server",
	},
}
