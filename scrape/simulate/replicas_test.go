package simulate

import (
	"strings"
	"testing"
	"time"
)

// Copies get the load of the first server, and no part of the fault.
func TestReplicasAreHealthy(t *testing.T) {
	s, err := scenario(t, "kv-thrash").WithReplicas(3)
	if err != nil {
		t.Fatal(err)
	}
	f := build(t, s, 1)
	f.AdvanceTo(noon.Add(s.Onset + 5*time.Minute))
	sick, b, c := read(t, f, "gpu-a:8000"), read(t, f, "gpu-b:8000"), read(t, f, "gpu-c:8000")
	check(
		t,
		bound{"preemptions of the first", sick.sum(evictions), 100, 1e5},
		bound{"preemptions of the copies", b.sum(evictions) + c.sum(evictions), 0, 0},
		bound{"tokens of a copy", b.sum(generated), 1e5, 1e6},
		bound{"targets", float64(len(f.Targets())), 6, 6},
	)
	if b.sum(generated) == c.sum(generated) {
		t.Error("two copies get the very same traffic")
	}
}

func TestReplicasHaveARange(t *testing.T) {
	skew := scenario(t, "router-skew")
	for n, want := range map[int]string{2: "number of replicas is 2, must be 3 to 26", 27: "number of replicas is 27, must be 3 to 26"} {
		if _, err := skew.WithReplicas(n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d replicas: error is %v, want %q", n, err, want)
		}
	}
	skew.servers[0].loads = nil
	if _, err := skew.WithReplicas(4); err == nil || !strings.Contains(err.Error(), "a router spreads one load over its 3 servers") {
		t.Errorf("error is %v", err)
	}
	if same, err := skew.WithReplicas(3); err != nil || same.Servers() != 3 {
		t.Errorf("as many as there are: %d, %v", same.Servers(), err)
	}
}
