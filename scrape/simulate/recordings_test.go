package simulate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// shared is where recordings of real servers lie beside the repository, if they do.
var shared = filepath.Join("..", "..", "..", "shared", "fixtures")

// recorded is what was measured on a real server while a known load lasted.
type recorded struct {
	Seconds, Steps, Preemptions float64
	Prompt                      float64 `json:"prompt_tokens"`
	Generated                   float64 `json:"generation_tokens"`
	CPU                         float64 `json:"cpu_s"`
	Running, Waiting, KV        struct{ Mean, Max float64 }
	Mean                        map[string]float64 `json:"mean_s"`
}

// recording reads the second stretch of a recording, which is the one with the fault. It skips the test without one.
func recording(t *testing.T, name string) recorded {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared, "real-vllm", name, "scenario.json"))
	if err != nil {
		t.Skipf("no recordings: %v", err)
	}
	var scenario struct{ Figures []recorded }
	if err := json.Unmarshal(text, &scenario); err != nil {
		t.Fatal(err)
	}
	return scenario.Figures[1]
}

// tiny is the recordings' model, four layers on two CPUs: about 9 ms a step and 2,200 prompt tokens a second.
func tiny(f flags, light float64) Scenario {
	f.batchedTokens, f.blockSize, f.memoryUtilization = 1024, 32, 0.92
	s := Scenario{Name: "tiny", Release: "0.32.0", Onset: 20 * time.Second, GPUInterval: time.Second}
	s.servers = []deployment{{
		name: "gpu-a:8000", host: "gpu-a", tensor: 1, data: 1, flags: f,
		models:      []model{{"tiny", 1e7, 4, 1, 16, 64, 2, mixture{}}},
		accelerator: accelerator{"two CPUs", 8e10, 3.4e9, 100, 8000, 3000},
		loads:       []load{{name: "light", rate: light, maxTokens: 160, prompt: lengths{65, 0.2, 40, 80}, output: lengths{28, 0.8, 1, 160}}},
	}}
	return s
}

// TestAgainstRecordings runs the loads of recordings through the model. The recordings come from busy machines, so orders
// of magnitude and directions count: a factor of 2 either way.
func TestAgainstRecordings(t *testing.T) {
	short := lengths{65, 0.2, 40, 80}
	tests := []struct {
		recording string
		flags     flags
		light     float64
		load      load
		same      []string
	}{
		{
			"03-sequence-cap",
			flags{maxSeqs: 4, maxModelLen: 4096, gpuBlocks: 1024},
			1,
			load{name: "32 clients", clients: 32, maxTokens: 96, prompt: short, output: lengths{200, 0, 1, 4096}},
			[]string{"running", "waiting", "kv", "ttft", "queue", "itl", "prefill", "e2e", "generated", "prompt", "steps"},
		},
		{
			"04-kv-exhaustion-preemptions",
			flags{maxSeqs: 32, maxModelLen: 2048, gpuBlocks: 160},
			1,
			load{name: "24 clients", clients: 24, maxTokens: 700, prompt: lengths{45, 0.2, 30, 60}, output: lengths{900, 0, 1, 2048}},
			[]string{"running", "waiting", "kv", "ttft", "queue", "itl", "e2e", "inference", "generated", "steps", "preemptions"},
		},
		{
			"05-prefill-heavy",
			flags{maxSeqs: 32, maxModelLen: 4096, gpuBlocks: 1024},
			2,
			load{name: "long prompts", rate: 1.5, maxTokens: 16, prompt: lengths{2600, 0.1, 2200, 3000}, output: lengths{40, 0, 1, 4096}},
			[]string{"running", "waiting", "ttft", "itl", "prefill", "prompt", "steps"},
		},
		{
			"06-frontend-stall",
			flags{maxSeqs: 32, maxModelLen: 4096, gpuBlocks: 1024},
			2,
			load{name: "templates", clients: 24, maxTokens: 1, render: 0.12, prompt: lengths{30, 0.2, 20, 40}, output: lengths{9, 0, 1, 4096}},
			[]string{"ttft", "e2e", "prompt", "cpu"},
		},
	}
	for _, test := range tests {
		t.Run(test.recording, func(t *testing.T) {
			real := recording(t, test.recording)
			s := tiny(test.flags, test.light)
			s.faults = []fault{moreLoad(0, test.load)}
			f := build(t, s, 1)
			onset := noon.Add(s.Onset)
			model := watch(t, f, onset, onset.Add(duration(real.Seconds)))
			for _, what := range test.same {
				want, got := figure(real, what), modelled(model, what)
				if got < want/2 || got > want*2 {
					t.Errorf("%s is %.4g, on a real server %.4g", what, got, want)
				}
			}
		})
	}
}

