package diagnose

import (
	"math"
	"testing"
)

func TestClassesOfWork(t *testing.T) {
	nan := math.NaN()
	for _, row := range []struct {
		prompt, output float64
		want           string
	}{
		{600, 250, "chat"},
		{1600, 310, "chat"},
		{2000, 250, "long prompts (RAG, documents)"},
		{2000, 251, "chat"},
		{1999, 20, "chat"},
		{8000, 1, "one token an answer (classification, scoring)"},
		{300, 1.5, "one token an answer (classification, scoring)"},
		{600, 1000, "generation (long answers)"},
		{100, 200, "generation (long answers)"},
		{100, 199, "chat"},
		{9000, 1000, "long prompts (RAG, documents)"},
		{nan, 10, ""},
		{10, nan, ""},
	} {
		if got := classOf(row.prompt, row.output); got != row.want {
			t.Errorf("%v in, %v out: %q, want %q", row.prompt, row.output, got, row.want)
		}
	}
}

// factOf is a fact of a value with the unit of a signal of the book.
func factOf(id string, value float64) Fact {
	f := Fact{Signal: Default().Signal(id), Value: value, Low: value, High: value, N: math.NaN()}
	if math.IsNaN(value) {
		f.Absence = Blank
	}
	return f
}

func TestWorkloadsAreToldInWords(t *testing.T) {
	nan := math.NaN()
	w := Workload{
		Class: "chat", PromptTokens: factOf("prompt_length", 1600), OutputTokens: factOf("output_tokens_average", 310), PromptPerOutput: factOf("prompt_per_output", 5.2),
		Frontend: factOf("frontend_gap", 0.01), Queue: factOf("queue_average", 0), Prefill: factOf("prefill_average", 0.02), Decode: factOf("decode_average", 2.8),
		Request: factOf("e2e_average", 2.83), DecodeShare: factOf("decode_of_work", 0.99),
		Success: factOf("success_share", 0.999), Stopped: factOf("stop_share", 0.98), Left: factOf("left_share", 0.001),
		Finished: factOf("finished_per_second", 6), FinishedWell: factOf("finished_well_per_second", 6), Wasted: factOf("wasted_tokens_per_second", 2),
	}
	w.Request.N = 360
	for name, row := range map[string]struct{ got, want string }{
		"lengths": {w.Lengths(), "chat: 1.6k tokens in, 310 out (5.2 to 1)"},
		"phases":  {w.Phases(), "2.8 s a request: frontend 10 ms | queue 0 s | prefill 20 ms | decode 2.8 s (99 % of the engine's time), n=360"},
		"ends":    {w.Ends(), "success 99.9 % (98 % stopped)"},
		"cut": {func() string {
			cut := w
			cut.Success, cut.Left, cut.Wasted = factOf("success_share", 0.8), factOf("left_share", 0.2), factOf("wasted_tokens_per_second", 300)
			return cut.Ends()
		}(), "success 80 % (98 % stopped), 20 % left, 300 tok/s wasted"},
		"failed": {func() string {
			failed := w
			failed.Success, failed.Left, failed.FinishedWell = factOf("success_share", 0.9), factOf("left_share", 0), factOf("finished_well_per_second", 5.4)
			return failed.Ends()
		}(), "success 90 % (98 % stopped), 6/s finished, 5.4/s of them well"},
		"no frontend": {func() string {
			part := w
			part.Frontend, part.Request.N = factOf("frontend_gap", nan), 0
			return part.Phases()
		}(), "2.8 s a request: queue 0 s | prefill 20 ms | decode 2.8 s (99 % of the engine's time)"},
		"no answers": {func() string {
			embeds := w
			embeds.OutputTokens, embeds.PromptPerOutput = factOf("output_tokens_average", 0), factOf("prompt_per_output", math.Inf(1))
			return embeds.Lengths()
		}(), "chat: 1.6k tokens in, 0 out"},
		"nothing": {func() string {
			none := Workload{Request: factOf("e2e_average", nan), Success: factOf("success_share", nan)}
			return none.Lengths() + none.Phases() + none.Ends()
		}(), ""},
	} {
		if row.got != row.want {
			t.Errorf("%s:\n%q, want\n%q", name, row.got, row.want)
		}
	}
}
