package diagnose

import (
	"math"
	"strconv"
	"strings"
)

// mostDigits is how many digits of a threshold are printed at most; a quotient, which has no end, has fewer.
const mostDigits, quotientDigits = 9, 4

// exact is a number without the noise of its last digits.
func exact(v float64) float64 {
	if digits := roundTo(v, mostDigits); math.Abs(digits-v) <= 1e-12*math.Abs(v) {
		return digits
	}
	return roundTo(v, quotientDigits)
}

// Exact prints a value with its unit and all the digits that it has, where [Unit.Format] rounds: a threshold is to be read as it is judged.
func (u Unit) Exact(v float64) string {
	scaled := func(by float64, suffix string) string { return trimNumber(exact(v/by)) + suffix }
	number, unit := u.split(v)
	switch u {
	case Timestamp, Hertz, Code, YesNo:
		return joinUnit(number, unit)
	case Seconds:
		if unit == "" { // a span
			return exactSpan(v)
		}
	}
	if by, ok := multiples[unit]; ok {
		return joinUnit(scaled(by, ""), unit)
	}
	for _, suffix := range []string{"G", "M", "k"} {
		if strings.HasSuffix(number, suffix) {
			return joinUnit(scaled(multiples[suffix], suffix), unit)
		}
	}
	return joinUnit(scaled(1, ""), unit)
}

// Reading prints what a comparison looked at.
func (e Evidence) Reading() string {
	if e.Plain {
		return e.Text()
	}
	return e.Beside(e.Is)
}

// multiples are what the units and suffixes stand for in which numbers are printed.
var multiples = map[string]float64{
	"%": 0.01, "ms": 0.001, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "MHz": 1e6, "k": 1e3, "M": 1e6, "G": 1e9,
}

// exactSpan prints a span of minutes and more in seconds where it has some that people leave out.
func exactSpan(v float64) string {
	left := math.Mod(v, 60)
	if math.Abs(v) < 3600 {
		left = math.Mod(v, 1)
	}
	if left != 0 {
		return joinUnit(trimNumber(v), "s")
	}
	number, _ := splitSeconds(v)
	return number
}

// shown is the value that Format prints, where that is a number.
func (u Unit) shown(v float64) (float64, bool) {
	number, unit := u.split(v)
	by := 1.0
	if multiple, ok := multiples[unit]; ok {
		by = multiple
	}
	if last := len(number) - 1; last > 0 && multiples[number[last:]] > 0 {
		by, number = multiples[number[last:]], number[:last]
	}
	rounded, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
	return rounded * by, err == nil
}

// Beside prints a fact next to what is asked of it, with more digits where it would read as on the other side of the threshold.
func (f Fact) Beside(is Is) string {
	text := f.Text()
	if !f.Known() || f.Words != "" || f.Low != f.High && f.Wide() {
		return text
	}
	holds := is.Op.holds(f.Value, is.Threshold)
	rounded, ok := f.Signal.Unit.shown(f.Signal.round(f.Value))
	if !ok || is.Op.holds(rounded, is.Threshold) == holds {
		return text
	}
	for digits := 3; digits <= mostDigits; digits++ {
		if v := roundTo(f.Value, digits); is.Op.holds(v, is.Threshold) == holds {
			return strings.TrimSuffix(text, f.Signal.Unit.Format(f.Signal.round(f.Value))) + f.Signal.Unit.Exact(v)
		}
	}
	return text
}
