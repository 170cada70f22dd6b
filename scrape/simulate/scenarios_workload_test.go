package simulate

import (
	"testing"
	"time"
)

func TestLongerAnswers(t *testing.T) {
	before, s := phases(t, "longer-answers", 6*time.Minute)
	check(
		t,
		bound{"tokens of an answer by those before", s.mean(outputs) / before.mean(outputs), 3, 4.5},
		bound{"arrivals by those before", s.rate(ttft+"_count") / before.rate(ttft+"_count"), 0.85, 1.2},
		bound{"running by that before", average(s.gauge(running)) / average(before.gauge(running)), 3, 9},
		bound{"KV by that before", average(s.gauge(kv)) / average(before.gauge(kv)), 3, 12},
		bound{"most waiting", s.most(waiting), 0, 1},
	)
}

func TestLongerPrompts(t *testing.T) {
	before, s := phases(t, "longer-prompts", 4*time.Minute)
	check(
		t,
		bound{"tokens of a prompt by those before", s.mean(promptSizes) / before.mean(promptSizes), 1.5, 2},
		bound{"tokens of an answer by those before", s.mean(outputs) / before.mean(outputs), 0.85, 1.15},
		bound{"most waiting", s.most(waiting), 0, 1},
		bound{"TTFT", s.mean(ttft), 0.03, 0.2},
	)
}

// TestClientPool: the sign of a pool is a batch that stays where it is; Poisson arrivals have a variance as large as the mean.
func TestClientPool(t *testing.T) {
	before, s := phases(t, "client-pool", 5*time.Minute)
	dispersion := func(s span) float64 {
		values, sum := s.gauge(running), 0.0
		mean := average(values)
		for _, v := range values {
			sum += (v - mean) * (v - mean)
		}
		return sum / float64(len(values)) / mean
	}
	check(
		t,
		bound{"finished by that before", s.rate(finished) / before.rate(finished), 0.5, 0.75},
		bound{"TTFT by that before", s.mean(ttft) / before.mean(ttft), 0.5, 1},
		bound{"dispersion of running", dispersion(s), 0, 0.1},
		bound{"dispersion of running before", dispersion(before), 0.3, 10},
		bound{"most running", s.most(running), 29, 30},
		bound{"most waiting", s.most(waiting), 0, 0},
		bound{"most KV", s.most(kv), 0, 0.3},
	)
}

func TestDemand(t *testing.T) {
	before, s := phases(t, "over-provisioned", 5*time.Minute)
	r := s.gauge(running)
	check(
		t,
		bound{"finished by that before", s.rate(finished) / before.rate(finished), 0.005, 0.05},
		bound{"p95 of running", r[len(r)*95/100], 0, 4},
		bound{"most waiting", s.most(waiting), 0, 0},
		bound{"GPU utilisation", s.device(gpuUtil), 1, 40},
	)
	growing := scenario(t, "growing-demand")
	growing.Onset = 0
	f := build(t, growing, 7)
	early, late := watch(t, f, noon, noon.Add(2*time.Minute)), watch(t, f, noon.Add(23*time.Minute), noon.Add(25*time.Minute))
	check(
		t,
		bound{"finished in the first minutes", early.rate(finished), 6, 12},
		bound{"finished at the end", late.rate(finished), 20, 35},
		bound{"least waiting at the end", late.gauge(waiting)[0], 50, 1e4},
		bound{"most waiting in the first minutes", early.most(waiting), 0, 1},
	)
}
