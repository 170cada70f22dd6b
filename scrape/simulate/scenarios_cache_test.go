package simulate

import (
	"testing"
	"time"
)

// found is the share of looked-up prompt tokens that were there.
func (s span) found() float64 { return s.rise(prefixHits) / s.rise(prefixAsked) }

// perStep is how many tokens a step brings to a sequence.
func (s span) perStep() float64 { return 1 + s.rise(accepted)/s.rise(drafts) }

func TestNothingShared(t *testing.T) {
	before, s := phases(t, "nothing-shared", 10*time.Minute)
	check(
		t,
		bound{"hit share", s.found(), 0, 0.01},
		bound{"hit share before", before.found(), 0, 0.01},
		bound{"tokens of a prompt", s.mean(promptSizes), 800, 1200},
		bound{"tokens of a prompt before", before.mean(promptSizes), 100, 400},
		bound{"most KV", s.most(kv), 0, 0.2},
		bound{"waiting", average(s.gauge(waiting)), 0, 0.1},
		bound{"ITL p99", s.quantile(itl, 0.99), 0.01, 0.05},
	)
}

func TestPrefixEvicted(t *testing.T) {
	s := scenario(t, "prefix-evicted")
	s.Warm = 10 * time.Minute // a hundred beginnings, one every 0.4 s
	f := build(t, s, 7)
	onset := noon.Add(s.Onset)
	before := watch(t, f, noon, onset)
	after := watch(t, f, onset.Add(4*time.Minute), onset.Add(10*time.Minute))
	check(
		t,
		bound{"hit share before", before.found(), 0.65, 0.8},
		bound{"hit share", after.found(), 0.05, 0.3},
		bound{"tokens found against before", after.rate(prefixHits) / before.rate(prefixHits), 0.1, 0.5},
		bound{"KV median", median(after.gauge(kv)), 0.83, 0.95},
		bound{"KV median before", median(before.gauge(kv)), 0, 0.2},
		bound{"preemptions", after.rise(evictions), 0, 5},
		bound{"waiting", average(after.gauge(waiting)), 0, 3},
	)
}

func TestExternalCacheUseless(t *testing.T) {
	before, s := phases(t, "external-cache-useless", 10*time.Minute)
	check(
		t,
		bound{"found outside before", before.rise(outsideFound) / before.rise(outsideAsked), 0.2, 0.95},
		bound{"found outside", s.rise(outsideFound) / s.rise(outsideAsked), 0, 0.05},
		bound{"asked outside a second", s.rate(outsideAsked), 4000, 8000},
		bound{"found here", s.found(), 0, 0.2},
		bound{"prefill against before", s.mean(prefilling) / before.mean(prefilling), 1.3, 10},
		bound{"waiting", average(s.gauge(waiting)), 0, 0.3},
	)
}

func TestSpeculationPays(t *testing.T) {
	_, s := phases(t, "speculation-pays", 5*time.Minute)
	// (1 - 0.75^4) / (1 - 0.75) = 2.73.
	check(
		t,
		bound{"tokens a step", s.perStep(), 2.68, 2.78},
		bound{"acceptance", s.rise(accepted) / s.rise(proposals), 0.55, 0.6},
		bound{"ITL against time per token", s.mean(itl) / s.mean(tpot), 2.5, 2.9},
		bound{"waiting", average(s.gauge(waiting)), 0, 0.1},
	)
}

// TestSpeculationRefused: a step costs as much as before, and brings 1.4 tokens instead of 3.7; without the drafter it would
// take half the time.
func TestSpeculationRefused(t *testing.T) {
	before, s := phases(t, "speculation-refused", 5*time.Minute)
	f := build(t, scenario(t, "speculation-refused"), 7)
	h, b := *f.servers[0].hardware[0], decode(int(average(s.gauge(running))), 1700)
	h.drafter = 0
	plain, _ := h.step(b)
	check(
		t,
		bound{"tokens a step before", before.perStep(), 3.6, 3.8},
		bound{"tokens a step", s.perStep(), 1.38, 1.48},
		bound{"acceptance", s.rise(accepted) / s.rise(proposals), 0.07, 0.1},
		bound{"time per token against before", s.mean(tpot) / before.mean(tpot), 2, 6},
		bound{"time per token against none drafted", s.mean(tpot) / plain, 1.05, 2},
		bound{"time per token before against none drafted", before.mean(tpot) / plain, 0.2, 0.7},
		bound{"waiting", average(s.gauge(waiting)), 0, 0.1},
	)
}
