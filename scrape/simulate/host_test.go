package simulate

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// steady is a device whose engine wants to do so much in every second, for some looks of the exporter.
func steady(share activity, looks int) *gpu {
	group := on(1, llama8B)
	group.occupancy = occupied
	h := &host{name: "node", interval: 10, random: rand.New(rand.NewPCG(1, 1))}
	h.plug(group, 0.9)
	for second := range 10 * looks {
		now := float64(second + 1)
		work := share
		work.tensor *= group.condition.clock // arithmetic gets slower with the clock
		group.done.add(work, 1)
		h.advance(now)
		if int(now)%10 == 0 {
			h.look(now)
		}
	}
	return h.gpus[0]
}

// TestDevice: 16 % of 700 W at rest; what "at its limit" does would take (0.31 + 0.12 + 0.77) x 700 W at the full clock, and
// fits into 700 W at 0.85 of it, which is 1,680 MHz: 0.31 + (0.12 + 0.77 x 0.85) x 0.94^2 = 0.99.
func TestDevice(t *testing.T) {
	for _, test := range []struct {
		name        string
		share       activity
		looks       int
		temperature [2]float64
		power       [2]float64
		clock       [2]float64
		reasons     float64
	}{
		{"idle", activity{}, 60, [2]float64{30, 36}, [2]float64{100, 120}, [2]float64{1980, 1980}, idle},
		{"spinning", spinning, 60, [2]float64{35, 42}, [2]float64{200, 220}, [2]float64{1980, 1980}, 0},
		{"at its limit", activity{busy: 1, sm: 1, tensor: 0.7, memory: 0.6}, 60, [2]float64{63, 68}, [2]float64{680, 700}, [2]float64{1665, 1695}, powerCap},
		{"at its limit for ten seconds", activity{busy: 1, sm: 1, tensor: 0.7, memory: 0.6}, 1, [2]float64{36, 45}, [2]float64{680, 700}, [2]float64{1665, 1695}, powerCap},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := steady(test.share, test.looks)
			check(
				t,
				bound{"temperature", g.reading.temperature, test.temperature[0], test.temperature[1]},
				bound{"power", g.reading.power, test.power[0], test.power[1]},
				bound{"clock", g.reading.clock, test.clock[0], test.clock[1]},
				bound{"throttle reasons", float64(g.reading.reasons), test.reasons, test.reasons},
				bound{"busy", g.reading.share.busy, test.share.busy, test.share.busy + 1e-9},
			)
		})
	}
}

// TestLinkAtRest: without a process the link of a device falls back to the first generation.
func TestLinkAtRest(t *testing.T) {
	for want, occupancy := range map[int]occupancy{5: occupied, 1: {}} {
		group := on(1, llama8B)
		group.occupancy = occupancy
		h := &host{name: "node", interval: 10, random: rand.New(rand.NewPCG(1, 1))}
		h.plug(group, 0.9)
		h.look(10)
		if got := h.gpus[0].reading.generation; got != want {
			t.Errorf("generation of the link is %d with %g of the memory in use, want %d", got, occupancy.share, want)
		}
	}
}

// TestExporterHasWhatARealOneHas compares families and labels with a recorded page.
func TestExporterHasWhatARealOneHas(t *testing.T) {
	real, err := os.ReadFile(filepath.Join(shared, "dcgm", "a100-mig-disabled-empty.txt"))
	if err != nil {
		t.Skipf("no recordings: %v", err)
	}
	answer, err := build(t, scenario(t, "stuck-engine"), 1).Get("gpu-a:9400")
	if err != nil {
		t.Fatal(err)
	}
	ours := names(answer.Page)
	for _, series := range names(real) {
		// Kubernetes adds labels that a bare host lacks; the bus appeared in 2025.
		series = strings.Replace(strings.Replace(series, ",container,namespace,pod", "", 1), ",device", ",pci_bus_id,device", 1)
		if !slices.Contains(ours, series) {
			t.Errorf("no %s", series)
		}
	}
}
