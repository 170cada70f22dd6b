package diagnose

import (
	"fmt"
	"math"
	"strings"
)

// Workload is what work a replica has, where the time of its finished requests goes, and what comes of them.
type Workload struct {
	Class string // in words: chat, long prompts, generation, one token an answer; "" while lengths are not known

	PromptTokens, OutputTokens, PromptPerOutput Fact

	// The parts of Request, means of the same finished requests; Deviation is how far TTFT + (N - 1) × TPOT is from it.
	Frontend, Queue, Prefill, Decode, Request, Deviation Fact
	PrefillShare, DecodeShare                            Fact // of the time in the engine

	// Success is stop and length of all that ended, cut and failed ones included; Stopped is stop alone.
	Success, Stopped, Left         Fact
	Finished, FinishedWell, Wasted Fact // Wasted is the server's tokens of answers that nobody waited for
}

// Marks of success and of the lengths that tell one workload from another (judgement).
const (
	healthySuccess = 0.995
	longPrompt     = 2000
	longAnswer     = 1000
	readingRatio   = 8
	writingRatio   = 0.5
)

// Workload sums up the work of a replica. Its facts are absent where there is no data.
func (r *Report) Workload(replica Subject) Workload {
	read := func(id string) Fact {
		if r.SinceStart() {
			return r.Figure(id, replica)
		}
		return r.Fact(id, replica)
	}
	w := Workload{
		PromptTokens: read("prompt_length"), OutputTokens: read("output_tokens_average"), PromptPerOutput: read("prompt_per_output"),
		Frontend: read("frontend_gap"), Queue: read("queue_average"), Prefill: read("prefill_average"), Decode: read("decode_average"),
		Request: read("e2e_average"), Deviation: read("request_deviation"),
		PrefillShare: read("prefill_of_work"), DecodeShare: read("decode_of_work"),
		Success: read("success_share"), Stopped: read("stop_share"), Left: read("left_share"),
		Finished: read("finished_per_second"), FinishedWell: read("finished_well_per_second"),
		Wasted: read("wasted_tokens_per_second"),
	}
	w.Class = classOf(w.PromptTokens.Value, w.OutputTokens.Value)
	if w.Class == oneTokenEach && read("prefill_node").Value >= 1 {
		w.Class = "prompts for decode servers"
	}
	if w.Class != "" && r.Settings.SLO.Name == "batch" {
		w.Class += ", batch"
	}
	return w
}

// Facts lists what is known of the work, in the order in which it is told.
func (w Workload) Facts() []Fact {
	return []Fact{
		w.PromptTokens, w.OutputTokens, w.PromptPerOutput, w.Frontend, w.Queue, w.Prefill, w.Decode, w.Request, w.Deviation,
		w.PrefillShare, w.DecodeShare, w.Success, w.Stopped, w.Left, w.Finished, w.FinishedWell, w.Wasted,
	}
}

// oneTokenEach is the work of a server that judges; or of one that computes prompts for others, which the metrics of its transfers tell.
const oneTokenEach = "one token an answer (classification, scoring)"

// classOf says in words what requests of such lengths usually are.
func classOf(prompt, output float64) string {
	switch {
	case math.IsNaN(prompt) || math.IsNaN(output):
		return ""
	case output <= 1.5:
		return oneTokenEach
	case prompt >= longPrompt && prompt >= readingRatio*output:
		return "long prompts (RAG, documents)"
	case output >= longAnswer || prompt <= writingRatio*output:
		return "generation (long answers)"
	}
	return "chat"
}

// Lengths says what the work is: "chat: 1.2k tokens in, 260 out (4.6 to 1)"; "" while that is not known.
func (w Workload) Lengths() string {
	if w.Class == "" {
		return ""
	}
	text := fmt.Sprintf("%s: %s in, %s out", w.Class, w.PromptTokens.Text(), compact(w.OutputTokens.Value))
	if ratio := w.PromptPerOutput; ratio.Known() && !math.IsInf(ratio.Value, 0) {
		text += " (" + ratio.Text() + " to 1)"
	}
	return text
}

// Phases says where the time of a request goes: "2.2 s a request: frontend 5 ms | queue 0 s | prefill 90 ms | decode 2.1 s (96 % of
// the engine's time), n=57"; "" while none has finished.
func (w Workload) Phases() string {
	if !w.Request.Known() || !w.Decode.Known() {
		return ""
	}
	text := w.Request.Text() + " a request: " + w.Parts()
	if w.DecodeShare.Known() {
		text += " (" + w.DecodeShare.Text() + " of the engine's time)"
	}
	if n := math.Round(w.Request.N); n > 0 {
		text += ", n=" + compact(n)
	}
	return text
}

// Parts lists the phases of a request that are known: "frontend 5 ms | queue 0 s | prefill 90 ms | decode 2.1 s".
func (w Workload) Parts() string {
	var parts []string
	for _, phase := range []struct {
		word string
		mean Fact
	}{{"frontend", w.Frontend}, {"queue", w.Queue}, {"prefill", w.Prefill}, {"decode", w.Decode}} {
		if phase.mean.Known() {
			parts = append(parts, phase.word+" "+phase.mean.Text())
		}
	}
	return strings.Join(parts, " | ")
}

// Ends says what comes of requests: "success 99.8 % (92 % stopped)", and what is missing where that is too little; "" while it is
// not known.
func (w Workload) Ends() string {
	if !w.Success.Known() {
		return ""
	}
	text := "success " + w.Success.Text()
	if w.Stopped.Known() {
		text += " (" + w.Stopped.Text() + " stopped)"
	}
	if w.Success.Value < healthySuccess && w.Left.Known() && w.Left.Value > 0 {
		text += ", " + w.Left.Text() + " left"
		if w.Wasted.Known() {
			text += ", " + w.Wasted.Text() + " wasted"
		}
	}
	if w.Finished.Known() && w.FinishedWell.Known() && w.FinishedWell.Value < healthySuccess*w.Finished.Value {
		text += fmt.Sprintf(", %s finished, %s of them well", w.Finished.Text(), w.FinishedWell.Text())
	}
	return text
}
