package diagnose

import "math"

// Users says how bad it is for those who send requests, over all that is watched. NaN is unknown.
type Users struct {
	// Late is the share of first tokens that came later than the objective: at least Low, at most High, of N requests.
	LateLow, LateHigh, N float64
	// Errors is the share of HTTP requests that failed in the server.
	Errors float64
	// PerMinute is how many requests finish a minute.
	PerMinute float64
	// GoodPut is how many requests a second have their first token within the objective: at least Low, at most High.
	GoodLow, GoodHigh float64
}

// Users sums up the fleet at the report's tick.
func (r *Report) Users() Users {
	var late, lateHigh, n, errors, requests, good, goodHigh, perMinute sum
	for _, s := range r.Replicas {
		over := r.Fact("ttft_over_slo", s)
		late.add(over.Low * over.N)
		lateHigh.add(over.High * over.N)
		n.add(over.N)
		admissions := r.Fact("admissions_per_second", s).Value
		good.add(admissions * (1 - over.High))
		goodHigh.add(admissions * (1 - over.Low))
		perMinute.add(r.Fact("requests_per_minute", s).Value)
	}
	for _, t := range r.Targets {
		server := t.At(Server)
		errors.add(r.Fact("http_server_errors", server).Value)
		requests.add(r.Fact("http_all", server).Value)
	}
	return Users{
		LateLow: late.value() / n.value(), LateHigh: lateHigh.value() / n.value(), N: n.value(),
		Errors: errors.value() / requests.value(), PerMinute: perMinute.value(),
		GoodLow: good.value(), GoodHigh: goodHigh.value(),
	}
}

// A sum leaves out what is not known; of nothing but unknown values it is unknown itself.
type sum struct {
	total float64
	known bool
}

func (s *sum) add(v float64) {
	if !math.IsNaN(v) {
		s.total, s.known = s.total+v, true
	}
}

func (s sum) value() float64 {
	if !s.known {
		return math.NaN()
	}
	return s.total
}
