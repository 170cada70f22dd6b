package diagnose

import "time"

// trendRules ask what changes over hours, before it hurts.
var trendRules = []Rule{
	{
		Code: "I2", Name: "MEMORY_LEAK", Title: "memory grows", Level: Server, Severity: Warning, Hold: 5 * time.Minute,
		When: All{
			// A start in the two hours would be a step, and what it takes is no leak.
			Is{"uptime", AtLeast, 7200, Judgement},
			Is{"memory_slope_late", Above, 200e6, Judgement},
			Is{"memory_slope", Above, 200e6, Judgement},
			Is{"memory_growth", Above, 0.01, Judgement},
			Is{"load_rise", AtMost, 1.5, Judgement},
		},
		Sentence:   "The API process has {memory} and grows by {memory_slope} an hour, {memory_slope_late} in the last one, at {load_rise} times the load of then: a leak, or a cache that still fills.",
		Evidence:   []string{"memory", "memory_doubles", "uptime", "inside"},
		Confidence: 0.65,
		Actions: []Action{
			{Now, "plan a restart after draining it, before the limit of its container; at this pace its memory doubles in {memory_doubles}", "memory"},
			{Restart, "upgrade vLLM; with images, bound --mm-processor-cache-gb, which each process has", "memory_slope_late"},
		},
		Settle: "container_memory_working_set_bytes against its limit (the engine's memory is in it, too), and a heap trace",
		Source: "vLLM #44490, #15294, #52089, #54237",
	},
	{
		Code: "I3", Name: "GC_PRESSURE", Title: "garbage collection", Level: Replica, Severity: Information, Hold: 5 * time.Minute,
		When: All{
			Is{"full_collections", AtLeast, 5, Judgement},
			Any{
				All{Is{"itl_jitter", AtLeast, 4, Judgement}, Is{"itl_burn", Above, 1, Judgement}},
				Is{"frontend_gap", AtLeast, 0.25, Judgement},
			},
			Is{"uptime", AtLeast, 1800, Judgement},
			Is{"collections_rise", AtLeast, 3, Judgement},
			Is{"prompt_rise", Below, 1.5, Judgement},
		},
		RuledOut:   []Because{{"E4", "computed_prompt_tokens_per_second"}},
		Sentence:   "Python collects all of its garbage {collections_rise} times as often as before ({full_collections} in five minutes), and some tokens come late (p99 {itl_p99}, frontend {frontend_gap}) without more prefill ({prompt_rise} times as much).",
		Evidence:   []string{"memory", "api_cpu_cores", "itl_p50"},
		Confidence: 0.4,
		Actions: []Action{
			{Restart, "VLLM_GC_DEBUG=1 times each collection: then it is known whether they are the pauses", "collections_a_cpu_second"},
			{Restart, "more API processes (--api-server-count); smaller payloads, fewer log probabilities", "frontend_gap"},
		},
		Settle: "VLLM_GC_DEBUG=1, which logs how long each collection takes",
		Source: "vLLM's source: the heap of the start is frozen, so that full collections are of what came since",
	},
}
