package diagnose

import "time"

// loads says that nothing has listened on the port for five minutes while somebody holds memory of idle GPUs: a process is on its way
// up. A CUDA context and the driver take less than 2 % of a GPU.
var loads = All{
	Is{"up", Equals, 0, Judgement},
	Is{"answered_at_all", Equals, 0, Judgement},
	Is{"failure", Equals, failedRefused, Measured},
	Is{"gpu_memory_share", AtLeast, 0.02, Judgement},
	Is{"gpu_busy", Below, 0.1, Judgement},
}

// loadsLonger says the same before the five minutes are over, of a server whose earlier starts were seen and took half as long at most.
// Only what it has been seen to hold memory for counts: what comes before a process is no start.
var loadsLonger = All{
	Is{"up", Equals, 0, Judgement},
	Is{"earlier_start", AtLeast, 1, Judgement},
	Is{"failure", Equals, failedRefused, Measured},
	Is{"gpu_memory_share", AtLeast, 0.02, Judgement},
	Is{"gpu_busy", Below, 0.1, Judgement},
	Is{"loading_for", AtLeast, 60, Judgement},
	Is{"loading_rise", AtLeast, 2, Judgement},
}

// tookLonger says that the last start took twice as long as the earlier ones of the same server.
var tookLonger = All{
	Is{"up", Equals, 1, Judgement},
	Is{"restarts", AtLeast, 1, InSource},
	Is{"earlier_start", AtLeast, 1, Judgement},
	Is{"start_last", AtLeast, 60, Judgement},
	Is{"start_rise", AtLeast, 2, Judgement},
}

// firstRequest says that a server which has just started has taken a request and not given a token yet, ever: kernels are compiled for it.
var firstRequest = All{
	Is{"up", Equals, 1, Judgement},
	Is{"in_engine", AtLeast, 1, InSource},
	Is{"all_counters", AtMost, 0, InSource},
	Is{"restarts", AtLeast, 1, InSource},
}

// killed tells apart who ended a process with SIGKILL: the exit code is the same.
const killed = "137 is SIGKILL: for memory where `kubectl describe pod POD` says OOMKilled or `dmesg -T | grep -i 'killed process'` names it, " +
	"else by a probe, by a stop that took too long, or by hand"

