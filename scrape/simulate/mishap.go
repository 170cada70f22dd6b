package simulate

import "slices"

// mishap is what goes wrong with a single request.
type mishap int

const (
	wellFormed mishap = iota
	invalid           // the API process finds it wrong before it renders it: 400, 404 or 422
	uncaught          // rendering it raises an exception in the API process: 500
	failing           // the engine gives it up in the middle, as when its grammar refuses a sampled token: 500
	repeating         // its answer repeats itself and finds no end
	aborted           // the engine was told to drop it: the client gets what there is, with a 200
	lethal            // computing it kills the engine
)

// Repetition is detected some patterns after it began; how many tokens that takes is by judgement.
const (
	repetitionTokens = 60
	repetitionSpread = 140
)

// afflict lets the load's mishap happen to its share of the requests.
func (t *traffic) afflict(r *request) {
	if t.mishaps == 0 || t.random.Float64() >= t.mishaps {
		return
	}
	r.mishap = t.mishap
	if r.mishap == failing {
		r.output, r.byLength = 1+t.random.IntN(r.output), false
	}
}

// turnedAway ends a request that comes no farther than the API process. A client takes a 4xx for an answer and tries
// again after a 5xx.
func (f *frontend) turnedAway(r *request) bool {
	switch r.mishap {
	case invalid:
		f.leave(r, refused)
		r.traffic.ended(r)
	case uncaught:
		f.leave(r, failed)
		r.traffic.failed(r)
	case repeating:
		r.repeat(f)
		return false
	default:
		return false
	}
	return true
}

// repeat makes an answer go on behind its natural end, until that is detected or its length is reached. Releases that know
// no repetition see the latter alone.
func (r *request) repeat(f *frontend) {
	r.output += repetitionTokens + f.random.IntN(repetitionSpread)
	if f.version < repetitionDetected || r.output >= r.limit {
		r.output, r.byLength = r.limit, true
	}
}

// reason is the request's finished_reason.
func (r *request) reason() string {
	switch {
	case r.mishap == failing:
		return "error"
	case r.mishap == aborted:
		return "abort"
	case r.byLength:
		return "length"
	case r.mishap == repeating:
		return "repetition"
	}
	return "stop"
}

// poisoned says that the step which ends now computed a request that kills the engine.
func (s *scheduler) poisoned(turn int) bool {
	return slices.ContainsFunc(s.running, func(r *request) bool { return r.turn == turn && r.mishap == lethal && r.step > 0 })
}
