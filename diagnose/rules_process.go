package diagnose

import "time"

// emptiedBefore says that a server had no requests when it went away, that it started once, and that others have its model: nobody
// lost anything, and a planned restart looks so.
var emptiedBefore = All{
	Is{"restarted_with", AtMost, 0, Judgement}, Is{"restarts", AtMost, 1, Judgement}, Is{"peers", AtLeast, 2, Judgement},
}

// emptiedAndGone says the same of a server that is still away.
var emptiedAndGone = All{
	Is{"failure", Equals, failedRefused, Measured}, Is{"left_with", AtMost, 0, Judgement}, Is{"peers", AtLeast, 1, Judgement},
}

// graveXID says that the last XID of a GPU of the server is one that stops it. Whoever starts to watch after the fault sees no change of
// it (C3), and one of last month looks the same: it proves nothing, and is the first thing to look at.
var graveXID = All{Is{"xid_grave", Above, 0, Stated("NVIDIA XID catalogue")}}

const (
	graveXIDWords = "A GPU of the server shows XID {xid_grave}, which may be why: when it came is not known."
	graveXIDTime  = "look in the kernel log for when the XID came (`dmesg -T | grep -i xid`). If it came when the tokens stopped, a new start does not help: drain the server and do what NVIDIA asks for it (reset the GPU, or reboot)"
)

