package simulate

import (
	"strings"
	"testing"
	"time"
)

// TestAnswersShareThePrompt follows one request for four answers to a prompt of 1,000 tokens in blocks of 16: 62 blocks are
// full, the first sequence computes all, the three others find 992 tokens and compute 8.
func TestAnswersShareThePrompt(t *testing.T) {
	s := Scenario{Name: "four", Release: "0.32.0", GPUInterval: time.Second}
	s.servers = []deployment{small("gpu-a", load{
		name: "four", think: 1e5, answers: 4, maxTokens: 60, prompt: lengths{1000, 0, 1, 1000}, output: lengths{40, 0.5, 5, 200},
	})}
	f := build(t, s, 2)
	f.servers[0].traffic[0].ask(0)
	for second := range 10 {
		f.AdvanceTo(noon.Add(time.Duration(second) * time.Second))
		conserved(t, f.servers[0])
	}
	page := read(t, f, "gpu-a:8000")
	longest, mean := page.sum("vllm:request_max_num_generation_tokens_sum"), page.sum(generated)/4
	check(
		t,
		bound{"sequences finished", page.sum(finished), 4, 4},
		bound{"HTTP responses", page.sum(answers), 1, 1},
		bound{"prompt tokens", page.sum("vllm:prompt_tokens_total"), 4000, 4000},
		bound{"prompt tokens found", page.sum("vllm:prompt_tokens_cached_total"), 3 * 992, 3 * 992},
		bound{"first tokens", page.sum(ttft + "_count"), 4, 4},
		bound{"values of n", page.sum("vllm:request_params_n_count"), 1, 1},
		bound{"n", page.sum("vllm:request_params_n_sum"), 4, 4},
		bound{"longest answers", page.sum("vllm:request_max_num_generation_tokens_count"), 1, 1},
		bound{"tokens of the longest answer", longest, mean + 1, 60},
	)
}

func TestAnswersWantNoOtherBeginning(t *testing.T) {
	s := scenario(t, "healthy")
	s.servers[0].loads[0].answers = 2
	if _, err := New(s, 1, noon); err == nil || !strings.Contains(err.Error(), "shared beginnings of load chat that asks for several answers is 4") {
		t.Errorf("error is %v", err)
	}
}

// TestClientOfSeveralAnswersLeaves: all of its sequences end with it, and none is counted.
func TestClientOfSeveralAnswersLeaves(t *testing.T) {
	s := Scenario{Name: "left", Release: "0.32.0", GPUInterval: time.Second}
	s.servers = []deployment{small("gpu-a", load{
		name: "left", think: 1e5, patience: 2, answers: 3, maxTokens: 900, prompt: lengths{1000, 0, 1, 1000}, output: lengths{900, 0, 1, 900},
	})}
	f := build(t, s, 2)
	f.servers[0].traffic[0].ask(0)
	f.AdvanceTo(noon.Add(time.Second))
	server := f.servers[0]
	if n := len(server.frontend.engines[0].scheduler.running); n != 3 {
		t.Fatalf("%d sequences run, want 3", n)
	}
	f.AdvanceTo(noon.Add(10 * time.Second))
	e := server.frontend.engines[0]
	if len(e.scheduler.running) != 0 || len(server.frontend.open) != 0 || e.metrics.success["stop"]+e.metrics.success["length"] != 0 {
		t.Errorf("%d run, %d connections are open, finished %v", len(e.scheduler.running), len(server.frontend.open), e.metrics.success)
	}
}
