package simulate

import (
	"testing"
	"time"
)

// TestPoolHoldsRequestsBack: the server sees no more than the pool lets through, and the gateway keeps ten for each connection.
func TestPoolHoldsRequestsBack(t *testing.T) {
	s := scenario(t, "light")
	l := chat(10)
	l.pool = 3
	s.servers = []deployment{small("gpu-a", l)}
	f := build(t, s, 3)
	tr := f.servers[0].traffic[0]
	for second := range 60 {
		f.AdvanceTo(noon.Add(time.Duration(second) * time.Second))
		if n := len(f.servers[0].frontend.open); n > 3 {
			t.Fatalf("%d connections are open, the pool has 3", n)
		}
	}
	check(t, bound{"requests that wait at the gateway", float64(len(tr.backlog)), 25, 30}, bound{"requests under way", float64(tr.open), 2, 3})
}

// TestLeaversLeave: a share of them, and nobody else.
func TestLeaversLeave(t *testing.T) {
	s := scenario(t, "light")
	l := chat(10)
	l.leavers, l.stay = 0.5, 0.2 // an answer takes seconds, so that nearly all of them leave before its end
	s.Warm, s.servers = 0, []deployment{small("gpu-a", l)}
	f := build(t, s, 3)
	f.AdvanceTo(noon.Add(100 * time.Second))
	page := read(t, f, "gpu-a:8000")
	left := page.sum(answers) - page.sum(finished)
	check(t, bound{"share that left", left / page.sum(answers), 0.43, 0.56})
}

func TestClientsBeginOverTheirTime(t *testing.T) {
	s := scenario(t, "light")
	s.Warm, s.servers = 0, []deployment{small("gpu-a", load{
		name: "job", clients: 100, begin: 50, maxTokens: 1000, prompt: question, output: lengths{1000, 0, 1000, 1000},
	})}
	f := build(t, s, 3)
	f.AdvanceTo(noon.Add(5 * time.Second))
	check(t, bound{"clients that have begun after a tenth of the time", float64(f.servers[0].traffic[0].sent), 4, 17})
}
