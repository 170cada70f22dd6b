package main

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// llama8B is the config.json of the model that most simulated servers have.
const llama8B = `{"hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,
	"intermediate_size":14336,"tie_word_embeddings":false}`

// The floor of a step, from config.json and data sheet, agrees with the simulated hardware, which has a model of its own: where a step
// is all memory or all arithmetic it takes little more, and where the host is slow several times as much.
func TestFloorAgreesWithSimulatedSteps(t *testing.T) {
	shape, err := diagnose.ParseModelConfig([]byte(llama8B))
	if err != nil {
		t.Fatal(err)
	}
	type bounds map[string][2]float64
	for name, wants := range map[string]bounds{
		"long-contexts": {"step_over_floor": {0.95, 1.25}, "hbm_computed": {0.85, 1.05}, "mfu_share": {0.02, 0.06}},
		"compute-bound": {"step_over_floor": {1, 1.4}, "mfu_share": {0.4, 0.55}, "hbm_computed": {0.03, 0.12}},
		"sequence-cap":  {"step_over_floor": {1.2, 1.8}, "hbm_computed": {0.55, 0.85}},
		"slow-host":     {"step_over_floor": {4, 15}, "hbm_computed": {0.05, 0.25}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scenario := named(t, name)
			w := everyFiveSeconds.watching(t, scenario, 11)
			w.set.Shapes, w.length = map[string]*diagnose.Shape{"meta-llama/Llama-3.1-8B-Instruct": shape}, scenario.Shows
			end := began.Add(lead + w.length)
			source := w.run(t, func(_ time.Duration, r *diagnose.Report) { end = r.Time })
			book := diagnose.Default()
			book, err = diagnose.NewBook(book.Catalogue, book.Rules, slices.AppendSeq(slices.Clone(book.Shown), maps.Keys(wants)))
			if err != nil {
				t.Fatal(err)
			}
			last, err := diagnose.JudgeAt(t.Context(), source, book, w.set, end)
			if err != nil {
				t.Fatal(err)
			}
			for id, b := range wants {
				if f := last.Fact(id, last.Replicas[0]); !(f.Value >= b[0] && f.Value <= b[1]) {
					t.Errorf("%s is %s (%s), want %g to %g", id, f.Text(), f.Absence, b[0], b[1])
				}
			}
			if f := last.Findings[0]; f.Rule.Code != scenario.Cause {
				t.Errorf("with the model's size %s stands first, without %s", f.Rule.Code, scenario.Cause)
			}
		})
	}
}

// Without GPU metrics the model's size and the user's word on the hardware name the cause too.
func TestMemoryLimitWithoutGPUMetrics(t *testing.T) {
	shape, err := diagnose.ParseModelConfig([]byte(llama8B))
	if err != nil {
		t.Fatal(err)
	}
	scenario := named(t, "long-contexts")
	w := everyFiveSeconds.watching(t, scenario, 12)
	w.withoutGPUs, w.length = true, scenario.Shows
	w.set.Shapes = map[string]*diagnose.Shape{"meta-llama/Llama-3.1-8B-Instruct": shape}
	w.set.Hardware = map[string]diagnose.Hardware{"gpu-a:8000": {GPU: "H100 SXM", Count: 1}}
	var last *diagnose.Report
	w.run(t, func(_ time.Duration, r *diagnose.Report) { last = r })
	if f := last.Findings[0]; f.Rule.Code != "E5" || f.State != diagnose.Firing || f.Case != "long contexts" && f.Case != "" {
		t.Errorf("%s %s stands first: %s", f.Rule.Code, f.State, f.Sentence)
	}
}
