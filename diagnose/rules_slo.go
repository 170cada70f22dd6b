package diagnose

import (
	"slices"
	"time"
)

// missedObjective says that users get less than what is wanted: first over what was observed, then by how fast the misses that a month
// may have are used up. The long windows are read only where something is missed now.
var missedObjective = Rule{
	Code: "E6", Name: "SLO_MISSED", Title: "latency objective missed", Level: Model, Severity: Warning, Hold: 5 * time.Minute, CriticalHold: time.Minute,
	Symptom: true,
	When: All{
		Is{"model_first_tokens", AtLeast, 20, Judgement},
		Any{
			Is{"model_ttft_burn", Above, 1, Stated("the objective")},
			Is{"model_tpot_burn", Above, 1, Stated("the objective")},
			Is{"model_e2e_burn", Above, 1, Stated("the objective")},
			Is{"model_queue_burn", Above, 1, Stated("the objective")},
			Is{"model_failures_burn", Above, 1, Stated("the objective")},
		},
	},
	Critical: All{
		Is{"observed_seconds", AtLeast, 15 * 60, Judgement},
		Any{burns("ttft"), burns("tpot"), burns("e2e"), burns("queue")},
	},
	Cases:      slices.Concat(beforeTheEnd(missedTokens), beforeTheEnd(missedTimes), []Case{afterStop, afterFailedScrapes}, missedTokens, []Case{queueGone}, missedTimes, []Case{tooManyFail, loadEnded}),
	Sentence:   lateFirstTokens,
	Evidence:   []string{"model_first_tokens"},
	Confidence: 0.9,
	Actions: []Action{
		{Now, lookForTheCause, "model_ttft_over_slo"},
	},
	Caused: seeItsCause,
	Settle: "the same percentile measured by the client",
	Source: "Google SRE workbook, chapter 5",
}

// burns says that misses of a time use up the budget of a month within days: 2 % of it in an hour, or 5 % in six. With fewer than 300
// requests in the long window a share says too little, and while there is less data than the window, all there is counts.
func burns(objective string) Any {
	rate := func(window string, times float64) Is {
		return Is{"model_" + objective + "_burn_" + window, AtLeast, times, Stated(sreWorkbook)}
	}
	return Any{
		All{Is{"model_first_tokens_1h", AtLeast, 300, Judgement}, rate("5m", 14.4), rate("1h", 14.4)},
		All{Is{"model_first_tokens_6h", AtLeast, 300, Judgement}, rate("30m", 6), rate("6h", 6)},
	}
}

// burning lists what tells how much of a time is missed, and for how long that can go on. A month's budget is used at a rate of 1 over
// three days and six hours in ten times that.
func burning(objective string) []string {
	of := "model_" + objective
	ids := []string{of + "_over_slo", of + "_burn_1h", of + "_burn_6h", of + "_burn_3d", of + "_missed_1h", of + "_budget_left"}
	if objective == "ttft" {
		ids = slices.Insert(ids, 1, "model_ttft_over_feels")
	}
	return ids
}

// missedTokens are the forms in which the tokens of answers come too far apart, with late first ones or without.
var missedTokens = []Case{
	{
		If:       All{Is{"model_ttft_burn", Above, 1, Judgement}, Is{"model_tpot_burn", Above, 1, Judgement}},
		Sentence: "{model_ttft_over_slo} of first tokens are later than {slo_ttft}, and {model_tpot_over_slo} of requests have their tokens farther apart than {slo_tpot}; {slo_allowed} may.",
		Evidence: slices.Concat(burning("ttft"), burning("tpot")),
	},
	{
		If:       All{Is{"model_tpot_burn", Above, 1, Judgement}},
		Sentence: "{model_tpot_over_slo} of requests have their tokens farther apart than {slo_tpot}; {slo_allowed} may.",
		Evidence: burning("tpot"),
		Actions:  []Action{{Now, lookForTheCause, "model_tpot_over_slo"}},
	},
}

