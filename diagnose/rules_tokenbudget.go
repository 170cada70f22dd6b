package diagnose

import "time"

// tokenBudget is D4. Prompts may wait for the tokens of a step, for arithmetic, or for a server of their own pool: what to do is another
// thing for each.
var tokenBudget = Rule{
	Code: "D4", Name: "TOKEN_BUDGET", Title: "more prefill than fits a step", Level: Replica, Severity: Warning, Hold: 2 * time.Minute,
	When: All{
		Is{"waiting_for_room", AtLeast, 1, InSource},
		Is{"waiting_mean", AtLeast, 0.5, Judgement}, // one waits for a moment on any server
		Is{"cap_reached", Below, 1, InSource},
		Is{"kv_median", Below, 0.80, Judgement},
		Is{"preemptions_per_second", AtMost, 0, Judgement},
		Any{
			Is{"prefill_to_decode", AtLeast, 3, Judgement},
			All{Is{"decode_share", Below, 0.6, Judgement}, Is{"step_tokens_per_request", AtLeast, 2, Judgement}},
			All{Is{"moves", AtMost, 0, Measured}, Is{"kv_moves", AtLeast, 1, Measured}},
		},
	},
	Cases: []Case{{
		If:       All{Is{"moves", AtMost, 0, Measured}, Is{"kv_moves", AtLeast, 1, Measured}},
		Name:     "one long prefill at a time",
		Sentence: "A long prompt is being prefilled chunk by chunk: no token for half a minute while the KV cache grows ({kv_usage}), {waiting} wait. The engine works; it is not stuck.",
		Actions: []Action{
			{Now, "send long prompts to a replica of their own, or cap their length", "moves"},
			{Restart, "set --long-prefill-token-threshold so that short prompts get in between; a larger --max-num-batched-tokens ends the long one sooner, and makes every step longer", "waiting"},
		},
	}, {
		If:       prefillIsShort,
		Name:     "prefill is short",
		Sentence: morePrompts + " At each server that computes prompts {prefill_queue} wait in the mean (servers: {prefill_nodes}), while those that write answers have room: KV {decode_kv}, {decode_pressed} waiting.",
		Actions:  []Action{moveToPrefill, sendLessPrefill},
	}, {
		If:       All{Is{"gpus", AtMost, 0, Judgement}},
		Name:     "of tokens or of arithmetic",
		Sentence: morePrompts + " Without GPU metrics it may as well be the GPU's arithmetic (D7).",
		Actions: []Action{
			{Now, "send less prefill here: share prefixes, or route long prompts elsewhere; add replicas", "waiting_mean"},
			{Now, "add --gpu URL before a restart: only where the GPUs have arithmetic left does a larger --max-num-batched-tokens help", "gpus"},
		},
	}, {
		If:       All{Is{"tensor_active", AtLeast, 0.5, Judgement}},
		Name:     "little arithmetic is left",
		Sentence: morePrompts + " The GPUs have little arithmetic left for more a step (tensor pipe {tensor_active}).",
		Actions:  []Action{sendLessPrefill, {Now, "add replicas: a larger --max-num-batched-tokens brings little here", "tensor_active"}},
	}},
	Supports:   []Is{{"tensor_active", AtLeast, 0.3, Judgement}},
	Against:    []Is{{"tensor_active", Below, 0.15, Judgement}, {"deferred_share", AtLeast, 0.5, InSource}, {"gpus", AtMost, 0, Judgement}},
	Mild:       replicaInTime,
	Explains:   map[Match][]string{SameReplica: {"E1", "E2", "E3", "E4", "I4"}, SameModel: {"E6"}, SameServer: {"D6", "F3"}},
	RuledOut:   []Because{{"B4", "kv_moves"}, {"D2", "kv_median"}, {"D3", "cap_reached"}, {"D1", "kv_highest"}, {"D8", "tensor_active"}},
	Sentence:   morePrompts,
	Evidence:   []string{"running_mean", "tokens_per_step", "decode_share", "itl_p99", "prefix_hit_share", "gpu_busy"},
	Confidence: 0.7,
	Actions: []Action{
		sendLessPrefill,
		{Restart, "raise --max-num-batched-tokens if tokens may come later, or add replicas", "tokens_per_step"},
	},
	Settle: "the server's start flags: --max-num-batched-tokens",
	Source: "vLLM optimisation guide",
}

const morePrompts = "More prompts arrive than prefill can take: {computed_prompt_tokens_per_second} of prompt, and {waiting_for_room} wait with room in the batch and in the KV cache ({kv_median})."

var sendLessPrefill = Action{Now, "send less prefill here: share prefixes, or route long prompts elsewhere", "waiting_mean"}
