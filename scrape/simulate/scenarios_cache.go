package simulate

// cacheFaults take the help of the prefix cache, of caches outside, or of speculation away.
func cacheFaults() []Scenario {
	renamed := chat(6)
	renamed.prefixes, renamed.prefixTokens = 0, 0
	renamed.prompt = lengths{1600, 0.3, 200, 6000}
	hot := chat(6)
	hot.prefixTokens = 2048
	return []Scenario{
		{
			Name:        "template-change",
			Description: "A time stamp at the start of the system prompt: nothing is shared any more, and every prompt is computed anew.",
			Cause:       "G2",
			servers:     []deployment{small("gpu-a", hot)},
			faults:      []fault{otherLoad(0, renamed)},
		},
	}
}
