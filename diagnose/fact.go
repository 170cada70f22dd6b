package diagnose

import "math"

// Fact is the value of a signal for one subject at one tick, or the reason why there is none.
type Fact struct {
	Signal  *Signal
	Subject Subject
	Value   float64 // NaN when absent
	// Low and High bound the value where it comes from a bucket; they equal it where it is exact. High may be infinite.
	Low, High float64
	N         float64  // observations behind the value; NaN where none are counted
	Words     string   // what the value means, or a text that is the value
	Absence   Absence  // Present when there is a value
	Missing   []string // the families that the target does not expose, where that is the reason
}

// Known tells whether the fact has a value.
func (f Fact) Known() bool { return f.Absence == Present }

// Wide tells whether the bucket that holds the value is too wide for one number: over half of its middle (judgement). Then the
// interval is the honest answer. A share over a bound is told as an interval whenever it is one.
func (f Fact) Wide() bool {
	if f.Signal != nil && f.Signal.Take.kind == takeShareOver {
		return f.High > f.Low
	}
	if f.Signal != nil && f.Signal.Take.kind == takeSlowest {
		return true // nobody knows where in its bucket it lies
	}
	return f.High-f.Low > (f.High+f.Low)/4 || math.IsInf(f.High, 1) && !math.IsInf(f.Low, 1)
}

// Rough tells whether the value is a quantile of fewer observations than it takes.
func (f Fact) Rough() bool {
	return f.Signal != nil && f.Signal.Take.kind == takeQuantile && f.N < fewest(f.Signal.Take.quantile)
}

// Absence says why a fact has no value. The order is that in which the reasons are looked for.
type Absence uint8

// Reasons of absence.
const (
	Present        Absence = iota
	Down                   // the target does not answer, or is not scraped
	NoGPU                  // no GPU is known to belong to the server
	NotExported            // the target does not expose the metric: another version, or a flag
	NotGiven               // a setting that the user has not given
	TooFew                 // a rate needs a second scrape
	NoObservations         // nothing was observed in the window: a symptom, not a lack
	Blank                  // no sample now, not a number, or a placeholder
)

var absenceNames = [...]string{
	"present", "no metrics from the target", "no GPU metrics", "not exported", "not given", "rates need a second scrape",
	"no observations", "no value",
}

// String says the reason in a few words.
func (a Absence) String() string { return absenceNames[a] }
