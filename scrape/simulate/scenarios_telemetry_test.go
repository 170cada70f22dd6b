package simulate

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// after is how long a page of the first server takes, at some time after the onset.
func after(t *testing.T, f *Fleet, s Scenario, at time.Duration) (Answer, float64) {
	t.Helper()
	f.AdvanceTo(noon.Add(s.Onset + at))
	answer, err := f.Get("gpu-a:8000")
	if err != nil {
		t.Fatal(err)
	}
	return answer, answer.After.Seconds()
}

func TestScrapeTimeouts(t *testing.T) {
	f, s := atOnset(t, "scrape-timeouts", -time.Second)
	_, quick := after(t, f, s, -time.Second)
	early, slow := after(t, f, s, time.Minute)
	late, _ := after(t, f, s, 2*time.Minute)
	check(
		t,
		bound{"seconds for a page before", quick, 0.005, 0.1},
		bound{"seconds for a page by its size", (slow - f.servers[0].frontend.answerSeconds()) / (float64(len(early.Page)) / 8e3), 0.999, 1.001},
		bound{"seconds for a page", slow, 5, 15},
	)
	if bytes.Equal(early.Page, late.Page) {
		t.Error("the server stands still behind a slow link")
	}
	if answer, _ := f.Get("gpu-a:9400"); answer.After.Seconds() < 0.5 {
		t.Errorf("the exporter's page takes %v over the same link", answer.After)
	}
}

func TestFrontendBlocked(t *testing.T) {
	f, s := atOnset(t, "frontend-blocked", -time.Second)
	late := 0.0
	for at := time.Minute; at < 6*time.Minute; at += 5 * time.Second {
		if _, seconds := after(t, f, s, at); seconds > 4 {
			late++
		}
	}
	check(t, bound{"share of pages later than four seconds", late / 60, 0.95, 1})
}

func TestBrokenMultiprocess(t *testing.T) {
	before, s := phases(t, "broken-multiprocess", 5*time.Minute)
	for series, value := range s.last {
		told := strings.Contains(series, "_created") || strings.HasPrefix(series, "vllm:cache_config") || strings.HasPrefix(series, "vllm:engine_sleep")
		if strings.HasPrefix(series, "vllm:") && !told && value != 0 {
			t.Errorf("%s is %g, want 0", series, value)
		}
	}
	f, scenario := atOnset(t, "broken-multiprocess", 5*time.Minute)
	check(
		t,
		bound{"answered requests a second", f.servers[0].frontend.http.answers[0].count / (5*60 - f.servers[0].loadTime()), 2, 4},
		bound{"tokens before", before.samples[len(before.samples)-2].sum(generated), 1e4, 1e6},
	)
	scenario.Lasts = 4 * time.Minute
	f = build(t, scenario, 7)
	f.AdvanceTo(noon.Add(scenario.Onset + 8*time.Minute))
	check(t, bound{"tokens when it is put right", read(t, f, "gpu-a:8000").sum(generated), 1e4, 1e6})
}

func TestFrozenPage(t *testing.T) {
	s := scenario(t, "frozen-page")
	s.Lasts = 5 * time.Minute
	f := build(t, s, 7)
	first, _ := after(t, f, s, time.Second)
	served := f.servers[0].frontend.http.answers[0].count
	last, _ := after(t, f, s, 299*time.Second)
	if !bytes.Equal(first.Page, last.Page) {
		t.Error("the old page changes")
	}
	check(t, bound{"answered requests behind the proxy", f.servers[0].frontend.http.answers[0].count - served, 700, 1100})
	if again, _ := after(t, f, s, 301*time.Second); bytes.Equal(first.Page, again.Page) {
		t.Error("the page is still the old one after the proxy was put right")
	}
}

func TestExporterGone(t *testing.T) {
	s := scenario(t, "exporter-gone")
	s.Lasts = time.Minute
	f := build(t, s, 7)
	for at, gone := range map[time.Duration]bool{-time.Second: false, time.Second: true, 61 * time.Second: false} {
		f := build(t, s, 7)
		f.AdvanceTo(noon.Add(s.Onset + at))
		if answer, _ := f.Get("gpu-a:9400"); answer.Refused != gone || f.Listening("gpu-a:9400") == gone {
			t.Errorf("the exporter refuses %v after the onset: %v, want %v", at, answer.Refused, gone)
		}
	}
	if _, seconds := after(t, f, s, 30*time.Second); seconds > 0.1 {
		t.Errorf("the server's page takes %g s", seconds)
	}
}

// TestExporterFrozen: whatever befalls the GPU, its exporter repeats what it saw.
func TestExporterFrozen(t *testing.T) {
	s := scenario(t, "exporter-frozen")
	s.Lasts = 3 * time.Minute
	s.faults = append(
		s.faults, blockedAir(0, 8), lowerLimit(0, 0.45), slowMemory(0, 0.55), lostLanes(0, 4), otherProcess(0, stranger{activity{busy: 0.65}, 5000}),
	)
	f := build(t, s, 7)
	onset := noon.Add(s.Onset)
	f.AdvanceTo(noon)
	early := read(t, f, "gpu-a:9400")
	f.AdvanceTo(onset.Add(-time.Second))
	before := read(t, f, "gpu-a:9400")
	f.AdvanceTo(onset.Add(2 * time.Minute))
	if diff := cmp.Diff(before, read(t, f, "gpu-a:9400")); diff != "" {
		t.Errorf("the page of a hot GPU has changed: %s", diff)
	}
	gpuLost(0, 0, 119).strike(f, 1)
	f.AdvanceTo(onset.Add(s.Lasts - time.Second))
	if diff := cmp.Diff(before, read(t, f, "gpu-a:9400")); diff != "" {
		t.Errorf("the page of a lost GPU has changed: %s", diff)
	}
	f.AdvanceTo(onset.Add(s.Lasts + time.Minute))
	const energy = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"
	check(
		t,
		bound{"energy used before", before.sum(energy) - early.sum(energy), 1e6, 1e9},
		bound{"XID while it is frozen", before.sum(lastXID), 0, 0},
		bound{"XID once it is put right", read(t, f, "gpu-a:9400").sum(lastXID), 119, 119},
	)
}

// TestExporterRepeatsBetweenLooks: what happens after a look is on the page from the next one on.
func TestExporterRepeatsBetweenLooks(t *testing.T) {
	f := build(t, scenario(t, "healthy"), 7)
	before := read(t, f, "gpu-a:9400")
	gpuLost(0, 0, 119).strike(f, 1)
	f.AdvanceTo(noon.Add(29 * time.Second))
	if diff := cmp.Diff(before, read(t, f, "gpu-a:9400")); diff != "" {
		t.Errorf("the page has changed between two looks: %s", diff)
	}
	f.AdvanceTo(noon.Add(30 * time.Second))
	if now := read(t, f, "gpu-a:9400"); len(now) != 1 || now.sum(lastXID) != 119 {
		t.Errorf("%d series at the next look, the XID is %g; want it alone, and 119", len(now), now.sum(lastXID))
	}
}
