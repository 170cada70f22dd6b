package simulate

import (
	"strings"
	"testing"
	"time"
)

// What clients do they do to all copies, each with requests of its own.
func TestReplicasShareTheirClients(t *testing.T) {
	f := copies(t, "kv-thrash")
	a, b, c := read(t, f, "gpu-a:8000"), read(t, f, "gpu-b:8000"), read(t, f, "gpu-c:8000")
	check(
		t,
		bound{"preemptions of the first", a.sum(evictions), 100, 1e5},
		bound{"preemptions of a copy", b.sum(evictions), 100, 1e5},
		bound{"preemptions of another", c.sum(evictions), 100, 1e5},
		bound{"targets", float64(len(f.Targets())), 6, 6},
	)
	if b.sum(generated) == c.sum(generated) {
		t.Error("two copies get the very same traffic")
	}
}

// What happens to a server happens to no copy.
func TestReplicasAreWellThemselves(t *testing.T) {
	f := copies(t, "stuck-engine")
	a, b := read(t, f, "gpu-a:8000"), read(t, f, "gpu-b:8000")
	f.AdvanceTo(f.now().Add(time.Minute))
	check(
		t,
		bound{"tokens that the first adds", read(t, f, "gpu-a:8000").sum(generated) - a.sum(generated), 0, 0},
		bound{"tokens that a copy adds", read(t, f, "gpu-b:8000").sum(generated) - b.sum(generated), 1e3, 1e6},
	)
}

// copies is the fleet of a scenario with three servers, five minutes into its fault.
func copies(t *testing.T, name string) *Fleet {
	t.Helper()
	s, err := scenario(t, name).WithReplicas(3)
	if err != nil {
		t.Fatal(err)
	}
	f := build(t, s, 1)
	f.AdvanceTo(noon.Add(s.Onset + 5*time.Minute))
	return f
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
