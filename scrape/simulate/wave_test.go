package simulate

import (
	"testing"
	"time"
)

// TestWorkOfAMixture by hand: 1.5e9 parameters are dense, and each of four ranks has 7.25e9 of the experts. Four tokens that use
// 8 of 128 experts each leave an expert unread with (15/16)^4 = 0.7725.
func TestWorkOfAMixture(t *testing.T) {
	h := &hardware{accelerator: h100, model: qwen30B, devices: 1, sharers: 4, condition: healthyCondition}
	read, used := h.work(batch{decodes: 1, others: 3})
	check(
		t,
		bound{"parameters read", read, 3.149e9, 3.15e9},
		bound{"parameters used", used, 3.3124e9, 3.3126e9},
		bound{"bytes of a rank", qwen30B.resident(4), 17.49e9, 17.51e9},
		bound{"bytes of all", qwen30B.resident(1), 60.99e9, 61.01e9},
		bound{"bytes to other ranks", h.scattered(batch{decodes: 1}), 2 * 48 * 4096 * 8 * 2 * 0.75, 2 * 48 * 4096 * 8 * 2 * 0.75},
	)
	dense := &hardware{accelerator: h100, model: llama8B, devices: 1, condition: healthyCondition}
	read, used = dense.work(batch{decodes: 3, others: 5})
	check(t, bound{"parameters read of a dense model", read, 8.03e9, 8.03e9}, bound{"and used", used, 3 * 8.03e9, 3 * 8.03e9})
}

// TestRanksStepTogether, and stop together within 32 steps when nobody has anything to do.
func TestRanksStepTogether(t *testing.T) {
	s := scenario(t, "idle-ranks")
	s.servers[0].loads = nil
	f := build(t, s, 3)
	host := f.servers[0]
	w := host.frontend.engines[0].wave
	if w == nil || len(w.engines) != 4 || w.running {
		t.Fatalf("the wave is %+v, want four idle ranks", w)
	}
	one := load{name: "one", rate: 1, maxTokens: 40, prompt: lengths{100, 0, 100, 100}, output: lengths{40, 0, 40, 40}, ranks: 1}
	tr := &traffic{load: one, agenda: f.agenda, random: host.random, router: &router{servers: []*server{host}}}
	tr.ask(0)
	f.AdvanceTo(noon.Add(10 * time.Second))
	check(t, bound{"steps", float64(w.steps), 64, 64}) // forty of the request, and on to the end of the second round of 32
	first := host.hardware[0].done
	for i, e := range w.engines[1:] {
		did := e.hardware.done
		check(t, bound{"GPU time of a rank by the first one's", did.busy / first.busy, 0.95, 1.05})
		if did.tensor == 0 || did.memory == 0 || e.metrics.running > 0 || e.metrics.generationTokens > 0 {
			t.Errorf("rank %d did %+v and says %+v, want dummy batches that no series shows", i+1, did, e.metrics)
		}
	}
}