// startRules ask whether the server comes up, and stays. They stand before the rule that it does not answer, which they explain.
var startRules = []Rule{
	{
		Code: "B2", Name: "CRASH_LOOP", Title: "starts again and again", Level: Server, Severity: Critical,
		When: All{
			Any{
				Is{"starts", AtLeast, 3, Judgement},
				All{Is{"starts", AtLeast, 2, Judgement}, Is{"answered", Below, 0.5, Judgement}},
			},
		},
		Explains: map[Match][]string{
			SameServer: {"A1", "A4", "B1", "B3", "B5", "D4", "D7", "E1", "E2", "E3", "E4", "F3", "F4", "G2", "G3", "H1", "I4"},
			SameModel:  {"E6", "F1", "H2", "H3", "I1"},
		},
		Cases: []Case{{
			If:       All{Is{"xid_changes", AtLeast, 1, Stated("dcgm-exporter #500")}, Is{"xid_severity", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Name:     "after a GPU fault",
			Sentence: "The server was started {starts} times in 15 minutes and answered in {answered} of the last five minutes; the driver reported XID {xid} meanwhile.",
			Actions: []Action{
				{Now, "take the server out of the balancer and keep it from starting on this GPU; follow NVIDIA's action for the XID", "starts"},
			},
		}, {
			If:       All{Is{"died_with", AtLeast, 1, Judgement}},
			Name:     "dies under load",
			Sentence: "The server was started {starts} times in 15 minutes and answered in {answered} of the last five minutes; its last process lived {last_life} and died with {died_with} requests in hand.",
			Actions: []Action{
				{Now, "read the end of the log before each start, where a traceback names the step that failed, and the exit codes; " + killed, "starts"},
				{Now, "if a request kills it, its client sends it again: find what was in flight each time, and hold it back at the gateway", "starts"},
				{Restart, "if GPU memory ran out, lower --gpu-memory-utilization or --max-num-seqs; if the host's did, give the container more; otherwise go back to the version that ran", "starts"},
			},
		}},
		Sentence:   "The server was started {starts} times in 15 minutes and answered in {answered} of the last five minutes; its last process lived {last_life} and died without a request in hand.",
		Evidence:   []string{"starts", "answered", "last_life", "start_to_page", "died_with", "memory_peak", "xid"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "read the end of the log before each start, and the exit codes; " + killed, "starts"},
			{Now, "if each life is about as long ({last_life}), a probe ends it: give the startup and liveness probes more time than it takes to load ({start_to_page})", "starts"},
			{Restart, "if memory runs out while it starts, lower --gpu-memory-utilization or --max-model-len; otherwise go back to the version that ran", "starts"},
		},
		Settle: "the container's last termination reason",
		Source: "vLLM troubleshooting guide",
	},
	{
		Code: "B3", Name: "SLOW_LOAD", Title: "loads slowly", Level: Server, Severity: Warning, Hold: time.Minute,
		When: Any{
			loads,
			All{Is{"up", Equals, 1, Judgement}, Is{"silence", AtLeast, 300, Judgement}, Is{"start_took", AtLeast, 300, Judgement}, Is{"restarts", AtLeast, 1, InSource}},
			firstRequest,
			loadsLonger,
			tookLonger,
		},
		Mild:     All{Is{"up", Equals, 1, Judgement}, Is{"all_counters", Above, 0, Judgement}},
		Supports: []Is{{"gpu_memory_growth", AtLeast, 10e6, Judgement}},
		Explains: map[Match][]string{
			SameServer: {"A1", "A4", "B1", "D4", "D7", "E1", "E2", "E3", "E4", "F3", "G2", "G3", "H1", "I4"},
			SameModel:  {"E6", "F1", "H2", "H3", "I1"},
		},
		RuledOut: []Because{{"B2", "starts"}, {"B4", "all_counters"}},
		Cases: []Case{{
			If:       firstRequest,
			Name:     "first request",
			Sentence: "The server has started, taken its first requests ({in_engine}) and not given a token yet: it compiles for them, or hangs at its first step.",
			Actions: []Action{
				{Now, "wait ten minutes from the start; a hang is told then. The log names the shapes that it compiles", "all_counters"},
				{Restart, "keep the compile cache (~/.cache/vllm) on a disk that outlives the container", "start_to_page"},
			},
		}, {
			If:       tookLonger,
			Name:     "it took longer than before",
			Sentence: "The server listens again; it took {start_last} to start, {start_rise} times as long as its earlier starts ({start_before}).",
			Over:     true,
		}, {
			If:       All{Is{"up", Equals, 1, Judgement}},
			Name:     "it has loaded",
			Sentence: "The server listens again; it took {start_to_page} to start.",
			Over:     true,
		}, {
			If:       All{Is{"gpu_memory_growth", AtLeast, 10e6, Judgement}},
			Name:     "reading weights",
			Sentence: "The server loads (no answer for {away}): {gpu_memory_growth} of weights a second come into each GPU, and {gpu_memory_used} are there on each.",
			Actions: []Action{
				{Now, "let it load: a restart begins it anew. What a GPU still lacks of its weights, at {gpu_memory_growth} a second, is how long it takes", "up"},
				{Restart, "keep the weights on a local disk or in page cache, or use a faster loader (--load-format runai_streamer, tensorizer)", "start_to_page"},
			},
		}, {
			If:       All{Is{"gpu_memory_share", AtLeast, 0.7, Judgement}},
			Name:     "memory is taken",
			Sentence: "Nothing listens (no answer for {away}), and the GPUs' memory is taken ({gpu_memory_share}) and idle: the last steps of a start, or processes of the last server that did not end.",
			Actions: []Action{
				{Now, "see who holds the memory (`nvidia-smi --query-compute-apps=gpu_uuid,pid,name,used_memory --format=csv`); if no server is starting, end what is left of the last one", "gpu_memory_share"},
			},
		}},
		Sentence:   "The server loads (no answer for {away}): its memory on each GPU stays at {gpu_memory_used} and the GPUs are idle, as while it compiles or waits for other ranks.",
		Evidence:   []string{"away", "start_before", "loading_rise", "gpu_memory_used", "gpu_memory_growth", "start_to_page", "gpus"},
		Confidence: 0.7,
		Actions: []Action{
			{Now, "read the end of its log: it names the phase (weights, torch.compile, graph capture)", "up"},
			{Restart, "keep the compile cache (~/.cache/vllm); give the startup probe more time; --kv-cache-memory-bytes saves the profiling", "start_to_page"},
		},
		Settle: "the log, which names each phase and how long it took",
		Source: "vLLM optimisation guide; vLLM troubleshooting guide",
	},
}
