package diagnose

import (
	"slices"
	"time"
)

// workloadRules ask whether clients ask for something else than before. They hurt nobody by themselves, and explain what does.
var workloadRules = []Rule{
	{
		Code: "F1", Name: "LONG_OUTPUTS", Title: "answers are longer", Level: Model, Severity: Information, Hold: 10 * time.Minute,
		When: All{
			// While a load begins, more is admitted than answered.
			Is{"observed_seconds", AtLeast, 120, Judgement},
			Is{"model_requests", AtLeast, 50, Judgement},
			Is{"answer_tokens_rise", AtLeast, 1.5, Judgement},
		},
		Explains:   map[Match][]string{SameModel: {"D2", "E6", "I4"}},
		Sentence:   "Answers are {answer_tokens_rise} times as long as before: {answer_tokens} a request, {answer_tokens_before} before; {model_running} are in the batch, and {model_arrivals} arrive.",
		Evidence:   slices.Concat(pasts("answer_tokens"), []string{"finished_answer_tokens", "model_kv"}),
		Confidence: 0.8,
		Actions: []Action{
			{Now, "see what changed at the clients: a reasoning mode, a prompt that asks for more, answers that do not stop", "answer_tokens"},
			{Now, "set max_tokens, or lower it, where answers need not be so long: each holds its place and its KV blocks for as long as it takes", "answer_tokens"},
			{Restart, "if they stay so long, size for it: as many times the KV cache, or replicas", "model_kv"},
		},
		Settle: "vllm:request_params_max_tokens: did the clients raise their limit?",
		Source: "Little's law; vLLM's source: lengths are counted when a request ends",
	},
	{
		Code: "F6", Name: "WORKLOAD_SHIFT", Title: "requests are larger", Level: Model, Severity: Information, Hold: 5 * time.Minute,
		When: All{
			// While a load begins, more is admitted than answered.
			Is{"observed_seconds", AtLeast, 120, Judgement},
			Is{"model_requests", AtLeast, 50, Judgement},
			Any{
				All{Is{"prompt_mean_rise", AtLeast, 1.5, Judgement}, Is{"prompt_middle_rise", AtLeast, 1.25, Judgement}},
				Is{"answers_asked_rise", AtLeast, 1.5, Judgement},
			},
		},
		Explains: map[Match][]string{SameModel: {"E4", "I4"}},
		Cases: []Case{{
			If:       All{Is{"answers_asked_rise", AtLeast, 1.5, Judgement}},
			Name:     "more answers each",
			Sentence: "A request asks for {answers_asked} answers (n), {answers_asked_before} before: each is a sequence of its own.",
			Actions: []Action{
				{Now, "see who asks for several answers, and cap n at the gateway", "answers_asked"},
			},
		}},
		Sentence:   "Prompts are {prompt_mean_rise} times as long as before: {prompt_mean} in the mean, {prompt_mean_before} before, and not only a few of them.",
		Evidence:   slices.Concat(pasts("prompt_mean"), []string{"prompt_middle", "prompt_middle_before", "answer_tokens", "model_arrivals"}),
		Confidence: 0.8,
		Actions: []Action{
			{Now, "see what changed at the clients: whole documents instead of questions, a longer system prompt, more history", "prompt_mean"},
			{Now, "put what all prompts share first, so that the prefix cache finds it; send long prompts to a replica of their own", "prompt_mean"},
		},
		Settle: "the gateway's log: which client sends the longer prompts",
		Source: "vLLM's source: prompt tokens are counted at the first token",
	},
	{
		Code: "F7", Name: "CLIENT_LIMITED", Title: "the clients are the limit", Level: Replica, Severity: Information, Hold: 5 * time.Minute,
		When: All{
			Is{"running_mean", AtLeast, 8, Judgement},
			Is{"waiting_mean", Below, 0.5, Judgement},
			Is{"kv_highest", Below, 0.6, Judgement},
			Is{"ttft_burn", AtMost, 1, Judgement},
			Is{"running_dispersion", Below, 0.1, Judgement},
			// Of requests that stay for long, five minutes see too few to tell a plateau from chance.
			Is{"residence", AtMost, 30, Judgement},
			Is{"admissions_kept", AtMost, 0.8, Judgement},
			Is{"output_kept", AtMost, 0.8, Judgement},
			Is{"ttft_average_rise", AtMost, 1.2, Judgement},
			Is{"itl_average_rise", AtMost, 1.2, Judgement},
		},
		Supports:   []Is{{"dram_active", Below, 0.7, Judgement}, {"tensor_active", Below, 0.4, Judgement}},
		Explains:   map[Match][]string{SameModel: {"I1"}},
		RuledOut:   []Because{{"D3", "waiting"}, {"D8", "waiting"}},
		Sentence:   "No more than {running_mean} requests run at once (dispersion {running_dispersion}), none waits, and {admissions_kept} of the usual admissions come, as fast as ever: something before this server lets no more in, a pool of connections or a rate limit, or fewer clients that wait for their answers.",
		Evidence:   slices.Concat([]string{"running_mean", "admissions_per_second"}, pasts("admission_rate"), []string{"ttft_average", "itl_average", "gpu_busy"}),
		Confidence: 0.55,
		Actions: []Action{
			{Now, "compare {running_mean} with the limits before the server: the pool of the HTTP client (100 in common Python ones), the gateway's connections, worker processes", "running_mean"},
			{Now, "measure at the client: where its time to the first token is far above {ttft_average}, requests wait there", "admissions_per_second"},
		},
		Settle: "a probe from inside the cluster while the clients say it is slow",
		Source: "our judgement: Poisson arrivals have a variance as large as their mean",
	},
	{
		Code: "F8", Name: "EXPENSIVE_REQUESTS", Title: "a few requests make each step slow", Level: Replica, Severity: Information, Hold: 5 * time.Minute,
		When: All{
			Is{"running_mean", AtLeast, 1, Judgement},
			Is{"running_mean", Below, 64, Judgement},
			Is{"waiting_mean", Below, 0.5, Judgement},
			Is{"answers_asked", Above, 1, InSource},
			Is{"gpu_busy", AtLeast, 0.9, Judgement},
			Also{Is{"gpu_slowdown", AtMost, 0, Judgement}},
			Is{"preemptions_per_second", AtMost, 0, Judgement},
			Is{"prefill_to_decode", Below, 3, Judgement},
			Is{"output_kept", AtMost, 0.7, Judgement},
			Is{"itl_average_rise", AtLeast, 1.5, Judgement},
		},
		Explains:   map[Match][]string{SameModel: {"E6"}},
		RuledOut:   []Because{{"D1", "kv_highest"}, {"D4", "prefill_to_decode"}},
		Sentence:   "Each step takes {itl_average_rise} times as long as usual on a busy GPU ({gpu_busy}) with {running_mean} running, and requests ask for several answers (n is {answers_asked} in the mean): a few expensive ones may slow down all.",
		Evidence:   slices.Concat(pasts("itl_average"), []string{"answers_asked", "generation_tokens_per_second", "output_rate_before", "itl_p99", "gpu_power_share"}),
		Confidence: 0.5,
		Actions: []Action{
			{Now, "cap n and logprobs at the gateway", "itl_average"},
			{Now, "send requests with many answers or logprobs to a replica of their own", "itl_average"},
		},
		Settle: "the gateway's log: n, best_of, logprobs and prompt_logprobs of the requests; vLLM counts n and no logprobs",
		Source: "Ingero: one request with n=8 and logprobs slows its neighbours",
	},
}