// processRules ask whether the server and its engine live.
var processRules = []Rule{
	{
		Code: "B1", Name: "RESTARTED", Title: "restarted", Level: Server, Severity: Warning,
		// Where the start time is told it decides, without a clock of ours; the longer way is taken where it is hidden.
		When: Any{
			All{Is{"start_told", AtLeast, 1, InSource}, Is{"start_changes", AtLeast, 1, InSource}},
			All{Is{"start_told", AtMost, 0, InSource}, Is{"counters_reset", AtLeast, 3, InSource}},
		},
		Mild:     emptiedBefore,
		Explains: map[Match][]string{SameServer: {"A4", "D4", "D7", "E1", "E2", "E3", "E4", "G2", "G3", "I4"}, SameModel: {"E6"}},
		Sentence: "The server started anew: its prefix cache is cold and its first requests are slow.",
		Cases: []Case{{
			If:       emptiedBefore,
			Name:     "emptied before",
			Sentence: "The server started anew after it had been emptied, as in planned work: its prefix cache is cold.",
			Actions:  []Action{{Now, "nothing if it was planned; otherwise read the log from before the start", "uptime"}},
		}},
		RuledOut:   []Because{{"A2", "restarts"}, {"B2", "starts"}},
		Evidence:   []string{"uptime", "restarts", "xid_grave"},
		Confidence: 0.95,
		Actions: []Action{
			{Now, "read the log from before the start and the exit code; " + killed, "uptime"},
			{Now, "look for an XID, and wait ten minutes before judging latency", "uptime"},
		},
		Settle: "the container's last termination reason",
		Source: "vLLM metrics design",
	},
	{
		Code: "B4", Name: "ENGINE_STUCK", Title: "engine stuck", Level: Replica, Severity: Critical, Hold: 30 * time.Second,
		When: All{
			Any{
				Is{"running", AtLeast, 1, InSource},
				Is{"waiting", AtLeast, 1, InSource},
				All{Is{"hidden", AtLeast, 3, Measured}, Is{"inside_rising", AtLeast, 3, Measured}},
			},
			// A decode server whose requests all wait for their KV has nothing to run (H1).
			Any{Is{"running", AtLeast, 1, InSource}, Is{"held_up_by_kv", Below, 0.8, Judgement}},
			Is{"moves", AtMost, 0, Measured},
			Is{"kv_moves", AtMost, 0, Measured},
			// A queue that goes on growing shows an engine that steps: while it runs requests, a long prefill may be at work. Where nothing
			// runs, the scheduler lets nobody in.
			Any{Is{"waiting_moves", AtMost, 0, Measured}, Is{"running", Below, 1, InSource}},
			Also{Is{"page_moves_short", Above, 0, Measured}},
			Also{Is{"awake", AtLeast, 1, InSource}},
			Is{"scrapes", AtLeast, 4, Judgement},
			// The first request of a process may wait for kernels to be compiled: for ten minutes B3 tells of it.
			Any{Is{"all_counters", Above, 0, InSource}, Is{"restarts", Below, 1, Judgement}},
		},
		Supports: []Is{{"tensor_active", Below, 0.02, Judgement}, {"api_cpu_cores", Below, 0.2, Measured}},
		// Without a request in the engine only open connections speak for it, of which clients keep idle ones; and one that sleeps looks
		// the same.
		Against: []Is{{"in_engine", AtMost, 0, Measured}, {"may_sleep", AtLeast, 1, InSource}},
		Explains: map[Match][]string{
			SameModel:   {"H3", "E6"},
			SameReplica: {"H1", "D1", "D2", "D3", "D4", "D5", "D8", "E1", "E2", "E3", "E4", "I4"},
			SameServer:  {"F3"},
		},
		RuledOut: []Because{{"D7", "tensor_active"}, {"B6", "sleeping"}, {"B3", "all_counters"}},
		Cases: []Case{
			{
				If:       All{Is{"may_sleep", AtLeast, 1, InSource}},
				Name:     "or asleep",
				Sentence: "No token for {unchanged_for}, nothing in the batch or the queue, and {hidden} requests in the server: its engine is stuck, or was put to sleep, which this release does not tell.",
				Actions: []Action{
					{Now, "ask whoever put it to sleep or, where it runs in development mode, `curl -sS {address}/is_sleeping`; if it sleeps, `curl -X POST {address}/wake_up`", "moves"},
					{Now, "otherwise take it out of the balancer; keep the evidence (`pgrep -f '[E]ngineCore' | xargs -rn1 py-spy dump --pid`) and the end of its log; then restart it", "moves"},
				},
			},
			{
				If:       All{Is{"running", Below, 1, InSource}, Is{"waiting", AtLeast, 1, InSource}, Is{"kv_usage", Below, 0.05, Judgement}},
				Name:     "nobody is let in",
				Sentence: "No token for {unchanged_for}: {waiting} wait, nothing runs and the KV cache is empty ({kv_usage}). The scheduler lets nobody in.",
				Actions: []Action{
					{Now, "look for a prompt longer than the cache holds ({kv_capacity_tokens}): it blocks all behind it until its client gives up", "waiting"},
					{Now, "without one, keep the evidence (`pgrep -f '[E]ngineCore' | xargs -rn1 py-spy dump --pid`) and the end of its log, then restart the replica", "moves"},
					{Restart, "set --max-model-len to what the cache holds at most", "waiting"},
				},
			},
			{
				If:       graveXID,
				Name:     "with an XID",
				Sentence: "No token and no change of the KV cache for {unchanged_for} with {running} running, {waiting} waiting and {hidden} more inside the server. " + graveXIDWords,
				Actions: []Action{
					{Now, "take the replica out of the balancer; " + graveXIDTime, "moves"},
					{Now, "if it is older: keep the evidence (`pgrep -f '[E]ngineCore' | xargs -rn1 py-spy dump --pid`) and the end of its log, then restart the replica", "moves"},
				},
			},
			{
				If:       All{Is{"gpu_busy", AtLeast, 0.9, Judgement}, Is{"tensor_active", Below, 0.02, Judgement}},
				Name:     "GPUs spinning",
				Sentence: "No token and no change of the KV cache for {unchanged_for} with {running} running, {waiting} waiting and {hidden} more inside the server, while the GPUs spin without arithmetic: a rank of the group is gone or has diverged.",
			},
			{
				If:       All{Is{"gpu_busy", Below, 0.05, Judgement}},
				Name:     "GPUs idle",
				Sentence: "No token and no change of the KV cache for {unchanged_for} with {running} running, {waiting} waiting and {hidden} more inside the server, and the GPUs are idle: the host side of the engine is stuck.",
			},
		},
		Sentence:   "No token and no change of the KV cache for {unchanged_for} with {running} running, {waiting} waiting and {hidden} more inside the server.",
		Evidence:   []string{"unchanged_for", "inside_rising", "api_cpu_cores", "gpu_busy", "gpu_power_share", "xid_grave", "health"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "take the replica out of the balancer; keep the evidence (`pgrep -f '[E]ngineCore' | xargs -rn1 py-spy dump --pid`) and the end of its log; then restart it", "moves"},
			{Now, "look for XID 74, 79, 109, 119 and for \"No available shared memory broadcast block\" in the log", "xid"},
		},
		Settle: "what the engine does, twice: `pgrep -f '[E]ngineCore' | xargs -rn1 py-spy dump --pid`",
		Source: "vLLM troubleshooting guide; vLLM #27313, #46611, #44185, #39734",
	},
	{
		Code: "B5", Name: "ENGINE_DEAD", Title: "engine dead", Level: Server, Severity: Critical, Hold: 15 * time.Second,
		When: All{
			Is{"up", AtLeast, 1, Judgement},
			Any{
				Also{Is{"health", AtMost, 0, InSource}},
				All{Is{"http_server_errors", Above, 0, Judgement}, Is{"http_ok", AtMost, 0, Judgement}, Is{"server_finished", AtMost, 0, Judgement}},
			},
		},
		Explains: map[Match][]string{
			SameServer: {"B4", "D1", "D2", "D3", "D4", "D8", "E1", "F3", "F4", "I4"},
			SameModel:  {"H3", "E6"},
		},
		RuledOut: []Because{{"D6", "server_finished"}},
		Cases: []Case{{
			If:       graveXID,
			Name:     "with an XID",
			Sentence: "The API process answers and its engine is dead: every request fails ({http_server_errors}), nothing finishes. " + graveXIDWords,
			Actions: []Action{
				{Now, "take the server out of the balancer; " + graveXIDTime, "http_ok"},
				{Now, "if it is older: restart the server; the reason stands in its log before EngineDeadError", "http_ok"},
			},
		}},
		Sentence:   "The API process answers and its engine is dead: every request fails ({http_server_errors}), nothing finishes.",
		Evidence:   []string{"health", "http_server_errors", "hidden", "xid_grave"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "take the server out of the balancer and restart it; the reason stands in its log before EngineDeadError", "http_ok"},
		},
		Settle: "`curl -si {address}/health`, and one request: `" + oneRequest + "`",
		Source: "vLLM's source; llm-d readiness guide",
	},
	{
		Code: "B6", Name: "SLEEPING", Title: "engine sleeps", Level: Replica, Severity: Warning, Hold: 30 * time.Second,
		When:     All{Is{"running", Below, 1, InSource}, Is{"sleeping", AtLeast, 1, InSource}},
		Critical: All{Is{"inside_rising", AtLeast, 3, Measured}},
		// Two connections may be idle ones of a pool.
		Mild: All{Is{"stranded", Below, 3, Measured}},
		Explains: map[Match][]string{
			SameReplica: {"A4", "D1", "D2", "D3", "D4", "D5", "D8", "E1", "E2", "E3", "E4", "G2", "I4"},
			SameServer:  {"F3"},
			SameModel:   {"E6", "H3", "I1"},
		},
		RuledOut: []Because{{"B4", "awake"}},
		Cases: []Case{{
			If:       All{Is{"stranded", Below, 3, Measured}},
			Name:     "nobody waits",
			Sentence: "The engine was put to sleep, and nobody waits for it.",
			Actions:  []Action{{Now, "nothing if it is meant to sleep; keep it out of the balancer, since /health says 200 and requests are taken", "stranded"}},
		}, {
			If:       All{Is{"weights_discarded", AtLeast, 1, InSource}},
			Name:     "without its weights",
			Sentence: "The engine was put to sleep and its weights are gone, while about {stranded} requests wait in the server: nobody computes them.",
			Actions: []Action{
				{Now, "take it out of the balancer: /health says 200 all the time, and what comes in waits", "stranded"},
				{Now, "wake it (`curl -X POST {address}/wake_up`) and load its weights again, which a wake alone does not do at sleep level 2; or restart it", "sleeping"},
			},
		}},
		Sentence:   "The engine was put to sleep, and about {stranded} requests wait in the server: nobody computes them.",
		Evidence:   []string{"stranded", "inside_rising", "running", "waiting", "health"},
		Confidence: 0.95,
		Actions: []Action{
			{Now, "wake it: `curl -X POST {address}/wake_up`", "sleeping"},
			{Now, "until then take it out of the balancer: /health says 200 all the time, and what comes in waits", "stranded"},
		},
		Settle: "where the server runs in development mode: `curl -sS {address}/is_sleeping`",
		Source: "vLLM's source: sleep mode",
	},
}
