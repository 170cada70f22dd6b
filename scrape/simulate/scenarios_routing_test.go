package simulate

import (
	"testing"
	"time"
)

// others are the same figure of several servers at one moment.
func others(t *testing.T, f *Fleet, at time.Time, name string, servers ...string) []float64 {
	t.Helper()
	f.AdvanceTo(at)
	var values []float64
	for _, server := range servers {
		values = append(values, read(t, f, server).sum(name))
	}
	return values
}

func TestStickyScaleOut(t *testing.T) {
	before, s := phases(t, "sticky-scale-out", 3*time.Minute)
	check(
		t,
		bound{"most waiting before", before.most(waiting), 0, 0},
		bound{"running before", average(before.gauge(running)), 10, 30},
		bound{"waiting of an old server", average(s.gauge(waiting)), 5, 60},
		bound{"running of an old server", average(s.gauge(running)), 60, 64},
		bound{"most KV", s.most(kv), 0, 0.5},
	)
	f := build(t, scenario(t, "sticky-scale-out"), 7)
	end := noon.Add(6 * time.Minute)
	for _, n := range others(t, f, end, answers, "gpu-c:8000", "gpu-d:8000") {
		check(t, bound{"requests of a new server", n, 0, 0})
	}
	for _, n := range others(t, f, end, waiting, "gpu-a:8000", "gpu-b:8000") {
		check(t, bound{"waiting of an old server", n, 5, 60})
	}
}

func TestHotPrefix(t *testing.T) {
	before, s := phases(t, "hot-prefix", 3*time.Minute)
	check(
		t,
		bound{"most waiting before", before.most(waiting), 0, 0},
		bound{"waiting of the hot server", average(s.gauge(waiting)), 20, 130},
		bound{"hit share of the hot server", s.found(), 0.7, 0.85},
		bound{"TTFT", s.mean(ttft), 3, 20},
		bound{"preemptions", s.rise(evictions), 0, 0},
	)
	f := build(t, scenario(t, "hot-prefix"), 7)
	for _, n := range others(t, f, noon.Add(5*time.Minute), running, "gpu-b:8000", "gpu-c:8000", "gpu-d:8000") {
		check(t, bound{"running of another server", n, 2, 20})
	}
}

func TestUnequalWork(t *testing.T) {
	before, s := phases(t, "unequal-work", 3*time.Minute)
	check(
		t,
		bound{"most waiting before", before.most(waiting), 0, 0},
		bound{"waiting of the server with the long requests", average(s.gauge(waiting)), 10, 200},
		bound{"arrivals there, a second", (s.rise(ttft+"_count") + s.gauge(waiting)[len(s.gauge(waiting))-1]) / 180, 2.5, 3.5},
	)
	f := build(t, scenario(t, "unequal-work"), 7)
	for _, n := range others(t, f, noon.Add(5*time.Minute), waiting, "gpu-b:8000", "gpu-c:8000") {
		check(t, bound{"waiting of another server", n, 0, 0})
	}
}

func TestIdleRanks(t *testing.T) {
	before, s := phases(t, "idle-ranks", 3*time.Minute)
	series := func(name, rank string) string {
		return name + `{engine="` + rank + `",model_name="` + qwen30B.name + `"}`
	}
	for _, rank := range []string{"1", "2", "3"} {
		check(
			t,
			bound{"tokens of rank " + rank + " before", before.last[series(generated, rank)] - before.first[series(generated, rank)], 5e4, 2e5},
			bound{"tokens of rank " + rank, s.last[series(generated, rank)] - s.samples[12][series(generated, rank)], 0, 0},
			bound{"running of rank " + rank, s.last[series(running, rank)], 0, 0},
		)
	}
	devices := s.gpu[len(s.gpu)-1]
	check(
		t,
		bound{"running of rank 0", s.last[series(running, "0")], 30, 100},
		bound{"waiting", average(s.gauge(waiting)), 0, 0.5},
		bound{"GPU utilisation of all four", devices.sum(gpuUtil) / 4, 80, 95},
		bound{"power share of all four", devices.sum(gpuPower) / 4 / 700, 0.3, 0.8},
		bound{"TTFT", s.mean(ttft), 0.01, 0.1},
	)
}
