package diagnose

import "time"

// ttftCoarse says that between what may be and clearly too many first tokens miss the objective, by where in a bucket they lie, and
// ttftBeyond that one in a hundred is later than all buckets; tpotCoarse and itlBeyond say the same of tokens.
var (
	ttftBeyond = All{Is{"ttft_seen", AtLeast, 100, Judgement}, Is{"ttft_beyond", Above, 0.01, Judgement}}
	itlBeyond  = All{Is{"itl_seen", AtLeast, 100, Judgement}, Is{"itl_beyond", Above, 0.01, Judgement}}
	ttftCoarse = All{
		Is{"ttft_seen", AtLeast, 100, Judgement},
		Is{"ttft_burn", AtMost, 1, Judgement},
		Is{"ttft_burn_at_most", AtLeast, 2, Judgement},
	}
	tpotCoarse = All{
		Is{"tpot_seen", AtLeast, 100, Judgement},
		Is{"tpot_burn", AtMost, 1, Judgement},
		Is{"tpot_burn_at_most", AtLeast, 2, Judgement},
	}
)

// telemetryRules ask whether the numbers can be believed.
var telemetryRules = []Rule{
	{
		Code: "A1", Name: "SCRAPE_FAIL", Title: "scrape fails", Level: Target, Severity: Warning, Hold: 30 * time.Second,
		When:     All{Is{"up", Equals, 0, Judgement}},
		Critical: All{Is{"silent_exporter", Equals, 0, Judgement}},
		Mild:     emptiedAndGone,
		Explains: map[Match][]string{SameServer: {"*"}},
		Cases: []Case{{
			If:       All{Is{"up", Equals, 1, Judgement}},
			Name:     "answers again",
			Sentence: "The target answers again after it did not.",
			Over:     true,
			Actions:  []Action{{Now, "see in the server's log why it was away", "up"}},
		}, {
			If:       All{Is{"failure", Equals, failedRefused, Measured}, Is{"silent_exporter", AtLeast, 1, Judgement}},
			Name:     "GPU exporter gone",
			Sentence: "Nothing listens on the port of the GPU exporter: servers are judged without GPU metrics, and their users feel nothing of it.",
			Actions:  []Action{{Now, "start dcgm-exporter on that host again; its log says why it ended", "up"}},
		}, {
			If:       emptiedAndGone,
			Name:     "emptied and stopped",
			Sentence: "Nothing listens on the server's port; it had no requests when it stopped, and {peers} of its model answer: a planned restart looks so.",
			Actions: []Action{
				{Now, "wait ten minutes if somebody works on it; otherwise read the end of its log and the exit code of its container", "up"},
			},
		}, {
			If:       All{Is{"failure", Equals, failedRefused, Measured}, Is{"ever_up", AtLeast, 1, Judgement}},
			Name:     "gone or loading",
			Sentence: "The server answered before, and now nothing listens on its port: it is gone (vLLM exits within seconds when its engine dies), or it loads.",
			Actions: []Action{
				{Now, "see whether its process lives: while it loads, which takes minutes, a restart begins that anew", "up"},
				{Now, "if it is gone, read the end of its log and the exit code of its container, then start it; " + killed, "up"},
			},
		}, {
			If:      All{Is{"failure", Equals, failedRefused, Measured}},
			Name:    failureWords[failedRefused],
			Actions: []Action{{Now, "start the server, or correct the port; while weights are loaded, vLLM does not listen yet", "up"}},
		}, {
			If:      All{Is{"failure", Equals, failedDenied, Judgement}},
			Name:    failureWords[failedDenied],
			Actions: []Action{{Now, "see with `curl -v {url}` what the server asks for, and put it into the configuration", "up"}},
		}, {
			If:      All{Is{"failure", Equals, failedUnnamed, Judgement}},
			Name:    failureWords[failedUnnamed],
			Actions: []Action{{Now, "check the spelling, and that the name is known on this host (DNS, VPN, /etc/hosts): a service of Kubernetes has its name only in the cluster", "up"}},
		}, {
			If:       All{Is{"failure", Equals, failedMisplaced, Judgement}, Is{"ever_up", AtLeast, 1, Judgement}},
			Name:     "something else answers now",
			Sentence: "The server's metrics were at this address, and now something else answers there: {scrape_error}.",
			Actions:  []Action{{Now, "see with `curl -si {url}` what answers: an error page of a proxy, whose server is gone, or another process on the port", "up"}},
		}, {
			If:      All{Is{"failure", Equals, failedMisplaced, Judgement}},
			Name:    failureWords[failedMisplaced],
			Actions: []Action{{Now, "correct the address: vLLM serves /metrics on the port of its API; `curl -si {url}` shows what answers", "up"}},
		}, {
			If:      All{Is{"failure", Equals, failedStatus, Judgement}},
			Name:    failureWords[failedStatus],
			Actions: []Action{{Now, "look into the log of the server, and of the proxy before it, at this time", "up"}},
		}, {
			If:      All{Is{"failure", Equals, failedInternal, InSource}},
			Name:    failureWords[failedInternal],
			Actions: []Action{{Now, "start vllmscope with --log-file FILE and report what it writes, with the page if it may leave the house", "up"}},
		}, {
			If:       All{Is{"failure", Equals, failedSilent, Judgement}, Is{"scrape_of_timeout", AtLeast, givenUp, Judgement}, Is{"gpu_busy", AtLeast, 0, InSource}},
			Name:     "the page does not come",
			Sentence: "No metrics, so that what users feel is not known: {scrape_error}. Its GPUs are {gpu_busy} busy meanwhile: between 5 % and 90 % it serves; below, hardly anybody; above, it serves or hangs in a collective.",
			Actions: []Action{
				{Now, "send it one request (`" + oneRequest + "`): if it is answered, only the page is slow, or the way to it (port-forward, proxy); if not, take it out of the balancer", "up"},
			},
		}, {
			If:   All{Is{"failure", Equals, failedSilent, Judgement}},
			Name: failureWords[failedSilent],
		}},
		Sentence:   "No metrics: {scrape_error}.",
		Evidence:   []string{"scrape_seconds", "scrape_timeout"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "ask it once by hand with a longer time-out (`curl -sS -m 10 -o /dev/null {url}`); look at the port-forward, the proxy and the server's log", "up"},
		},
		Settle: "the time to connect against the time to the first byte: `curl -sS -o /dev/null -w '%{time_connect} %{time_starttransfer}\\n' {url}`",
		Source: "Prometheus documentation: the series up; measured on a real server",
	},
	{
		Code: "A2", Name: "METRICS_BLIND", Title: "vLLM's figures are missing", Level: Server, Severity: Warning, Hold: time.Minute,
		When: Any{
			Is{"vllm_families", Equals, 0, Judgement},
			All{Is{"all_counters", AtMost, 0, Judgement}, Is{"in_engine", AtMost, 0, Judgement}, Is{"http_ok", AtLeast, 10.0 / 120, Judgement}},
			Is{"series_per_engine", Above, 1, Stated("vLLM #28792")},
			All{Is{"counters_reset", AtLeast, 1, Judgement}, Is{"restarts", Equals, 0, Judgement}},
		},
		Explains: map[Match][]string{SameServer: {"B4", "F3"}, SameModel: {"H3"}},
		Cases: []Case{
			{
				If:       All{Is{"vllm_families", Equals, 0, Judgement}},
				Name:     "none on the page",
				Sentence: "The server counts HTTP requests and shows no vLLM series.",
				Actions:  []Action{{Restart, "start vLLM without --disable-log-stats, and with PROMETHEUS_MULTIPROC_DIR unset or wiped", "vllm_families"}},
			},
			{
				If:       All{Is{"series_per_engine", Above, 1, Stated("vLLM #28792")}},
				Name:     "several copies",
				Sentence: "Each API process shows its own copy of a gauge ({series_per_engine} for one engine), most of them stale; the highest is taken.",
				Actions:  []Action{{Restart, "upgrade to vLLM 0.11.1 or newer", "series_per_engine"}},
			},
			{
				If:       All{Is{"counters_reset", AtLeast, 1, Judgement}, Is{"restarts", Equals, 0, Judgement}},
				Name:     "counters fall",
				Sentence: "Counters fell though the process did not restart.",
			},
		},
		Sentence:   "Requests are served ({http_ok}) while every vLLM counter stays at 0.",
		Evidence:   []string{"uptime", "http_ok"},
		Confidence: 0.85,
		Actions: []Action{
			{Restart, "unset PROMETHEUS_MULTIPROC_DIR, or wipe it between runs and keep it on a local disk", "all_counters"},
		},
		Settle: "the server's start flags and environment",
		Source: "vLLM metrics documentation; vLLM #7188, #8612, #28792",
	},
	{
		Code: "A3", Name: "STALE", Title: "old page", Level: Server, Severity: Warning, Hold: time.Minute,
		When: All{
			Is{"scrapes", AtLeast, 4, Judgement},
			Is{"page_moves", AtMost, 0, Measured},
		},
		Explains:   map[Match][]string{SameServer: {"*"}},
		Freezes:    "page_unchanged_for",
		Sentence:   "Scrapes succeed and the page has been the same for {page_unchanged_for}: not even the CPU time that making it costs has moved.",
		Evidence:   []string{"page_unchanged_for", "uptime", "gpu_busy"},
		Confidence: 0.75,
		Supports:   []Is{{"gpu_busy", Above, 0.05, Judgement}},
		Actions: []Action{
			{Now, "scrape the server itself: something between (a proxy cache, a push gateway) hands out an old page", "page_moves"},
		},
		Settle: "two pages by hand, and the same at the server's own address: `curl -sS {url} | md5sum; sleep 2; curl -sS {url} | md5sum`",
		Source: "measured on a real server",
	},
	{
		// On most pages some quantile lies in a wide bucket, and its interval is shown. It is told where whether the objective is met
		// depends on where in a bucket the observations lie, or where one in a hundred is slower than the last edge.
		Code: "A4", Name: "HIST_SATURATED", Title: "too coarse to tell", Level: Replica, Severity: Information, Hold: 5 * time.Minute,
		When: Any{ttftCoarse, tpotCoarse, ttftBeyond, itlBeyond},
		Cases: []Case{{
			If:       ttftBeyond,
			Name:     "first tokens beyond the last bucket",
			Sentence: "{ttft_beyond} of the first tokens came later than the last bucket's edge: how late is not known; the average is {ttft_average}.",
		}, {
			If:       itlBeyond,
			Name:     "tokens beyond the last bucket",
			Sentence: "{itl_beyond} of the outputs came later after the one before than the last bucket's edge: how late is not known.",
		}, {
			If:       tpotCoarse,
			Name:     "the objective for tokens is no edge",
			Sentence: "Whether the objective for tokens is met cannot be told: {tpot_over_slo} of the requests miss {slo_tpot}, which lies in the bucket {tpot_edge_below} to {tpot_edge_above}; {slo_allowed} may.",
			Actions:  []Action{{Now, "choose an objective that is an edge (--slo FILE: {tpot_edge_below} or {tpot_edge_above}), or measure at the client", "tpot_over_slo"}},
		}},
		Sentence:   "Whether the objective for first tokens is met cannot be told: {ttft_over_slo} miss {slo_ttft}, which lies in the bucket {ttft_edge_below} to {ttft_edge_above}; {slo_allowed} may.",
		Evidence:   []string{"ttft_average", "itl_p99", "tpot_p99"},
		Confidence: 0.95,
		Actions: []Action{
			{Now, "choose an objective that is an edge (--slo FILE: {ttft_edge_below} or {ttft_edge_above}), or measure at the client; averages are exact", "ttft_over_slo"},
		},
		Settle: "the same percentile from traces or from the client",
		Source: "Prometheus documentation: errors of quantile estimation; vLLM's source: its buckets",
	},
	{
		Code: "A5", Name: "GPU_BLIND", Title: "no GPU metrics", Level: Server, Severity: Information, Hold: time.Minute,
		When: Any{
			Is{"gpus", AtMost, 0, Judgement},
			All{Is{"gpu_samples", AtMost, 1, Judgement}, Is{"gpu_busy", Above, 0.05, Judgement}},
		},
		Cases: []Case{{
			If:       All{Is{"gpus", AtLeast, 1, Judgement}},
			Name:     "frozen",
			Sentence: "The GPU exporter answers, and its readings have been the same for {gpu_unchanged_for}, on a busy GPU.",
			Freezes:  "gpu_unchanged_for",
			Actions:  []Action{{Now, "restart dcgm-exporter and its host engine", "gpu_samples"}},
		}, {
			If:       All{Is{"silent_exporters", AtLeast, 1, Judgement}},
			Name:     "exporter silent",
			Sentence: "A GPU exporter does not answer, so that C1, C2, C3, C4, C5, C7, D7 and D8 cannot be judged and other rules lose evidence.",
			Actions:  []Action{{Now, "mend the exporter first: its own finding says what failed", "gpus"}},
		}, {
			If:       All{Is{"unmapped_gpus", AtLeast, 1, Judgement}},
			Name:     "GPUs not mapped",
			Sentence: "GPUs are watched ({unmapped_gpus}), and none is known to belong to this server, so that C1, C2, C3, C4, C5, C7, D7 and D8 cannot be judged and other rules lose evidence.",
			Actions:  []Action{{Now, "name the server's exporters in the configuration: servers, with instance and exporters", "gpus"}},
		}},
		Sentence:   "No GPU is known to belong to this server, so that C1, C2, C3, C4, C5, C7, D7 and D8 cannot be judged and other rules lose evidence.",
		Plain:      Is{"gpus", AtMost, 0, Judgement},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "add --gpu URL (dcgm-exporter, usually port 9400), or name the GPUs of the server in the configuration", "gpus"},
		},
		Settle: "`vllmscope targets {url}`",
		Source: "dcgm-exporter documentation",
	},
}
