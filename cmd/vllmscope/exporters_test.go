package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape"
)

// Whatever the exporter's release calls its figures and counts them in, a hot GPU is the same.
func TestExportersAreUnderstood(t *testing.T) {
	for _, release := range []string{"3.1", "4.6", "4.8", "4.9"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			scenario := named(t, "overheating")
			scenario.Exporter = release
			set := diagnose.Settings{Step: 15 * time.Second, Window: time.Minute, SLO: profile(t, scenario.SLO)}
			var last *diagnose.Report
			watching{scenario: scenario, seed: 11, set: set, length: 6 * time.Minute, showAll: true}.live(t, func(_ time.Duration, r *diagnose.Report) { last = r })
			first := firstOf(last)
			if first == nil || first.Rule.Code != "C1" || first.State != diagnose.Firing {
				t.Fatalf("six minutes into the fault: %s, want C1 firing", told(first))
			}
			for signal, within := range map[string][2]float64{
				"gpu_busy": {0.8, 1}, "tensor_active": {0.02, 0.3}, "dram_active": {0.4, 0.8}, "gpu_power": {250, 450}, "gpu_temperature": {84, 89},
				"gpu_clock": {6e8, 1.8e9}, "gpu_clock_share": {0.3, 0.9}, "xid_severity": {0, 0},
				"gpu_memory_used": {75e9, 80e9}, "gpu_memory_share": {0.9, 0.94}, "pcie_replays_over": {0, 0},
				"pcie_width": {16, 16}, "pcie_generation_share": {1, 1}, "gpu_power_held_share": {0, 0},
			} {
				got := last.Figure(signal, first.Subject)
				if optional := signal == "pcie_width" || signal == "pcie_generation_share" || signal == "gpu_power_held_share"; optional && release == "3.1" {
					if got.Known() {
						t.Errorf("%s is %v where its row is off, want unknown", signal, got.Value)
					}
					continue
				}
				if release >= "4.8" && signal == "xid_severity" {
					if got.Known() {
						t.Errorf("%s is %v before the first XID, want unknown", signal, got.Value)
					}
					continue
				}
				if !got.Known() || got.Value < within[0] || got.Value > within[1] {
					t.Errorf("%s is %v (known %v), want %g to %g", signal, got.Value, got.Known(), within[0], within[1])
				}
			}
		})
	}
}

// A MIG slice has no utilisation of its own and shows its board's power; it is mapped to the server on its host.
func TestSliceIsMapped(t *testing.T) {
	scenario := named(t, "slice-compute-bound")
	set := diagnose.Settings{Step: 15 * time.Second, Window: time.Minute, SLO: profile(t, scenario.SLO)}
	var last *diagnose.Report
	watching{scenario: scenario, seed: 11, set: set, length: 6 * time.Minute, showAll: true}.live(t, func(_ time.Duration, r *diagnose.Report) { last = r })
	first := firstOf(last)
	if first == nil || first.Rule.Code != "D7" {
		t.Fatalf("six minutes into the fault: %s, want D7", told(first))
	}
	for signal, within := range map[string][2]float64{"gpu_busy": {0.9, 1}, "tensor_active": {0.45, 0.6}, "gpu_power": {300, 600}} {
		if got := last.Figure(signal, first.Subject); !got.Known() || got.Value < within[0] || got.Value > within[1] {
			t.Errorf("%s is %v (known %v), want %g to %g", signal, got.Value, got.Known(), within[0], within[1])
		}
	}
}

// What is known to be vLLM's by its prefix is read by the same one, and there is an engine; what is not known is neither.
func TestPrefixesOfVLLMAreKnownOnce(t *testing.T) {
	for prefix, code := range map[string]int{
		"vllm:": exitFine, "vllm_": exitFine, "ray_vllm:": exitFine, "ray_vllm_": exitFine, "kserve_vllm:": exitFine, "kserve_vllm_": exitFine,
		"other_vllm:": exitCouldNotRun,
	} {
		page := prefix + "num_requests_running{engine=\"0\",model_name=\"m\"} 1\n"
		if got := program(t, "check", pages(t, page, page)); got.code != code || strings.Contains(got.out+got.err, "of an engine") {
			t.Errorf("%s: exit code %d, want %d:\n%s%s", prefix, got.code, code, got.out, got.err)
		}
	}
}

// An exporter alone, on a host where no server is found, is told in words.
func TestExporterAloneSaysThatNoServerWasFound(t *testing.T) {
	target, err := scrape.NewTarget("gpu-a:9400")
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	o := &options{streams: streams{err: &said}}
	if err := o.explainPlan(&plan{targets: []scrape.Target{target}, found: &scrape.Discovery{}}); err != nil {
		t.Fatal(err)
	}
	if want := "vllmscope: found on this host: no vLLM server beside --gpu; name its address\n"; said.String() != want {
		t.Errorf("%q", said.String())
	}
}
