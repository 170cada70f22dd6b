package simulate

import (
	"testing"
	"time"
)

func TestRestartWithColdCache(t *testing.T) {
	s := scenario(t, "restart-cold-cache")
	s.Warm = 10 * time.Minute
	f := build(t, s, 7)
	before := watch(t, f, noon, noon.Add(s.Onset-time.Second))
	back := noon.Add(s.Onset + duration(s.servers[0].loadTime()+1))
	cold := watch(t, f, back, back.Add(30*time.Second))
	warm := watch(t, f, back.Add(4*time.Minute), back.Add(6*time.Minute))
	hits := func(s span) float64 {
		return s.found()
	}
	check(
		t,
		bound{"hit share before", hits(before), 0.8, 0.95},
		bound{"hit share of the first half minute", hits(cold), 0.05, 0.5},
		bound{"hit share after minutes", hits(warm), 0.8, 0.95},
		bound{"most KV", warm.most(kv), 0, 0.5},
	)
}

func TestSkewAndThrash(t *testing.T) {
	before, s := phases(t, "skew-and-thrash", 4*time.Minute)
	check(
		t,
		bound{"preemptions before", before.rise(evictions), 0, 0},
		bound{"KV median of the hot server", median(s.gauge(kv)), 0.9, 1},
		bound{"preemptions an admission there", s.rise(evictions) / s.rise(ttft+"_count"), 0.5, 50},
	)
	f := build(t, scenario(t, "skew-and-thrash"), 7)
	at := noon.Add(5 * time.Minute)
	for i, n := range others(t, f, at, running, "gpu-b:8000", "gpu-c:8000") {
		check(t, bound{"running of another server", n, 0, 12}, bound{"its evictions", others(t, f, at, evictions, "gpu-b:8000", "gpu-c:8000")[i], 0, 0})
	}
}

func TestLongerAnswersThrash(t *testing.T) {
	before, s := phases(t, "longer-answers-thrash", 5*time.Minute)
	check(
		t,
		bound{"preemptions before", before.rise(evictions), 0, 0},
		bound{"most KV before", before.most(kv), 0.3, 0.7},
		bound{"KV median", median(s.gauge(kv)), 0.9, 1},
		bound{"tokens of an answer by those before", s.mean(outputs) / before.mean(outputs), 3, 12},
		bound{"preemptions an admission", s.rise(evictions) / s.rise(ttft+"_count"), 0.5, 50},
	)
}
