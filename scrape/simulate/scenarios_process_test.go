package simulate

import (
	"strings"
	"testing"
	"time"
)

// labelled adds up the series of a name that have a label.
func (s sheet) labelled(name, label string) (total float64) {
	for series, value := range s {
		if strings.HasPrefix(series, name+"{") && strings.Contains(series, label) {
			total += value
		}
	}
	return total
}

// since is how much the series of a name that have a label grew.
func (s span) since(name, label string) float64 {
	return s.last.labelled(name, label) - s.first.labelled(name, label)
}

// frozen checks that nothing of vLLM moves over a span.
func frozen(t *testing.T, s span) {
	t.Helper()
	for series, value := range s.last {
		if strings.HasPrefix(series, "vllm:") && value != s.first[series] {
			t.Errorf("%s moved from %g to %g", series, s.first[series], value)
		}
	}
}

// atOnset builds a scenario whose exporter looks every second, and returns the fleet at some time after its onset.
func atOnset(t *testing.T, name string, after time.Duration) (*Fleet, Scenario) {
	t.Helper()
	s := scenario(t, name)
	s.GPUInterval = time.Second
	f := build(t, s, 7)
	f.AdvanceTo(noon.Add(s.Onset + after))
	return f, s
}

func TestRestart(t *testing.T) {
	f, s := atOnset(t, "restart", -time.Second)
	before := read(t, f, "gpu-a:8000")
	full := read(t, f, "gpu-a:9400").sum(memoryUsed)
	other := read(t, f, "gpu-b:8000").sum(answers)
	onset := noon.Add(s.Onset)

	// 75 s and 16.06 GB at 2 GB/s: 83.03 s.
	check(t, bound{"seconds to load", f.servers[0].loadTime(), 83.02, 83.04})
	f.AdvanceTo(onset.Add(15 * time.Second))
	if answer, _ := f.Get("gpu-a:8000"); !answer.Refused || len(answer.Page) > 0 || f.Listening("gpu-a:8000") {
		t.Errorf("while it loads the server answers: %v, %d bytes", !answer.Refused, len(answer.Page))
	}
	check(t, bound{"memory used while it imports", read(t, f, "gpu-a:9400").sum(memoryUsed), 0, 0})
	f.AdvanceTo(onset.Add(82 * time.Second))
	// 16.06 GB of 81,559 MiB are 15,316 MiB.
	check(
		t,
		bound{"memory used by weights", read(t, f, "gpu-a:9400").sum(memoryUsed), 15300, 15330},
		bound{"answers of the other server a second", (read(t, f, "gpu-b:8000").sum(answers) - other) / 83, 6, 9},
	)
	if f.Listening("gpu-a:8000") {
		t.Error("the server listens before it has loaded")
	}

	f.AdvanceTo(onset.Add(84 * time.Second))
	cold := read(t, f, "gpu-a:8000")
	check(
		t,
		bound{"start of the process after the onset", cold[started] - float64(onset.Unix()), -0.01, 0.01},
		bound{"tokens in its first second", cold.sum(generated), 0, 2000},
		bound{"HTTP requests in its first second", cold.sum(answers), 0, 12},
		bound{"CPU seconds of the process", cold.sum("process_cpu_seconds_total"), startCPUSeconds, startCPUSeconds + 2},
		bound{"tokens before", before.sum(generated), 2e4, 1e6},
	)
	f.AdvanceTo(onset.Add(5 * time.Minute))
	check(
		t,
		bound{"memory used again", read(t, f, "gpu-a:9400").sum(memoryUsed), full, full},
		bound{"its share of the requests", f.servers[0].frontend.http.answers[0].count / 200, 3, 5},
	)
}

