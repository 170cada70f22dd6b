package diagnose

import "time"

// outputRules ask whether the answers are worth reading.
var outputRules = []Rule{
	{
		Code: "F5", Name: "BAD_OUTPUT", Title: "answers are broken", Level: Replica, Severity: Warning, Hold: 10 * time.Minute, CriticalHold: 15 * time.Second,
		When: Any{
			Is{"corrupted_lately", AtLeast, 1, InSource},
			All{
				Is{"repetition_share", AtLeast, 0.01, Judgement},
				// One answer in fifty is chance.
				Is{"repetitions", AtLeast, 3, Judgement},
				Any{
					All{Is{"repetition_rise", AtLeast, 3, Judgement}, Is{"finished_before", AtLeast, 100, Judgement}},
					// Of a young process nothing is known to compare with: then five in a hundred are many.
					All{Is{"repetition_share", AtLeast, 0.05, Judgement}, Is{"finished_before", Below, 100, Judgement}},
				},
			},
		},
		Critical: Any{Is{"corrupted_lately", AtLeast, 1, InSource}},
		RuledOut: []Because{{"F2", "length_share"}},
		Cases: []Case{{
			If:       All{Is{"corrupted_lately", AtLeast, 1, InSource}},
			Name:     "no numbers",
			Sentence: "The engine computed what is no number for {corrupted_lately} requests in ten minutes: their answers are noise.",
			Actions: []Action{
				{Now, "if one replica does it and its peers do not, take it out: its GPU or its copy of the weights is at fault (look for XIDs, compare checksums)", "corrupted_lately"},
				{Restart, "if all do it, go back to the build, kernel or quantisation that worked", "corrupted_lately"},
			},
		}},
		Sentence:   "{repetition_share} of the answers repeat themselves until they are ended, that is {repetitions} in five minutes ({repetition_share_before} before).",
		Evidence:   []string{"repetition_share_before", "finished_lately", "length_share", "output_tokens_average"},
		Confidence: 0.7,
		Actions: []Action{
			{Now, "look at a few of them, and at what was changed: prompts, chat template, sampling (temperature 0, no repetition penalty), model, quantisation", "repetition_share"},
			{Now, "if one replica does it and its peers do not, take that one out", "repetition_share"},
		},
		Settle: "one prompt with a fixed seed, sent to every replica",
		Source: "vLLM's source",
	},
}
