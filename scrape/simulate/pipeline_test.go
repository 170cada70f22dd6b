package simulate

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestStages: a batch passes one stage after the other, each with a quarter of 70B's weights on four devices, and half of the
// all-reduces; it is handed over once.
func TestStages(t *testing.T) {
	h := on(4, llama70B)
	h.stages, h.ahead = 2, false
	seconds, done := h.step(decode(1, 0))
	weights := 141.2e9 / 4 / 3.35e12 / 0.85
	each, _ := nvlink.allReduce(8192*2, 2)
	stage := weights + 80*each
	host := launchSeconds + hostSeconds + 4*rankSeconds + sequenceSeconds
	check(
		t,
		bound{"busy of a device", done.busy / stage, 0.999, 1.001},
		bound{"a step", seconds / (2*stage + nvlink.latency + 8192*2/nvlink.bandwidth + host), 0.999, 1.001},
	)
}

// TestTurns: two requests that came one after the other are in different stages at the same time.
func TestTurns(t *testing.T) {
	d := bare("gpu-a")
	d.pipeline, d.flags = 2, roomy
	s := newServer(d, release0320, &agenda{}, rand.New(rand.NewPCG(1, 1)), 0)
	tr := &traffic{load: load{rate: 1}, agenda: s.agenda, random: s.random, router: &router{servers: []*server{s}}}
	s.ask(tr, 100, 5000)
	s.agenda.runTo(5)
	s.ask(tr, 100, 5000)
	s.agenda.runTo(6)
	e := s.frontend.engines[0]
	conserved(t, s)
	if r := e.scheduler.running; len(r) != 2 || r[0].turn == r[1].turn || !e.turns[0].busy || !e.turns[1].busy || s.hardware[0].devices != 2 {
		t.Errorf("%d run, in turns %+v, on %d devices", len(r), e.turns, s.hardware[0].devices)
	}
}

// TestPass: with two stages, a batch of 2 s enters when the one before it has left the first stage, after 1 s; a short one cannot
// overtake.
func TestPass(t *testing.T) {
	e := &engine{agenda: &agenda{}, turns: make([]turn, 2)}
	for _, batch := range []struct{ now, alone, from, seconds float64 }{{0, 2, 0, 2}, {0, 2, 1, 2}, {1.5, 0.2, 2, 1.1}, {5, 1, 5, 1}} {
		e.agenda.now = batch.now
		if from, seconds := e.pass(batch.alone); !near(from, batch.from) || !near(seconds, batch.seconds) {
			t.Errorf("%g s at %g: %g s from %g on, want %g s from %g on", batch.alone, batch.now, seconds, from, batch.seconds, batch.from)
		}
	}
}

func TestExpertsHaveNoStages(t *testing.T) {
	s := scenario(t, "idle-ranks")
	s.servers[0].pipeline = 2
	if _, err := New(s, 1, noon); err == nil || !strings.Contains(err.Error(), "pipeline parallel size is 2, must be 0 to 1") {
		t.Errorf("error is %v", err)
	}
}