// TestRestartEmptiesThePrefixCache: the first request after it has to compute the shared beginning anew.
func TestRestartEmptiesThePrefixCache(t *testing.T) {
	l := load{name: "one by one", clients: 1, think: 1, maxTokens: 4, prefixes: 1, prefixTokens: 1024, prompt: lengths{10, 0, 10, 10}, output: lengths{4, 0, 4, 4}}
	s := tiny(flags{maxSeqs: 8, maxModelLen: 4096, gpuBlocks: 4096}, l)
	s.faults = []fault{restart(0)}
	f := build(t, s, 1)
	share := func() float64 {
		page := read(t, f, "gpu-a:8000")
		return page.sum(prefixHits) / page.sum(prefixAsked)
	}
	f.AdvanceTo(noon.Add(s.Onset - time.Second))
	warm := share()
	server := f.servers[0]
	for at := s.Onset; server.frontend.http.answers[0].count != 1 || server.lives < 2; at += time.Second {
		f.AdvanceTo(noon.Add(at))
		if at > 10*time.Minute {
			t.Fatal("nobody is served after the restart")
		}
	}
	check(t, bound{"hit share before", warm, 0.9, 1}, bound{"hit share of the first request after", share(), 0, 0})
}

func TestCrashLoop(t *testing.T) {
	before, s := phases(t, "crash-loop", 10*time.Minute)
	lives, away := map[float64]bool{}, 0.0
	for _, sample := range s.samples {
		if sample[started] == 0 {
			away++
		} else {
			lives[sample[started]] = true
		}
	}
	check(
		t,
		bound{"processes", float64(len(lives)), 3, 7},
		bound{"share of the time away", away / float64(len(s.samples)), 0.4, 0.95},
		bound{"processes before", before.last[started] - before.first[started], 0, 0},
	)
}

func TestSupervisorWaitsLongerEachTime(t *testing.T) {
	f := build(t, scenario(t, "healthy"), 1)
	s := f.servers[0]
	for i, wait := range []float64{0, 10, 20, 40, 80, 160, 300, 300} {
		s.stop()
		ended := f.agenda.now
		s.supervisor.revive(s)
		for s.started < ended {
			f.agenda.runTo(f.agenda.now + 0.5)
		}
		check(t, bound{"wait before start " + string(rune('1'+i)), s.started - ended, wait, wait})
		f.agenda.runTo(s.started + startSeconds + 1)
	}
	f.agenda.runTo(s.started + forgetting + 1)
	s.stop()
	ended := f.agenda.now
	s.supervisor.revive(s)
	f.agenda.runTo(ended + 1)
	check(t, bound{"wait after ten good minutes", s.started - ended, 0, 0})
}

// TestStopWhileLoading: a process that is ended before it listens never does.
func TestStopWhileLoading(t *testing.T) {
	f := build(t, scenario(t, "healthy"), 1)
	s := f.servers[0]
	s.stop()
	s.start(60)
	f.agenda.runTo(f.agenda.now + 30)
	s.stop()
	f.agenda.runTo(f.agenda.now + 300)
	if s.listening {
		t.Error("a process listens that was stopped while it loaded")
	}
}

func TestSlowLoad(t *testing.T) {
	f, s := atOnset(t, "slow-load", -time.Second)
	check(t, bound{"memory used before", read(t, f, "gpu-a:9400").sum(memoryUsed) / 4 / 81559, 0.9, 0.93})
	onset := noon.Add(s.Onset)
	// 141.2 GB at 0.125 GB/s are 1129.6 s, and 75 s beside them; 18.75 s of these come before the weights.
	for after, share := range map[time.Duration]float64{10 * time.Second: 0, 583550 * time.Millisecond: 0.5, 1160 * time.Second: 1} {
		f := build(t, s, 7)
		f.AdvanceTo(onset.Add(after))
		weights := read(t, f, "gpu-a:9400").sum(memoryUsed) * (1 << 20) / 141.2e9
		check(t, bound{"share of the weights after " + after.String(), weights, share - 0.005, share + 0.005})
		if f.Listening("gpu-a:8000") {
			t.Errorf("the server listens %v after its start", after)
		}
	}
	f.AdvanceTo(onset.Add(1206 * time.Second))
	if !f.Listening("gpu-a:8000") {
		t.Error("the server does not listen twenty minutes after its start")
	}
}

func TestServerExits(t *testing.T) {
	f, s := atOnset(t, "server-exits", time.Second)
	if !f.Listening("gpu-a:8000") {
		t.Error("the API process is gone with its engine, want two seconds later")
	}
	f.AdvanceTo(noon.Add(s.Onset + 3*time.Second))
	if f.Listening("gpu-a:8000") {
		t.Error("the API process lives three seconds after its engine")
	}
	f.AdvanceTo(noon.Add(s.Onset + 10*time.Minute))
	if f.Listening("gpu-a:8000") {
		t.Error("something started the server again")
	}
	check(t, bound{"memory used", read(t, f, "gpu-a:9400").sum(memoryUsed), 0, 0})
}

