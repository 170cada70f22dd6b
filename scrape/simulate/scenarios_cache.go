package simulate

import (
	"slices"
	"time"
)

// cacheFaults take the help of the prefix cache, of caches outside, or of speculation away.
func cacheFaults() []Scenario {
	renamed := chat(6)
	renamed.prefixes, renamed.prefixTokens = 0, 0
	renamed.prompt = lengths{1600, 0.3, 200, 6000}
	hot := chat(6)
	hot.prefixTokens = 2048
	return slices.Concat(speculations(), prefixes(), []Scenario{
		{
			Name:        "template-change",
			Description: "A time stamp at the start of the system prompt: nothing is shared any more, and every prompt is computed anew.",
			Cause:       "G2",
			servers:     []deployment{small("gpu-a", hot)},
			faults:      []fault{otherLoad(0, renamed)},
		},
	})
}

// prefixes are shared beginnings that do not help, or help no longer.
func prefixes() []Scenario {
	curt := chat(1.5)
	curt.prefixes, curt.prefixTokens = 0, 0
	curt.prompt = lengths{200, 0.5, 20, 800}
	stamped := load{name: "documents", rate: 3, maxTokens: 512, prompt: lengths{1150, 0.15, 900, 2000}, output: lengths{160, 0.5, 10, 512}}
	tools := chat(2.5)
	tools.prefixes, tools.prefixTokens = 100, 2048
	library := load{
		name: "library", rate: 1.2, maxTokens: 512, prefixes: 200, prefixTokens: 5120, prompt: question, output: lengths{160, 0.5, 10, 512},
	}
	outside := small("gpu-a", library)
	outside.flags.memoryUtilization, outside.flags.external = 0.4, 2_500_000
	return []Scenario{
		{
			Name:        "nothing-shared",
			Description: "A new application writes the time before its instructions: long prompts that could share a beginning share none.",
			Cause:       "G1",
			Shows:       35 * time.Minute,
			servers:     []deployment{small("gpu-a", curt)},
			faults:      []fault{moreLoad(0, stamped)},
		},
		{
			Name:        "prefix-evicted",
			Description: "Long private contexts fill the KV cache, and the instructions that chats share are overwritten between two of them.",
			Cause:       "G3",
			servers:     []deployment{small("gpu-a", tools)},
			faults:      []fault{sessions(0, 19)},
		},
		{
			Name:        "external-cache-useless",
			Description: "Other tenants fill the shared KV store: what this server puts there is gone before it is asked for again.",
			Cause:       "G5",
			Shows:       35 * time.Minute,
			servers:     []deployment{outside},
			faults:      []fault{fill(0, 0.03)},
		},
	}
}

// speculations are drafters that pay and that do not. The drafter of the first is one layer (EAGLE), that of the second a
// model of its own: Llama 1B has 15 % of the parameters of 8B.
func speculations() []Scenario {
	fitting, agreeing := chat(2), chat(12)
	fitting.acceptance, agreeing.acceptance = 0.75, 0.8
	head, draft := small("gpu-a", fitting), small("gpu-a", agreeing)
	head.flags.speculation = speculation{tokens: 3, drafter: 0.05}
	draft.flags.speculation = speculation{tokens: 5, drafter: 0.154}
	return []Scenario{
		{
			Name:        "speculation-pays",
			Description: "A light load with speculation: most proposals stand, and a step brings two to three tokens.",
			servers:     []deployment{head},
		},
		{
			Name:        "speculation-refused",
			Description: "The clients raise the temperature: most proposals of the draft model are refused, and it costs more than it saves.",
			Cause:       "G4",
			servers:     []deployment{draft},
			faults:      []fault{hotter(0, 0.3)},
		},
	}
}