// missedTimes are the other forms of a missed time: which one, and what tells more of it.
var missedTimes = []Case{
	{
		If:       All{Is{"model_ttft_burn", Above, 1, Judgement}},
		Sentence: lateFirstTokens,
		Evidence: burning("ttft"),
	},
	{
		If:       All{Is{"model_e2e_burn", Above, 1, Judgement}},
		Sentence: "{model_e2e_over_slo} of requests take longer than {slo_e2e}; {slo_allowed} may.",
		Evidence: burning("e2e"),
		Actions:  []Action{{Now, lookForTheCause, "model_e2e_over_slo"}},
	},
	{
		If:       All{Is{"model_queue_burn", Above, 1, Judgement}},
		Sentence: "{model_queue_over_slo} of requests queue for longer than {slo_queue}; {slo_allowed} may.",
		Evidence: burning("queue"),
		Actions:  []Action{{Now, lookForTheCause, "model_queue_over_slo"}},
	},
}

// afterStop is when an engine stood still, and what it held up makes first tokens late in the window.
var afterStop = Case{
	If:       All{Is{"model_ttft_burn", Above, 1, Judgement}, Is{"model_stopped_ago", AtMost, backlogOfStop.Seconds(), Judgement}},
	Name:     "the backlog of a stop",
	Sentence: lateFirstTokens + " An engine stood still until {model_stopped_ago} ago, and what it held up is still in the window.",
	Evidence: burning("ttft"),
	Actions: []Action{
		{Now, "wait until what it held up has left the window; see why it stood still: the end of the engine's log, and what else its host did", "model_ttft_over_slo"},
	},
}

// afterFailedScrapes is when a server did not answer, so that what came meanwhile has late first tokens in the window.
var afterFailedScrapes = Case{
	If:       All{Is{"model_ttft_burn", Above, 1, Judgement}, Is{"model_failed_scrapes", AtLeast, 1, Judgement}},
	Name:     "after failed scrapes",
	Sentence: lateFirstTokens + " Scrapes of a server failed ({model_failed_scrapes} in 2m): what came while it did not answer may be what is late.",
	Evidence: burning("ttft"),
	Actions:  []Action{{Now, whyNoAnswer, "model_ttft_over_slo"}},
}

// queueGone is when first tokens came late out of a queue, and no replica has one any more: what filled it is over or pauses.
var queueGone = Case{
	If: All{
		Is{"model_ttft_burn", Above, 1, Judgement},
		Is{"model_waiting", AtMost, 0, InSource},
		Is{"model_queued_share", AtLeast, 0.5, Judgement},
	},
	Name:     "out of a queue that is gone",
	Sentence: lateFirstTokens + " They came out of a queue ({model_queued_share} of their time), and nothing waits any more.",
	Evidence: burning("ttft"),
	Actions:  []Action{{Now, "watch whether it queues again: then what holds the queue stands here; the charts show what went on before", "model_waiting"}},
}

var tooManyFail = Case{
	If:       All{Is{"model_failures_burn", Above, 1, Judgement}},
	Name:     "too many fail",
	Sentence: "{model_failed_share} of requests fail; {slo_failures} may.",
	Actions:  []Action{{Now, "look in the servers' logs for what they answered with 5xx", "model_failed_share"}},
}

const (
	lateFirstTokens = "{model_ttft_over_slo} of first tokens are later than {slo_ttft}; {slo_allowed} may."
	seeItsCause     = "see to its cause first: {cause}"
	lookForTheCause = "look at each replica's phases: the longest one says where to look for the cause"
)

// loadEnded is when nothing runs or waits any more: what was missed is in the older part of the window, and no phase of now tells why.
// After the window nothing is left to tell of it but that.
var loadEnded = Case{
	If:       All{Is{"model_work_lately", AtMost, 0, Judgement}},
	Name:     "before the load ended",
	Sentence: "Nothing runs or waits any more.",
	Actions:  []Action{{Now, "judge it again under load; the charts show what went on before the load ended", "model_work_lately"}},
	Over:     true,
}

// beforeTheEnd are the same cases while they are in the window of a load that has ended.
func beforeTheEnd(cases []Case) []Case {
	ended := make([]Case, len(cases))
	for i, c := range cases {
		ended[i] = loadEnded
		ended[i].If, ended[i].Evidence = append(All{c.If}, loadEnded.If), c.Evidence
		ended[i].Sentence += " In the window before: " + c.Sentence
	}
	return ended
}