func TestStuckHost(t *testing.T) {
	before, s := phases(t, "stuck-host", 3*time.Minute)
	frozen(t, s)
	last := s.gpu[len(s.gpu)-1]
	check(
		t,
		bound{"open files gained a second", s.rate(openFiles), 1.5, 2.5},
		bound{"GPU utilisation", last.sum(gpuUtil), 0, 0},
		bound{"power share", last.sum(gpuPower) / 700, 0.14, 0.18},
		bound{"memory used", last.sum(memoryUsed) / 81559, 0.9, 0.93},
		bound{"tokens before", before.rate(generated), 100, 1e4},
	)
}

func TestEngineDead(t *testing.T) {
	before, s := phases(t, "engine-dead", 3*time.Minute)
	frozen(t, s)
	check(
		t,
		bound{"HTTP 5xx a second: each request is tried three times", s.since(answers, `"5xx"`) / s.seconds, 8, 10},
		bound{"HTTP 2xx", s.since(answers, `"2xx"`), 0, 0},
		bound{"open files above idle", median(s.gauge(openFiles)) - idleDescriptors, 0, 0},
		bound{"memory used", s.gpu[len(s.gpu)-1].sum(memoryUsed), 0, 0},
		bound{"HTTP 5xx before", before.since(answers, `"5xx"`), 0, 0},
	)
}

func TestSleeping(t *testing.T) {
	before, s := phases(t, "sleeping", 4*time.Minute)
	check(
		t,
		bound{"awake", s.last.labelled("vllm:engine_sleep_state", "awake"), 0, 0},
		bound{"weights offloaded", s.last.labelled("vllm:engine_sleep_state", "weights_offloaded"), 1, 1},
		bound{"discarded", s.last.labelled("vllm:engine_sleep_state", "discard_all"), 0, 0},
		bound{"running and waiting", s.last.sum(running) + s.last.sum(waiting), 0, 0},
		bound{"open files gained a second", s.rate(openFiles), 1.5, 2.5},
		bound{"aborted", s.first.labelled(finished, `"abort"`), 1, 30},
		bound{"tokens", s.rise(generated), 0, 0},
		bound{"memory used", s.gpu[len(s.gpu)-1].sum(memoryUsed) / 81559, 0.03, 0.1},
		bound{"awake before", before.last.labelled("vllm:engine_sleep_state", "awake"), 1, 1},
	)
}

// TestSleepEmptiesThePrefixCache: of four equal requests the second finds the shared 64 tokens, the third, after a sleep, does not,
// and the fourth does again.
func TestSleepEmptiesThePrefixCache(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	tr.prefixes, tr.prefixTokens = 1, 64
	e := s.frontend.engines[0]
	for i, hits := range []float64{0, 64, 64, 128} {
		if i == 2 {
			e.sleep(offloaded)
			e.rouse()
		}
		s.ask(tr, 100, 1)
		s.agenda.runTo(s.agenda.now + 5)
		if e.metrics.hits != hits {
			t.Errorf("%g tokens found after request %d, want %g", e.metrics.hits, i+1, hits)
		}
	}
}

// TestWakeUp: what waited is served.
func TestWakeUp(t *testing.T) {
	s := scenario(t, "sleeping")
	s.Lasts = 30 * time.Second
	f := build(t, s, 7)
	f.AdvanceTo(noon.Add(s.Onset + 29*time.Second))
	asleep := read(t, f, "gpu-a:8000")
	f.AdvanceTo(noon.Add(s.Onset + 90*time.Second))
	awoken := read(t, f, "gpu-a:8000")
	check(
		t,
		bound{"awake", awoken.labelled("vllm:engine_sleep_state", "awake"), 1, 1},
		bound{"first tokens", awoken.sum(ttft+"_count") - asleep.sum(ttft+"_count"), 120, 240},
		bound{"open files above idle", awoken.sum(openFiles) - idleDescriptors, 0, 20},
	)
}
