package simulate

import (
	"math"
	"strings"
	"testing"
	"time"
)

// instead watches a scenario after its onset with a server that is set up in another way.
func instead(t *testing.T, name string, change func(*deployment), length time.Duration) span {
	t.Helper()
	s := scenario(t, name)
	change(&s.servers[0])
	f := build(t, s, 7)
	settled := noon.Add(s.Onset + 30*time.Second)
	return watch(t, f, settled, settled.Add(length))
}

func TestHugePrompt(t *testing.T) {
	before, s := phases(t, "huge-prompt", 5*time.Minute)
	r, w := s.gauge(running), s.gauge(waiting)
	roomy := instead(t, "huge-prompt", func(d *deployment) { d.flags.memoryUtilization = 0.92 }, 5*time.Minute)
	check(
		t,
		bound{"waiting", average(w), 30, 150},
		bound{"median KV", median(s.gauge(kv)), 0.5, 0.85},
		bound{"running, fifth of the readings", r[len(r)/5], 1, 15},
		bound{"running, highest", s.most(running), 30, 100},
		bound{"preemptions an admission", s.rise(evictions) / s.rise(ttft+"_count"), 0, 0.15},
		bound{"longest prompts by the median", s.quantile(promptSizes, 0.99) / s.quantile(promptSizes, 0.5), 10, math.Inf(1)},
		bound{"waiting before", before.most(waiting), 0, 2},
		bound{"waiting with a large cache", average(roomy.gauge(waiting)), 0, average(w) / 2},
	)
}

func TestTokenBudget(t *testing.T) {
	before, s := phases(t, "token-budget", 5*time.Minute)
	ample := instead(t, "token-budget", func(d *deployment) { d.flags.batchedTokens = 8192 }, 5*time.Minute)
	check(
		t,
		bound{"waiting", average(s.gauge(waiting)), 5, 500},
		bound{"running", average(s.gauge(running)), 1, 40},
		bound{"most KV", s.most(kv), 0, 0.7},
		bound{"tensor activity", s.device(tensor), 0.3, 0.5},
		bound{"preemptions", s.rise(evictions), 0, 0},
		bound{"waiting before", before.most(waiting), 0, 3},
		bound{"waiting with a usual budget", average(ample.gauge(waiting)), 0, 1},
	)
}

func TestAdapterSlots(t *testing.T) {
	before, s := phases(t, "adapter-slots", 5*time.Minute)
	held := 0.0
	for _, sample := range s.samples {
		held += sample[deferred] / float64(len(s.samples))
	}
	check(
		t,
		bound{"waiting", average(s.gauge(waiting)), 10, 400},
		bound{"deferred of them", held / average(s.gauge(waiting)), 0.8, 1},
		bound{"most running", s.most(running), 2, 100},
		bound{"most KV", s.most(kv), 0, 0.3},
		bound{"waiting before", before.most(waiting), 0, 2},
	)
	lists := 0
	for series, value := range s.last {
		if !strings.HasPrefix(series, "vllm:lora_requests_info{") {
			continue
		}
		lists++
		if value < float64(noon.Unix())-600 || value > float64(noon.Unix())+3600 {
			t.Errorf("%s is %g, want the time when it was true", series, value)
		}
	}
	if lists < 3 {
		t.Errorf("%d lists of adapters, want at least those of none, of one and of two", lists)
	}
}

func TestOverloadRejections(t *testing.T) {
	before, s := phases(t, "overload-rejections", 5*time.Minute)
	served := s.last.status("2xx") - s.first.status("2xx")
	errors := s.last.status("5xx") - s.first.status("5xx")
	check(
		t,
		bound{"rejections a second", s.rate(rejections), 2, 60},
		bound{"5xx and refused streams by rejections", (errors + served - s.rise(finished)) / s.rise(rejections), 0.99, 1.01},
		bound{"share of refused streams", (s.rise(rejections) - errors) / s.rise(rejections), 0, 0.3},
		bound{"most running", s.most(running), 24, 24},
		bound{"most waiting", s.most(waiting), 0, 1},
		bound{"TTFT by before", s.mean(ttft) / before.mean(ttft), 0.5, 2},
		bound{"rejections before", before.last.sum(rejections), 0, 0},
	)
}

// status is the number of HTTP responses of a class.
func (s sheet) status(class string) float64 {
	return s[`http_requests_total{handler="/v1/chat/completions",method="POST",status="`+class+`"}`]
}

func TestSlowHost(t *testing.T) {
	before, s := phases(t, "slow-host", 5*time.Minute)
	check(
		t,
		bound{"GPU utilisation", s.device(gpuUtil), 5, 40},
		bound{"GPU utilisation before", before.device(gpuUtil), 60, 95},
		bound{"tensor activity", s.device(tensor), 0, 0.15},
		bound{"memory activity", s.device(dram), 0, 0.35},
		bound{"ITL by before", s.mean(itl) / before.mean(itl), 5, 20},
		bound{"ITL", s.mean(itl), 0.05, 0.2},
		bound{"running", average(s.gauge(running)), 40, 250},
		bound{"TTFT", s.mean(ttft), 0.05, 1},
	)
}

// TestPCIeTensorParallel: devices that look busy, with few multiprocessors active and little of anything else but the
// slot. The same server with NVLink serves the same load in time.
func TestPCIeTensorParallel(t *testing.T) {
	before, s := phases(t, "pcie-tensor-parallel", 5*time.Minute)
	linked := instead(t, "pcie-tensor-parallel", func(d *deployment) { d.interconnect = nvlink }, 5*time.Minute)
	check(
		t,
		bound{"GPU utilisation", s.device(gpuUtil), 90, 100},
		bound{"SM activity", s.device(smActive), 0.1, 0.5},
		bound{"tensor activity", s.device(tensor), 0, 0.15},
		bound{"memory activity", s.device(dram), 0, 0.35},
		bound{"GB/s over PCIe, of 64 both ways", (s.device("DCGM_FI_PROF_PCIE_TX_BYTES") + s.device("DCGM_FI_PROF_PCIE_RX_BYTES")) / 1e9, 0.25 * 64, 64},
		bound{"bytes over NVLink", s.device("DCGM_FI_PROF_NVLINK_TX_BYTES"), 0, 0},
		bound{"PCIe before", before.device("DCGM_FI_PROF_PCIE_TX_BYTES") / 1e9, 0, 5},
		bound{"ITL by that with NVLink", s.mean(itl) / linked.mean(itl), 2, 6},
		bound{"bytes over NVLink, with it", linked.device("DCGM_FI_PROF_NVLINK_TX_BYTES"), 1e9, 4e11},
	)
}