// TestThrashShowsBeforeItIsCounted: as recorded, running falls and waiting rises for seconds at a full cache while the
// counter of preemptions is still at 0.
func TestThrashShowsBeforeItIsCounted(t *testing.T) {
	s := tiny(flags{maxSeqs: 32, maxModelLen: 2048, gpuBlocks: 160}, 1)
	s.faults = []fault{moreLoad(0, load{name: "24 clients", clients: 24, maxTokens: 700, prompt: lengths{45, 0.2, 30, 60}, output: lengths{900, 0, 1, 2048}})}
	f := build(t, s, 1)
	silent, most := 0.0, 0.0
	for half := range 90 {
		f.AdvanceTo(noon.Add(s.Onset + time.Duration(half)*time.Second/2))
		page := read(t, f, "gpu-a:8000")
		most = max(most, page.sum(running))
		if page.sum(evictions) > 0 {
			break
		}
		if page.sum(running) <= most-3 && page.sum(waiting) >= 3 && page.sum(kv) > 0.8 {
			silent += 0.5
		}
	}
	f.AdvanceTo(noon.Add(s.Onset + time.Minute))
	check(
		t,
		bound{"seconds of thrash without a count", silent, 2, 15},
		bound{"preemptions in the end", read(t, f, "gpu-a:8000").sum(evictions), 20, 500},
	)
}

// TestCapShape: as recorded, running stays at the cap or one below it, waiting is level, and TTFT is queueing.
func TestCapShape(t *testing.T) {
	s := tiny(flags{maxSeqs: 4, maxModelLen: 4096, gpuBlocks: 1024}, 1)
	s.faults = []fault{moreLoad(0, load{name: "32 clients", clients: 32, maxTokens: 96, prompt: lengths{65, 0.2, 40, 80}, output: lengths{200, 0, 1, 4096}})}
	f := build(t, s, 1)
	from := noon.Add(s.Onset + 20*time.Second)
	x := watch(t, f, from, from.Add(time.Minute))
	r, w := x.gauge(running), x.gauge(waiting)
	check(
		t,
		bound{"fifth of running", r[len(r)/5], 3, 4},
		bound{"least waiting", w[0], 25, 40},
		bound{"most waiting", w[len(w)-1], 25, 40},
		bound{"queue share of TTFT", x.mean(queue) / x.mean(ttft), 0.9, 1.05},
	)
}

func figure(r recorded, what string) float64 {
	switch what {
	case "running":
		return r.Running.Mean
	case "waiting":
		return r.Waiting.Mean
	case "kv":
		return r.KV.Mean
	case "preemptions":
		return r.Preemptions
	case "steps":
		return r.Steps
	case "prompt":
		return r.Prompt
	case "generated":
		return r.Generated
	case "cpu":
		return r.CPU
	}
	return r.Mean[what]
}

func modelled(s span, what string) float64 {
	switch what {
	case "running":
		return average(s.gauge("vllm:num_requests_running"))
	case "waiting":
		return average(s.gauge("vllm:num_requests_waiting"))
	case "kv":
		return average(s.gauge("vllm:kv_cache_usage_perc"))
	}
	counters := map[string]string{
		"preemptions": "vllm:num_preemptions_total", "steps": "vllm:iteration_tokens_total_count", "cpu": "process_cpu_seconds_total",
		"prompt": "vllm:prompt_tokens_total", "generated": "vllm:generation_tokens_total",
	}
	if name := counters[what]; name != "" {
		return s.rise(name)
	}
	return s.mean(map[string]string{
		"ttft": "vllm:time_to_first_token_seconds", "itl": "vllm:inter_token_latency_seconds", "e2e": "vllm:e2e_request_latency_seconds",
		"queue": "vllm:request_queue_time_seconds", "prefill": "vllm:request_prefill_time_seconds", "inference": "vllm:request_inference_time_seconds",
	}[what])
}
