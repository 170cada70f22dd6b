package diagnose

import (
	"math"
	"strings"
)

// Truth is what a condition comes to. Unknown is not false: a metric that is missing proves nothing.
type Truth uint8

// The three values.
const (
	False Truth = iota
	Unknown
	True
)

// String is the value in lower case, as JSON has it.
func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

// Op compares a signal with a threshold.
type Op uint8

// The comparisons.
const (
	Above Op = iota
	AtLeast
	Below
	AtMost
	Equals
	Not
)

// String is the mathematical sign.
func (o Op) String() string { return [...]string{">", "≥", "<", "≤", "=", "≠"}[o] }

// holds compares a value with the threshold.
func (o Op) holds(value, threshold float64) bool {
	switch o {
	case Above:
		return value > threshold
	case AtLeast:
		return value >= threshold
	case Below:
		return value < threshold
	case AtMost:
		return value <= threshold
	case Equals:
		return value == threshold
	}
	return value != threshold
}

// Origin says where a threshold comes from. It is shown beside it, so that a judgement of ours is never taken for a standard.
type Origin string

// Judgement marks a threshold that is our own engineering judgement.
const Judgement Origin = "our judgement"

// Stated marks a threshold that a source states.
func Stated(source string) Origin { return Origin("stated: " + source) }

// InSource marks a behaviour read in vLLM's source.
const InSource Origin = "vLLM's source"

// Measured marks what was seen on a real server under a known cause.
const Measured Origin = "measured on a real server"

// A Test is what a rule asks: one comparison, all of several, or any of several.
type Test interface {
	// evaluate comes to a truth, given how to look a signal up. Relaxed, thresholds are those for clearing. While the truth depends on a
	// signal that is not computed yet it names the first such signal.
	evaluate(look lookup, relaxed bool) (truth Truth, missing string)
	// weigh does the same and tells what each comparison looked at.
	weigh(look func(signal string) Fact) (Truth, []Evidence)
	// comparisons lists every comparison in it, in order.
	comparisons() []Is
	String() string
}

// Is compares one signal with a threshold.
type Is struct {
	Signal    string
	Op        Op
	Threshold float64
	Origin    Origin
}

// All is true when every part is, and false as soon as one is false, whatever is unknown beside it.
type All []Test

// Any is true as soon as one part is, whatever is unknown beside it.
type Any []Test

// hysteresis is how far a value must fall back behind a threshold before it counts as cleared (judgement). A threshold of
// 0 has no room for it.
const hysteresis = 0.1

// A lookup returns a signal's value, NaN when it is absent; ok is false while it is not computed.
type lookup func(signal string) (value float64, ok bool)

// judge is what a test comes to with these values.
func judge(t Test, value func(signal string) float64) Truth {
	truth, _ := t.evaluate(func(signal string) (float64, bool) { return value(signal), true }, false)
	return truth
}

func (c Is) evaluate(look lookup, relaxed bool) (truth Truth, missing string) {
	v, ok := look(c.Signal)
	if !ok {
		return Unknown, c.Signal
	}
	return c.holds(v, relaxed), ""
}

// holds compares a value, NaN when it is absent.
func (c Is) holds(v float64, relaxed bool) Truth {
	if math.IsNaN(v) {
		return Unknown
	}
	if c.Op.holds(v, c.limit(relaxed)) {
		return True
	}
	return False
}

// sameAs tells whether two comparisons ask the same.
func (c Is) sameAs(o Is) bool {
	return c.Signal == o.Signal && c.Op == o.Op && c.Threshold == o.Threshold
}

// limit is the threshold, or the one to clear.
func (c Is) limit(relaxed bool) float64 {
	if relaxed {
		switch c.Op {
		case Above, AtLeast:
			return c.Threshold - hysteresis*math.Abs(c.Threshold)
		case Below, AtMost:
			return c.Threshold + hysteresis*math.Abs(c.Threshold)
		}
	}
	return c.Threshold
}

func (c Is) weigh(look func(string) Fact) (Truth, []Evidence) {
	fact := look(c.Signal)
	truth := c.holds(fact.Value, false)
	return truth, []Evidence{{Fact: fact, Is: c, Outcome: truth}}
}

func (c Is) comparisons() []Is { return []Is{c} }

func (a All) evaluate(look lookup, relaxed bool) (truth Truth, missing string) {
	return evaluateParts(a, look, relaxed, False, func(truth, part Truth) Truth { return min(truth, part) }, True)
}

func (a All) weigh(look func(string) Fact) (Truth, []Evidence) {
	least := True
	var all []Evidence
	for _, t := range a {
		truth, part := t.weigh(look)
		if all = append(all, part...); truth != Unknown || !isAlso(t) {
			least = min(least, truth)
		}
	}
	return least, all
}

func (a All) comparisons() []Is { return comparisonsOf(a) }

func (a Any) evaluate(look lookup, relaxed bool) (truth Truth, missing string) {
	return evaluateParts(a, look, relaxed, True, func(truth, part Truth) Truth { return max(truth, part) }, False)
}

// evaluateParts joins the parts, beginning with the truth of none; one that is decisive decides the whole whatever is missing beside it.
func evaluateParts(parts []Test, look lookup, relaxed bool, decisive Truth, joined func(truth, part Truth) Truth, none Truth) (truth Truth, missing string) {
	truth = none
	for _, t := range parts {
		part, lacks := t.evaluate(look, relaxed)
		switch {
		case lacks == "" && part == decisive:
			return decisive, ""
		case lacks == "" && part == Unknown && isAlso(t): // left out
		case lacks == "":
			truth = joined(truth, part)
		case missing == "":
			missing = lacks
		}
	}
	return truth, missing
}

func (a Any) weigh(look func(string) Fact) (Truth, []Evidence) {
	most := False
	var all []Evidence
	for _, t := range a {
		truth, part := t.weigh(look)
		if all = append(all, part...); truth != Unknown || !isAlso(t) {
			most = max(most, truth)
		}
	}
	for i := range all {
		all[i].Moot = all[i].Moot || most == True && all[i].Outcome != True
	}
	return most, all
}

func (a Any) comparisons() []Is { return comparisonsOf(a) }

func comparisonsOf(tests []Test) []Is {
	var all []Is
	for _, t := range tests {
		all = append(all, t.comparisons()...)
	}
	return all
}

// unknowns lists the comparisons that keep a test from being known: those of its parts that are not. What is decided needs no more.
func unknowns(t Test, value func(signal string) float64) []Is {
	if judge(t, value) != Unknown {
		return nil
	}
	var parts []Test
	switch t := t.(type) {
	case Is:
		return []Is{t}
	case All:
		parts = t
	case Any:
		parts = t
	}
	var all []Is
	for _, part := range parts {
		all = append(all, unknowns(part, value)...)
	}
	return all
}

// Comparisons lists every comparison in a test, in order.
func Comparisons(t Test) []Is { return t.comparisons() }

// String prints the comparison with its signal's id.
func (c Is) String() string { return c.Signal + " " + c.Op.String() + " " + trimNumber(c.Threshold) }

// String prints the parts, joined by "and".
func (a All) String() string { return join(a, " and ") }

// String prints the parts, joined by "or".
func (a Any) String() string { return join(a, " or ") }

func join(tests []Test, word string) string {
	texts := make([]string, len(tests))
	for i, t := range tests {
		texts[i] = t.String()
		if _, single := t.(Is); !single && len(tests) > 1 {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	return strings.Join(texts, word)
}
