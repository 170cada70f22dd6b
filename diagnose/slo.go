package diagnose

import (
	"math"
	"time"
)

// SLO is an objective: what share of requests have their first token within TTFT, their tokens TPOT apart at most, and so on. A time
// of 0 is no objective.
type SLO struct {
	Name  string
	TTFT  time.Duration
	TPOT  time.Duration
	E2E   time.Duration // to the end of the answer
	Queue time.Duration // in the queue
	// Feels is a second mark of the first token: up to it an answer feels immediate. Nobody is alarmed for it.
	Feels time.Duration
	// Success is the share of requests that must end well, 0 for no such objective.
	Success float64
	// Share is the share of requests that each of the times is for, 0 for defaultShare.
	Share float64
}

// defaultShare is the share of requests that an objective is for, where it does not say (judgement).
const defaultShare = 0.99

// Profiles are the objectives to choose from (our judgement).
var Profiles = []SLO{
	{Name: "chat", TTFT: 3 * time.Second, TPOT: 50 * time.Millisecond, Feels: time.Second},
	{Name: "code", TTFT: 500 * time.Millisecond, TPOT: 30 * time.Millisecond},
	{Name: "batch", TTFT: 30 * time.Second, TPOT: 200 * time.Millisecond},
}

// Allowed is the share of requests that may miss one of the times: the budget.
func (s SLO) Allowed() float64 {
	if s.Share == 0 {
		return roundTo(1-defaultShare, 6)
	}
	return roundTo(1-s.Share, 6)
}

// failuresAllowed is the share of requests that may fail; infinite where that is no objective.
func (s SLO) failuresAllowed() float64 {
	if s.Success == 0 {
		return math.Inf(1)
	}
	return roundTo(1-s.Success, 6)
}

// Objective is what is wanted of a model: its own objective, or the one for all that have none.
func (s Settings) Objective(model string) SLO {
	if own, ok := s.SLOByModel[model]; ok {
		return own
	}
	return s.SLO
}

// objective is the bound that an objective's setting names; infinite where it is no objective, so that nothing misses it.
func (s Settings) objective(name, model string) (bound float64, ok bool) {
	o := s.Objective(model)
	seconds := func(d time.Duration) (float64, bool) {
		if d == 0 {
			return math.Inf(1), true
		}
		return d.Seconds(), true
	}
	switch name {
	case "slo_ttft":
		return seconds(o.TTFT)
	case "slo_tpot":
		return seconds(o.TPOT)
	case "slo_e2e":
		return seconds(o.E2E)
	case "slo_queue":
		return seconds(o.Queue)
	case "slo_feels":
		if o.Feels == 0 {
			return math.NaN(), true // a mark, not a bound: where there is none, nothing is said of it
		}
		return o.Feels.Seconds(), true
	case "slo_allowed":
		return o.Allowed(), true
	case "slo_failures":
		return o.failuresAllowed(), true
	}
	return 0, false
}

// unbound tells whether a bound is an objective of no model, so that there is nothing to read.
func (s Settings) unbound(name string) bool {
	for _, o := range s.SLOByModel {
		other := s
		other.SLO, other.SLOByModel = o, nil
		if !other.unbound(name) {
			return false
		}
	}
	bound, ok := s.objective(name, "\x00")
	return ok && math.IsInf(bound, 1)
}
