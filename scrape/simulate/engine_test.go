package simulate

import (
	"math/rand/v2"
	"testing"
)

// bench is a server without traffic of its own, for requests that a test sends.
func bench(t *testing.T, release string, f flags) (*server, *traffic) {
	t.Helper()
	v, err := parseVersion(release)
	if err != nil {
		t.Fatal(err)
	}
	d := bare("gpu-a")
	d.release, d.flags = release, f
	s := newServer(d, v, &agenda{}, rand.New(rand.NewPCG(1, 1)), 0)
	return s, &traffic{load: load{rate: 1}, agenda: s.agenda, random: s.random, router: &router{servers: []*server{s}}}
}

var roomy = flags{maxSeqs: 8, batchedTokens: 512, maxModelLen: 8192, blockSize: 16, gpuBlocks: 1000}

func (s *server) ask(tr *traffic, prompt, output int) *request {
	r := &request{traffic: tr, prompt: prompt, output: output, limit: output}
	s.frontend.arrive(r)
	return r
}

func TestObservedWhenVLLMObserves(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	m := s.frontend.engines[0].metrics
	s.ask(tr, 1500, 50)
	for m.firstToken.count() == 0 {
		if m.iteration.count() != 0 || m.promptTokens != 0 {
			t.Fatal("a step that only computes a part of a prompt was observed")
		}
		s.agenda.runTo(s.agenda.now + 0.001)
	}
	if m.promptTokens != 1500 || m.iteration.sum != 1501 || m.endToEnd.count() != 0 || m.queue.count() != 0 {
		t.Errorf("at the first token: %g prompt tokens, iteration of %g, %d E2E, %d queue; want 1500, 1501, 0, 0",
			m.promptTokens, m.iteration.sum, m.endToEnd.count(), m.queue.count())
	}
	s.agenda.runTo(60)
	if m.interToken.count() != 49 || m.endToEnd.count() != 1 || m.queue.count() != 1 || m.success["stop"] != 1 || m.running != 0 {
		t.Errorf("at the end: %d ITL, %d E2E, %d queue, %g finished, %g running; want 49, 1, 1, 1, 0",
			m.interToken.count(), m.endToEnd.count(), m.queue.count(), m.success["stop"], m.running)
	}
	if got, want := m.interToken.sum, m.decode.sum; got < want*0.999999 || got > want*1.000001 {
		t.Errorf("inter-token latencies sum to %g, decode time is %g", got, want)
	}
}

func TestOneTokenAnswer(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	m := s.frontend.engines[0].metrics
	s.ask(tr, 100, 1)
	s.agenda.runTo(10)
	if m.perToken.count() != 1 || m.perToken.sum != 0 || m.decode.sum != 0 || m.interToken.count() != 0 {
		t.Errorf("TPOT %d times, sum %g, decode %g, ITL %d times; want 1, 0, 0, 0", m.perToken.count(), m.perToken.sum, m.decode.sum, m.interToken.count())
	}
}

// TestIterationTokens leave out cached prompt tokens since 0.22.
func TestIterationTokens(t *testing.T) {
	for release, want := range map[string]float64{"0.11.0": 2*100 + 2, "0.32.0": 100 + 36 + 2} {
		t.Run(release, func(t *testing.T) {
			s, tr := bench(t, release, roomy)
			tr.prefixes, tr.prefixTokens = 1, 64
			for range 2 {
				s.ask(tr, 100, 1)
				s.agenda.runTo(s.agenda.now + 5)
			}
			m := s.frontend.engines[0].metrics
			if m.iteration.sum != want || m.hits != 64 || m.queries != 200 || m.cachedTokens != 64 {
				t.Errorf("iterations of %g, %g of %g looked up tokens found, %g cached; want %g, 64 of 200, 64", m.iteration.sum, m.hits, m.queries, m.cachedTokens, want)
			}
		})
	}
}

