package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Absent is printed where there is no value.
const Absent = "–"

// Text is the fact as people read it: "98 %", "8–12 s" where the bucket is wide, "> 2560 s" where it is the last, "~210 ms" where
// the observations are few, "–" where there is none.
func (f Fact) Text() string {
	if !f.Known() {
		return Absent
	}
	if f.Signal.isText() {
		return f.Words
	}
	if words, ok := f.Signal.Instead[f.Value]; ok {
		return words
	}
	rough := ""
	if f.Rough() {
		rough = "~"
	}
	if f.Low != f.High && f.Wide() {
		return f.Signal.Unit.interval(f.Low, f.High, rough)
	}
	text := rough + f.Signal.Unit.Format(f.Signal.round(f.Value))
	if f.Words != "" {
		text += " (" + f.Words + ")"
	}
	return text
}

// Format prints a value with its unit, three significant digits at most.
func (u Unit) Format(v float64) string { return joinUnit(u.split(v)) }

// joinUnit puts a unit behind a number: "98 %", "1.7/s".
func joinUnit(number, unit string) string {
	if unit == "" || strings.HasPrefix(unit, "/") {
		return number + unit
	}
	return number + " " + unit
}

// Between prints two bounds with their unit once where it is the same, and one value where both read the same: "38–52 %",
// "750 ms – 1.5 s", "98 %".
func (u Unit) Between(low, high float64) string {
	lowNumber, lowUnit := u.split(low)
	highNumber, highUnit := u.split(high)
	switch {
	case lowNumber == highNumber && lowUnit == highUnit:
		return u.Format(low)
	case lowUnit == highUnit && !strings.HasPrefix(lowNumber, "<"):
		return joinUnit(lowNumber+"–"+highNumber, highUnit)
	}
	return u.Format(low) + " – " + u.Format(high)
}

// interval prints two values with their unit once where it is the same, and a mark before the number: "8–12 s", "750 ms – 1.5 s",
// "> 80 s", "< ~0.3 s".
func (u Unit) interval(low, high float64, mark string) string {
	switch {
	case math.IsInf(high, 1):
		return "> " + mark + u.Format(low)
	case low <= 0:
		return "< " + mark + u.Format(high)
	}
	return mark + u.Between(low, high)
}

// split returns the number and the unit of a value.
func (u Unit) split(v float64) (number, unit string) {
	switch {
	case math.IsNaN(v):
		return Absent, ""
	case math.IsInf(v, 1):
		return "∞", ""
	case math.IsInf(v, -1):
		return "-∞", ""
	}
	switch u {
	case Share:
		return percent(v), "%"
	case Seconds:
		return splitSeconds(v)
	case Bytes:
		return splitBytes(v)
	case Timestamp:
		return time.UnixMilli(int64(v * 1000)).UTC().Format(time.DateTime), ""
	case Hertz:
		return thousands(math.Round(v / 1e6)), "MHz"
	case Code:
		return trimNumber(v), ""
	case YesNo:
		return map[bool]string{true: "yes", false: "no"}[v != 0], ""
	}
	return u.counted(v), u.symbol(v)
}

// counted is the number of a count or a rate.
func (u Unit) counted(v float64) string {
	if u.isRate() && math.Abs(v) < leastRate && v != 0 {
		return "< " + trimNumber(leastRate)
	}
	return compact(v)
}

// What is less than these says no more than that it is next to nothing.
const leastSeconds, leastRate = 1e-6, 0.001

// unitSymbols follow the numbers of units that need nothing else.
var unitSymbols = map[Unit]string{
	PerSecond: "/s", PerMinute: "a minute", Tokens: "tokens", TokensPerSecond: "tok/s", Cores: "cores", Celsius: "°C", Watts: "W", Joules: "J",
}

// symbol follows the number; one of something is singular where that can be told.
func (u Unit) symbol(v float64) string {
	if compact(v) == "1" {
		switch u {
		case Cores:
			return "core"
		case Tokens:
			return "token"
		}
	}
	return unitSymbols[u]
}

// percent prints a share without its sign. A share that is not quite nothing or all never rounds to it.
func percent(v float64) string {
	p := 100 * v
	switch {
	case p > 0 && p < 0.1:
		return "<0.1"
	case p > 99 && p < 100:
		return trimNumber(min(99.9, math.Round(p*10)/10))
	case p < 10:
		return trimNumber(math.Round(p*10) / 10)
	}
	return trimNumber(math.Round(p))
}

func splitSeconds(v float64) (number, unit string) {
	switch abs := math.Abs(v); {
	case abs < leastSeconds:
		return "0", "s"
	case abs < 0.9995:
		return significant(v * 1000), "ms"
	case abs < 100:
		return significant(v), "s"
	}
	return Duration(time.Duration(v * float64(time.Second))), ""
}

// Duration prints a span the way people say it: "12s", "3m12s", "5m", "2h05m", "4d02h".
func Duration(d time.Duration) string {
	seconds := int(d.Round(time.Second).Seconds())
	switch {
	case seconds < 60:
		return fmt.Sprintf("%ds", seconds)
	case seconds < 3600:
		return twoUnits(seconds/60, "m", seconds%60, "s")
	case seconds < 48*3600:
		return twoUnits(seconds/3600, "h", seconds/60%60, "m")
	}
	return twoUnits(seconds/(24*3600), "d", seconds/3600%24, "h")
}

func twoUnits(large int, largeUnit string, small int, smallUnit string) string {
	if small == 0 {
		return strconv.Itoa(large) + largeUnit
	}
	return fmt.Sprintf("%d%s%02d%s", large, largeUnit, small, smallUnit)
}

func splitBytes(v float64) (number, unit string) {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	i := 0
	for math.Abs(v) >= 1024 && i < len(units)-1 {
		v /= 1024
		i++
	}
	return significant(v), units[i]
}

// compact prints a count or a rate: 57, 0.42, 1.2k, 412k, 3.1M.
func compact(v float64) string {
	switch abs := math.Abs(v); {
	case abs >= 999.5e6:
		return significant(v/1e9) + "G"
	case abs >= 999.5e3:
		return significant(v/1e6) + "M"
	case abs >= 999.5:
		return significant(v/1e3) + "k"
	}
	return significant(v)
}

// significant prints three significant digits at most: two below 10, whole numbers from 100 on.
func significant(v float64) string {
	digits := 2
	if abs := math.Abs(v); abs >= 9.95 {
		digits = int(math.Log10(abs)) + 1
	}
	return trimNumber(roundTo(v, min(digits, 3)))
}

// roundTo rounds to so many significant digits.
func roundTo(v float64, digits int) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		return v
	}
	return rounded
}

// trimNumber prints a number without an exponent and without idle zeros.
func trimNumber(v float64) string {
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// Plural prints how many things there are: "1 target", "3 targets".
func Plural(n int, thing string) string { return counted(n, thing, thing+"s") }

// counted is a number with the word behind it that goes with it: "1 has", "2 have".
func counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + several
}

// thousands prints a whole number with separators: 1,230.
func thousands(v float64) string {
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
