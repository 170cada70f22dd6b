package simulate

import (
	"strings"
	"testing"
	"time"
)

// bound is what a figure must be within.
type bound struct {
	what      string
	got       float64
	low, high float64
}

func check(t *testing.T, bounds ...bound) {
	t.Helper()
	for _, b := range bounds {
		if !(b.got >= b.low && b.got <= b.high) {
			t.Errorf("%s is %.4g, want %g to %g", b.what, b.got, b.low, b.high)
		}
	}
}

// phases watches a scenario for its healthy phase and for some time after the onset, once the first half minute is over.
func phases(t *testing.T, name string, faulty time.Duration) (before, after span) {
	t.Helper()
	s := scenario(t, name)
	f := build(t, s, 7)
	onset := noon.Add(s.Onset)
	before = watch(t, f, noon, onset)
	settled := onset.Add(30 * time.Second)
	return before, watch(t, f, settled, settled.Add(faulty))
}

// gap is the time that requests spent outside the engine: exact, since all three are observed for the same requests.
func (s span) gap() float64 { return s.mean(e2e) - s.mean(queue) - s.mean(inference) }

func TestHealthy(t *testing.T) {
	_, s := phases(t, "healthy", 5*time.Minute)
	check(
		t,
		bound{"most waiting", s.most(waiting), 0, 2},
		bound{"median running", median(s.gauge(running)), 5, 40},
		bound{"preemptions", s.rise(evictions), 0, 0},
		bound{"TTFT", s.mean(ttft), 0.01, 0.1},
		bound{"ITL p99", s.quantile(itl, 0.99), 0.01, 0.05},
		bound{"GPU utilisation", s.device(gpuUtil), 70, 95},
		bound{"requests left", s.rise(answers) - s.rise(finished), 0, 0},
		bound{"prefix hit share", s.found(), 0.5, 0.7},
	)
}

// TestSeedCase is the incident that the project began with.
func TestSeedCase(t *testing.T) {
	before, s := phases(t, "seed-case", 10*time.Minute)
	check(
		t,
		bound{"KV median", median(s.gauge(kv)), 0.9, 1},
		bound{"GPU utilisation", s.device(gpuUtil), 35, 55},
		bound{"running", average(s.gauge(running)), 26, 40},
		bound{"waiting", average(s.gauge(waiting)), 15, 50},
		bound{"preemptions in ten minutes", s.rise(evictions), 120, 320},
		bound{"throughput against before", s.rate(generated) / before.rate(generated), 0.5, 0.7},
		bound{"devices", float64(len(s.gpu[0])) / float64(len(gpuFamilies(exporter46))), 8, 8},
		bound{"preemptions before", before.rise(evictions), 0, 0},
		bound{"waiting before", average(before.gauge(waiting)), 0, 0.1},
		bound{"GPU utilisation before", before.device(gpuUtil), 60, 90},
	)
}

func TestThrash(t *testing.T) {
	_, s := phases(t, "kv-thrash", 5*time.Minute)
	check(
		t,
		bound{"KV median", median(s.gauge(kv)), 0.9, 1},
		bound{"preemptions a second", s.rate(evictions), 2, 10},
		bound{"preemptions an admission", s.rise(evictions) / s.rise(ttft+"_count"), 0.5, 50},
		bound{"requests left a second", s.rate(answers) - s.rate(finished), 0.1, 2},
	)
}

func TestSequenceCap(t *testing.T) {
	_, s := phases(t, "sequence-cap", 5*time.Minute)
	r, w := s.gauge(running), s.gauge(waiting)
	check(
		t,
		bound{"tenth of running", r[len(r)/10], 15, 16},
		bound{"most running", s.most(running), 16, 16},
		bound{"least waiting", w[0], 8, 40},
		bound{"most KV", s.most(kv), 0, 0.5},
		bound{"preemptions", s.rise(evictions), 0, 0},
		bound{"queue share of TTFT", s.mean(queue) / s.mean(ttft), 0.9, 1.02},
	)
}