func TestLongAnswersEndByLength(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	tr.prompt, tr.output, tr.maxTokens = lengths{10, 0, 1, 10}, lengths{50, 0, 1, 50}, 20
	tr.ask(0)
	s.agenda.runTo(5)
	if m := s.frontend.engines[0].metrics; m.success["length"] != 1 || m.generation.sum != 20 || m.limit.sum != 20 {
		t.Errorf("finished %v with %g tokens, limit %g; want one by length with 20 of 20", m.success, m.generation.sum, m.limit.sum)
	}
}

func TestBalancerCountsWaitingFourfold(t *testing.T) {
	e := &engine{scheduler: scheduler{waiting: make([]*request, 2), running: make([]*request, 3)}, inbox: make([]*request, 1)}
	if e.pressure() != 15 {
		t.Errorf("pressure is %d, want 4 x 3 + 3", e.pressure())
	}
}

// TestEvictionIsCountedLate: two requests outgrow a cache of 40 blocks, and the counter waits for the second's next token.
func TestEvictionIsCountedLate(t *testing.T) {
	f := roomy
	f.gpuBlocks = 41
	s, tr := bench(t, "0.32.0", f)
	e := s.frontend.engines[0]
	first, second := s.ask(tr, 300, 250), s.ask(tr, 300, 250)
	for second.preemptions == 0 {
		s.agenda.runTo(s.agenda.now + 0.01)
	}
	evictedAt := s.agenda.now
	for !first.left {
		if e.metrics.preemptions != 0 {
			t.Fatalf("counted %g evictions while the request still waits", e.metrics.preemptions)
		}
		s.agenda.runTo(s.agenda.now + 0.01)
	}
	s.agenda.runTo(s.agenda.now + 60)
	if e.metrics.preemptions != 1 || e.metrics.evictions.sum != 1 || s.agenda.now-evictedAt < 1 {
		t.Errorf("%g evictions in the counter, %g in the histogram; want 1, 1", e.metrics.preemptions, e.metrics.evictions.sum)
	}
	if e.metrics.queue.sum > 0.5 {
		t.Errorf("queue time is %g s: it must end at the first scheduling", e.metrics.queue.sum)
	}
	if e.metrics.interToken.counts[len(tokenEdges)] != 0 || e.metrics.interToken.sum < e.metrics.decode.sum*0.99 {
		t.Errorf("the wait of the evicted request is not in the inter-token latency: %g s of %g s", e.metrics.interToken.sum, e.metrics.decode.sum)
	}
}

func TestAbortIsInNoEngineCounter(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	e := s.frontend.engines[0]
	r := s.ask(tr, 100, 5000)
	s.agenda.runTo(2)
	s.frontend.abandon(r)
	s.frontend.abandon(r) // a client hangs up once
	s.agenda.runTo(4)
	if s.frontend.http.answers[0].count != 1 || len(s.frontend.open) != 0 || e.metrics.firstToken.count() != 1 || e.metrics.endToEnd.count() != 0 || len(e.metrics.success) != 0 {
		t.Errorf("%g responses, %d open, %d TTFT, %d E2E, finished %v; want 1, 0, 1, 0, none",
			s.frontend.http.answers[0].count, len(s.frontend.open), e.metrics.firstToken.count(), e.metrics.endToEnd.count(), e.metrics.success)
	}
	if len(e.scheduler.running) != 0 || e.scheduler.cache.usage() != 0 || e.metrics.running != 0 || e.metrics.usage != 0 {
		t.Errorf("%d requests still run, usage %g; on the page %g and %g",
			len(e.scheduler.running), e.scheduler.cache.usage(), e.metrics.running, e.metrics.usage)
	}
}

// TestGaugesOfOldReleasesStay: before 0.10.2 a step without output told nothing.
func TestGaugesOfOldReleasesStay(t *testing.T) {
	s, tr := bench(t, "0.9.2", roomy)
	r := s.ask(tr, 100, 5000)
	s.agenda.runTo(2)
	s.frontend.abandon(r)
	s.agenda.runTo(4)
	if m := s.frontend.engines[0].metrics; m.running != 1 {
		t.Errorf("%g run on the page, want the 1 that has left", m.running)
	}
}

