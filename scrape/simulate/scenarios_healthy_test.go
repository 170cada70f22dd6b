package simulate

import (
	"testing"
	"time"
)

// unhurried watches a load without a fault for some minutes.
func unhurried(t *testing.T, name string, warm time.Duration) span {
	t.Helper()
	s := scenario(t, name)
	s.Warm = warm
	return watch(t, build(t, s, 7), noon, noon.Add(6*time.Minute))
}

func TestFullBatch(t *testing.T) {
	s := unhurried(t, "full-batch", 5*time.Minute)
	check(
		t,
		bound{"KV median", median(s.gauge(kv)), 0.88, 0.97},
		bound{"most KV", s.most(kv), 0.9, 1},
		bound{"preemptions", s.rise(evictions), 0, 0},
		bound{"most waiting", s.most(waiting), 0, 0},
		bound{"ITL p50", s.quantile(itl, 0.5), 0.01, 0.05},
	)
}

func TestOfflineBatch(t *testing.T) {
	s := unhurried(t, "offline-batch", time.Minute)
	check(
		t,
		bound{"least waiting", s.gauge(waiting)[0], 150, 260},
		bound{"least running", s.gauge(running)[0], 245, 256},
		bound{"TTFT p99 against the objective of a batch", s.quantile(ttft, 0.99), 5, 30},
		bound{"preemptions", s.rise(evictions), 0, 0},
	)
}

func TestQuietLoads(t *testing.T) {
	idle, light, half := unhurried(t, "idle", time.Minute), unhurried(t, "light", time.Minute), unhurried(t, "steady-half", time.Minute)
	check(
		t,
		bound{"requests of an idle server", idle.last.sum(answers), 0, 0},
		bound{"power share of an idle GPU", idle.device(gpuPower) / 700, 0.1, 0.2},
		bound{"requests of a light load", light.rise(answers), 60, 120},
		bound{"tokens a second at half by a full batch's", half.rate(generated) / 8100, 0.35, 0.6},
		bound{"most waiting at half", half.most(waiting), 0, 1},
	)
}

func TestLoadsWithHabits(t *testing.T) {
	fickle, hot, bursts := unhurried(t, "fickle-readers", time.Minute), unhurried(t, "hot-prefix-cache", time.Minute), unhurried(t, "short-bursts", time.Minute)
	http, finished := fickle.rise(answers), fickle.rise(finished)
	check(
		t,
		bound{"share of readers that leave", (http - finished) / http, 0.06, 0.2},
		bound{"hit share", hot.found(), 0.9, 1},
		bound{"most running in a burst by the median", bursts.most(running) / median(bursts.gauge(running)), 3, 30},
		bound{"most waiting in a burst", bursts.most(waiting), 3, 80},
		bound{"TTFT p99 of bursts", bursts.quantile(ttft, 0.99), 0.01, 2.5},
	)
}

// TestRollingDeployment: a server has finished all it had when it stops, no two are away, and each comes back.
func TestRollingDeployment(t *testing.T) {
	s := scenario(t, "rolling-deployment")
	f := build(t, s, 7)
	had := make([]int, len(f.servers))
	stops := 0
	for second := range 900 {
		away := 0
		for i, server := range f.servers {
			had[i] = len(server.frontend.open)
		}
		f.AdvanceTo(noon.Add(time.Duration(second) * time.Second))
		for i, server := range f.servers {
			if server.listening {
				continue
			}
			if away++; f.agenda.now-server.started < 1 {
				stops++
				if had[i] > 0 {
					t.Errorf("server %d stops with %d requests", i, had[i])
				}
			}
		}
		if away > 1 {
			t.Fatalf("%d servers are away after %d s", away, second)
		}
	}
	if n := len(f.routed[0].router.servers); stops != 4 || n != 4 {
		t.Errorf("%d servers stopped and %d take part in the end, want 4 and 4", stops, n)
	}
}
