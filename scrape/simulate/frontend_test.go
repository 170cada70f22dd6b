package simulate

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(math.Abs(a), math.Abs(b)) }

// TestRenderingIsOneAfterTheOther: ten requests at once, 0.1 s each, and no gauge of the engine knows of those that wait.
func TestRenderingIsOneAfterTheOther(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	tr.render = 0.1 - requestSeconds
	m := s.frontend.engines[0].metrics
	for range 10 {
		s.ask(tr, 1, 1)
	}
	s.agenda.runTo(0.55)
	if len(s.frontend.pending) != 4 || m.waiting != 0 || m.firstToken.count() != 4 {
		t.Errorf("%d to render, %g waiting, %d served; want 4, 0, 4 (the fifth waits for the sixth to be rendered)", len(s.frontend.pending), m.waiting, m.firstToken.count())
	}
	s.agenda.runTo(2)
	if mean := m.firstToken.sum / 10; mean < 0.55 || mean > 0.7 {
		t.Errorf("mean TTFT is %g s, want 0.55 and a step", mean)
	}
	if m.queue.sum > 0.2 {
		t.Errorf("queue times sum to %g s: rendering is not queueing", m.queue.sum)
	}
	if cpu := s.frontend.cpu; cpu < 1 || cpu > 1.01 {
		t.Errorf("CPU is %g s, want 1 s of rendering and little else", cpu)
	}
}

// TestClockOfOldReleases: before 0.17 a request's clock starts when it is rendered.
func TestClockOfOldReleases(t *testing.T) {
	for _, test := range []struct {
		release   string
		low, high float64
	}{{"0.11.0", 0.01, 0.2}, {"0.32.0", 1, 1.2}} {
		t.Run(test.release, func(t *testing.T) {
			s, tr := bench(t, test.release, roomy)
			tr.render = 1
			s.ask(tr, 100, 1)
			s.agenda.runTo(5)
			m := s.frontend.engines[0].metrics
			if m.firstToken.sum < test.low || m.firstToken.sum > test.high || s.frontend.http.fine.sum < 1 {
				t.Errorf("TTFT is %g s, want %g to %g; HTTP took %g s, want above 1", m.firstToken.sum, test.low, test.high, s.frontend.http.fine.sum)
			}
		})
	}
}

// TestOutputWaitsForOneRendering: the process takes turns, so a token waits for the rendering under way and no other.
func TestOutputWaitsForOneRendering(t *testing.T) {
	s, tr := bench(t, "0.32.0", roomy)
	s.ask(tr, 100, 3000)
	s.agenda.runTo(1)
	tr.render = 0.2
	for range 30 {
		s.ask(tr, 10, 1)
	}
	m := s.frontend.engines[0].metrics
	before := m.generationTokens
	s.agenda.runTo(3)
	if rate := (m.generationTokens - before) / 2; rate < 80 {
		t.Errorf("%g tokens a second come through while renderings queue, want about as many as the engine makes", rate)
	}
	if got := s.frontend.answerSeconds(); !near(got, 0.008+3*(0.2+requestSeconds+10*tokeniseSeconds)) {
		t.Errorf("a page takes %g s, want three renderings", got)
	}
}

// TestProcessesShareTheRendering: twice the processes render in half the time.
func TestProcessesShareTheRendering(t *testing.T) {
	f := roomy
	f.apiServers = 2
	s, tr := bench(t, "0.32.0", f)
	tr.render = 0.1
	for range 10 {
		s.ask(tr, 10, 1)
	}
	s.agenda.runTo(0.56)
	if served := s.frontend.http.answers[0].count; served != 10 {
		t.Errorf("%g of 10 served after 0.56 s, want all", served)
	}
}