func TestTokenizerBound(t *testing.T) {
	before, s := phases(t, "tokenizer-bound", 5*time.Minute)
	check(
		t,
		bound{"most waiting", s.most(waiting), 0, 1},
		bound{"queue time", s.mean(queue), 0, 0.02},
		bound{"frontend gap", s.gap(), 1.5, 5},
		bound{"frontend gap before", before.gap(), 0, 0.02},
		bound{"TTFT", s.mean(ttft), 1.5, 5},
		bound{"CPU of the API process", s.rate("process_cpu_seconds_total"), 0.9, 1.1},
		bound{"GPU utilisation", s.device(gpuUtil), 10, 50},
		bound{"open files above idle", average(s.gauge(openFiles)) - idleDescriptors, 20, 28},
		bound{"ITL p50", s.quantile(itl, 0.5), 0.01, 0.025},
	)
}

func TestTokenizerBoundPageIsSlow(t *testing.T) {
	f := build(t, scenario(t, "tokenizer-bound"), 1)
	before := f.servers[0].frontend.answerSeconds()
	f.AdvanceTo(noon.Add(3 * time.Minute))
	check(
		t,
		bound{"seconds for a page before", before, 0.001, 0.05},
		bound{"seconds for a page", f.servers[0].frontend.answerSeconds(), 0.3, 1},
	)
}

func TestPrefillInterference(t *testing.T) {
	before, s := phases(t, "prefill-interference", 5*time.Minute)
	// A chunk of 8,192 tokens at 55 % of an H100: 2 x 8.03e9 x 8192 / (989e12 x 0.55) = 242 ms, and attention on top.
	const chunk = 2 * 8.03e9 * 8192 / (989e12 * 0.55)
	slow := 0.0
	for series, value := range s.last {
		if strings.HasPrefix(series, itl+`_bucket`) && strings.Contains(series, `le="0.2"`) {
			slow = 1 - (value-s.first[series])/s.rise(itl+"_count")
		}
	}
	check(
		t,
		bound{"ITL p99 by the chunk", s.quantile(itl, 0.99) / chunk, 1, 2},
		bound{"ITL p99 by p50", s.quantile(itl, 0.99) / s.quantile(itl, 0.5), 4, 100},
		bound{"share of tokens that wait for a chunk", slow, 0.01, 0.1},
		bound{"ITL p99 before", before.quantile(itl, 0.99), 0.01, 0.05},
		bound{"TTFT", s.mean(ttft), 0.02, 0.5},
		bound{"TTFT p90", s.quantile(ttft, 0.9), 0.1, 1},
		bound{"waiting", average(s.gauge(waiting)), 0, 0.5},
		bound{"most KV", s.most(kv), 0, 0.9},
		bound{"preemptions", s.rise(evictions), 0, 0},
	)
}

func TestStuckEngine(t *testing.T) {
	before, s := phases(t, "stuck-engine", 3*time.Minute)
	for series, value := range s.last {
		name, _, _ := strings.Cut(series, "{")
		if (strings.HasPrefix(name, "vllm:") || strings.HasPrefix(name, "http_")) && value != s.first[series] {
			t.Errorf("%s moved from %g to %g in a hang", series, s.first[series], value)
		}
	}
	check(
		t,
		bound{"open files gained a second", s.rate(openFiles), 1.5, 2.5},
		bound{"CPU of the API process", s.rate("process_cpu_seconds_total"), 0.005, 0.05},
		bound{"GPU utilisation", s.gpu[len(s.gpu)-1].sum(gpuUtil) / 4, 100, 100},
		bound{"power share", s.gpu[len(s.gpu)-1].sum(gpuPower) / 4 / 700, 0.25, 0.45},
		bound{"tensor activity", s.gpu[len(s.gpu)-1].sum(tensor) / 4, 0, 0.005},
		bound{"memory activity", s.gpu[len(s.gpu)-1].sum(dram) / 4, 0, 0.02},
		bound{"tokens before", before.rate(generated), 100, 1e4},
	)
}
