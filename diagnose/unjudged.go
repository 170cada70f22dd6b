package diagnose

import (
	"slices"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// unjudged says what a rule lacks for a subject; nil when it lacks nothing that could be provided: a target that does not answer,
// a first scrape and a window without observations are told elsewhere.
func (t *Track) unjudged(r *Rule, subject Subject, tick int64) *Unjudged {
	u := Unjudged{Code: r.Code, Subject: subject}
	var enable []string
	look := func(id string) Fact { return t.facts.fact(t.book.Signal(id), subject, tick) }
	for _, is := range unknowns(r.When, func(id string) float64 { return t.facts.value(t.book.Signal(id), subject, tick) }) {
		ways := t.book.lacking(is.Signal, look)
		if slices.Contains(ways, noGPU) {
			ways = append(slices.DeleteFunc(ways, func(way string) bool { return way == noGPU }), t.noGPU(subject, tick)...)
		}
		if len(ways) > 0 && !slices.Contains(u.Missing, is.Signal) {
			u.Missing = append(u.Missing, is.Signal)
		}
		for _, way := range ways {
			if !slices.Contains(enable, way) {
				enable = append(enable, way)
			}
		}
	}
	if len(u.Missing) == 0 {
		return nil
	}
	u.Enable = withoutHistory(enable)
	return &u
}

const noGPU = "no GPU metrics: add --gpu URL (dcgm-exporter, usually port 9400)"

const (
	unmappedGPUs = "no GPU is mapped to the server: name its exporters in the configuration (servers: instance, exporters)"
	unmappedGPU  = "the GPU is mapped to no server: name its exporter in the configuration (servers: instance, exporters)"
)

// noGPU says why a server has no GPU, or a GPU no server: an exporter does not answer, or shows none, there are GPUs that nobody has
// mapped, or none is known, but those of other servers. Where a page of an exporter has yet to come there is nothing that anybody could do.
func (t *Track) noGPU(subject Subject, tick int64) []string {
	facts, i := t.facts.at(t.book.Signal("up"), tick)
	switch {
	case subject.Level == GPU:
		return []string{unmappedGPU}
	case facts == nil:
		return []string{noGPU}
	case len(facts.silent[i]) > 0:
		return []string{"no GPU metrics: " + facts.silent[i][0] + " does not answer"}
	case facts.topology[i].Unmapped() > 0:
		return []string{unmappedGPUs}
	case len(t.settings.GPUTargets) == 0 || facts.topology[i].Known() > 0:
		return []string{noGPU}
	}
	for _, target := range facts.presentAt(Target, i) {
		if slices.Contains(t.settings.GPUTargets, target.Instance) && !facts.isDown(target, i) {
			return []string{"no GPU metrics: the page of " + target.Instance + " shows no GPU"}
		}
	}
	return nil
}

// A remedy tells how to get the families whose names begin with a prefix.
type remedy struct{ prefix, text string }

// remedies tell how to get a family that a target does not export, by the start of its name, the longest first (reference: vLLM's
// release notes, dcgm-exporter's shipped counter files).
var remedies = []remedy{
	{"vllm:num_requests_waiting_by_reason", "no reasons for waiting: vLLM 0.20 or newer tells them"},
	{"vllm:prompt_tokens_by_source", "no prompt tokens by source: vLLM 0.16 or newer has them"},
	{"vllm:request_time_per_output_token", "no time per output token of a request: vLLM 0.11 or newer has it"},
	{"vllm:engine_sleep_state", "no sleep state: vLLM 0.11.1 or newer tells it"},
	{"vllm:admission_rejections", "no count of refused requests: vLLM 0.32 or newer has it"},
	{"vllm:estimated_", noEstimates},
	{"vllm:nixl_", "no figures of KV transfers: vLLM 0.11.1 or newer with the NIXL connector has them"},
	{"vllm:spec_decode_num_drafts", "no number of drafts: vLLM 0.8.5 or newer (V1 engine) has it"},
	{"vllm:kv_block_", "no residency of KV blocks: start vLLM with --kv-cache-metrics"},
	{"vllm:request_prefill_kv_computed_tokens", "no computed tokens of a request: vLLM 0.13 or newer has them"},
	{"vllm:", "no such vLLM metrics: an older version, or --disable-log-stats"},
	{"process_", "no process metrics: several API processes may hide them, or a proxy or an excerpt leaves them out"},
	{"python_gc_", "no metrics of Python's garbage collector: several API processes may hide them, or a proxy or an excerpt leaves them out"},
	{"http_requests_total", "no HTTP counters: vLLM 0.8.3 or newer (V1 engine) has them once a request has ended"},
	{"DCGM_FI_PROF_", "no GPU activity: enable the DCGM_FI_PROF_ rows in dcgm-exporter's counters file (a data-centre GPU, CAP_SYS_ADMIN)"},
	{"DCGM_FI_DEV_PCIE_", "no PCIe link: enable DCGM_FI_DEV_PCIE_LINK_WIDTH and _GEN, and both _MAX_LINK_ rows, in dcgm-exporter's counters file"},
	{"DCGM_", "no such GPU metrics: enable the row in dcgm-exporter's counters file"},
}

// remedyFor says how to get a family.
func remedyFor(family string) (r remedy, ok bool) {
	i := slices.IndexFunc(remedies, func(r remedy) bool { return strings.HasPrefix(family, r.prefix) })
	if i < 0 {
		return remedy{}, false
	}
	return remedies[i], true
}

// lacking says how to get what a signal, or a part that it is made of, lacks; nothing when it lacks nothing that can be got.
func (b *Book) lacking(id string, look func(string) Fact) []string {
	s := b.Signal(id)
	if s.Formula != "" {
		return b.lackingFormula(s, look)
	}
	var found []string
	fact := look(id)
	switch fact.Absence {
	case NotGiven, NoObservations, Blank:
		if s.Enable != "" {
			return []string{s.Enable}
		}
	case NoGPU:
		return []string{noGPU}
	case NotExported:
		for _, family := range fact.Missing {
			if w, ok := remedyFor(family); ok {
				found = append(found, w.text)
			}
		}
	}
	return found
}

// lackingFormula does the same for a formula: what it says itself, where all that it is made of is there and says nothing, else what its
// parts lack.
func (b *Book) lackingFormula(s *Signal, look func(string) Fact) []string {
	if s.Enable == "" {
		return b.lackingIn(b.formulas[s.ID].tree, look)
	}
	if why := look(s.ID).Absence; why == NoObservations || why == Blank {
		return []string{s.Enable}
	}
	return nil
}

// withoutHistory leaves out that there is too little of it where something else is lacking: without that no history helps.
func withoutHistory(ways []string) []string {
	others := slices.DeleteFunc(slices.Clone(ways), func(way string) bool { return way == littleHistory })
	if len(others) > 0 {
		return others
	}
	return ways
}

// lackingIn does the same for a formula. Where "or" has another side that lacks nothing, nothing is lacking.
func (b *Book) lackingIn(e parser.Expr, look func(string) Fact) []string {
	if n, ok := e.(*parser.VectorSelector); ok {
		return b.lacking(n.Name, look)
	}
	var found []string
	for _, child := range parser.Children(e) {
		part, ok := child.(parser.Expr)
		if !ok {
			continue
		}
		lacks := b.lackingIn(part, look)
		if n, isBinary := e.(*parser.BinaryExpr); isBinary && n.Op == parser.LOR && len(lacks) == 0 {
			return nil
		}
		found = append(found, lacks...)
	}
	return found
}