// TestRoomForTheFirstChunk: of 299 blocks 126 are taken, and a prompt of 4,000 tokens wants 250; old releases start it.
func TestRoomForTheFirstChunk(t *testing.T) {
	for release, want := range map[string]float64{"0.11.0": 2, "0.32.0": 1} {
		f := roomy
		f.gpuBlocks = 300
		s, tr := bench(t, release, f)
		s.ask(tr, 2000, 100)
		s.agenda.runTo(0.5)
		s.ask(tr, 4000, 10)
		s.agenda.runTo(0.6)
		if m := s.frontend.engines[0].metrics; m.running != want {
			t.Errorf("%s: %g run, want %g", release, m.running, want)
		}
	}
}

func TestRequestsOfAHungEngineAreInNoGauge(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	e := s.frontend.engines[0]
	s.ask(tr, 100, 5000)
	s.agenda.runTo(2)
	wedge(0).strike(&Fleet{servers: []*server{s}}, 1)
	for range 20 {
		s.ask(tr, 100, 100)
	}
	s.agenda.runTo(30)
	if e.metrics.running != 1 || e.metrics.waiting != 0 || len(s.frontend.open) != 21 {
		t.Errorf("%g running, %g waiting, %d open; want 1, 0, 21", e.metrics.running, e.metrics.waiting, len(s.frontend.open))
	}
	before := e.hardware.activity(s.agenda.now)
	s.agenda.runTo(40)
	if spun := e.hardware.activity(s.agenda.now).busy - before.busy; spun < 9.99 || spun > 10.01 || e.hardware.activity(s.agenda.now).tensor != before.tensor {
		t.Errorf("devices were busy for %g of 10 s and computed %g s; want 10 and 0", spun, e.hardware.activity(s.agenda.now).tensor-before.tensor)
	}
}

// TestEveryRequestEndsOnce, whether it is served or its client hangs up while it renders, waits, runs or was evicted.
func TestEveryRequestEndsOnce(t *testing.T) {
	f := roomy
	f.gpuBlocks = 200
	s, tr := bench(t, "0.32.0", f)
	tr.render = 0.02
	evictions := 0
	for range 300 {
		r := s.ask(tr, 1+s.random.IntN(900), 1+s.random.IntN(900))
		s.agenda.after(120*s.random.Float64(), func() {
			evictions += r.preemptions
			s.frontend.abandon(r)
		})
	}
	s.agenda.runTo(600)
	e := s.frontend.engines[0]
	if s.frontend.http.answers[0].count != 300 || len(s.frontend.open) != 0 || len(e.scheduler.running)+len(e.scheduler.waiting) != 0 || e.scheduler.cache.usage() != 0 {
		t.Errorf("%g over, %d open, %d running, %d waiting, usage %g; want 300 and nothing left",
			s.frontend.http.answers[0].count, len(s.frontend.open), len(e.scheduler.running), len(e.scheduler.waiting), e.scheduler.cache.usage())
	}
	if evictions == 0 || e.metrics.success["stop"] < 20 {
		t.Errorf("%d evictions, %g served: the test does not cover both", evictions, e.metrics.success["stop"])
	}
}

func TestRanksShareTheLoad(t *testing.T) {
	d := small("gpu-a", load{name: "chat", rate: 10, maxTokens: 300, prompt: question, output: answer})
	d.data, d.release = 2, "0.32.0"
	s := newServer(d, release0320, &agenda{}, rand.New(rand.NewPCG(3, 3)), 0)
	s.agenda.runTo(120)
	a, b := s.frontend.engines[0].metrics.generationTokens, s.frontend.engines[1].metrics.generationTokens
	if a < 0.8*b || b < 0.8*a || len(s.frontend.processes) != 2 {
		t.Errorf("ranks generated %g and %g tokens behind %d processes; want about the same, and 2", a, b, len(s.frontend.processes))
	}
}
