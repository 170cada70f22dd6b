package simulate

import (
	"slices"
	"strconv"
)

// featureFamilies are the rows that vLLM registers only where a feature is on, in its order.
func featureFamilies(f flags) []family {
	var rows []family
	if f.speculation.tokens > 0 {
		rows = slices.Concat(rows, speculationFamilies(f.speculation.tokens))
	}
	if f.transfers {
		rows = slices.Concat(rows, transferFamilies())
	}
	return rows
}

// speculationFamilies are the counters of speculation, which came with the V1 engine in 0.8.5.
func speculationFamilies(tokens int) []family {
	var positions []labelValue
	for i := range tokens {
		positions = append(positions, labelValue{text: strconv.Itoa(i)})
	}
	return []family{
		{
			name: "vllm:spec_decode_num_drafts_total", help: "Drafts, of several tokens each.",
			counter: func(m *engineMetrics, _ string) float64 { return float64(m.drafted.drafts) },
		},
		{
			name: "vllm:spec_decode_num_draft_tokens_total", help: "Tokens drafted.",
			counter: func(m *engineMetrics, _ string) float64 { return float64(m.drafted.tokens) },
		},
		{
			name: "vllm:spec_decode_num_accepted_tokens_total", help: "Drafted tokens that were accepted.",
			counter: func(m *engineMetrics, _ string) float64 { return float64(m.drafted.accepted) },
		},
		{
			name: "vllm:spec_decode_num_accepted_tokens_per_pos_total", help: "Drafted tokens that were accepted, by position in their draft.",
			label: "position", values: positions,
			counter: func(m *engineMetrics, position string) float64 {
				i, _ := strconv.Atoi(position) // it is one of the values above
				return m.drafted.position(i)
			},
		},
	}
}
