package diagnose

import "math"

// Unit says how a value is read and printed, and which values can be real.
type Unit uint8

// Units of signals. Times are seconds, sizes bytes, whatever the exporter's own unit was.
const (
	Count           Unit = iota // requests, series, events: 57
	Ratio                       // a quotient that may pass 1: 0.42
	Share                       // a part of a whole, 0 to 1, printed as a percentage
	Seconds                     // a duration
	Timestamp                   // seconds since the epoch
	PerSecond                   // events a second
	PerMinute                   // events a minute
	Tokens                      // a number of tokens
	TokensPerSecond             // a rate of tokens
	Cores                       // processor cores in use
	Bytes                       // memory
	Celsius                     // temperature
	Watts                       // power
	Hertz                       // clock frequency
	Code                        // a number that is a name: an XID, a bit mask
	YesNo                       // 1 or 0: yes, no
	Joules                      // energy
)

var unitNames = [...]string{
	"count", "ratio", "share", "seconds", "timestamp", "per_second", "per_minute", "tokens", "tokens_per_second", "cores",
	"bytes", "celsius", "watts", "hertz", "code", "yes_no", "joules",
}

// String is the unit's name as JSON has it.
func (u Unit) String() string { return unitNames[u] }

// isRate tells whether values of the unit are a number of something in a second.
func (u Unit) isRate() bool { return u == PerSecond || u == TokensPerSecond || u == Cores }

// limits are the physical bounds of readings, with room: from low up to, and not including, high, which are infinite where there are
// none (reference: DCGM blank values; NVML limits).
func (u Unit) limits() (low, high float64) {
	switch u {
	case Celsius:
		return -50, 150
	case Watts:
		return 0, 5000
	case Hertz:
		return 0, 1e11
	case Code:
		return 0, 1e10
	case Share:
		return -0.01, 2
	}
	return math.Inf(-1), math.Inf(1)
}

// plausible tells a reading from a placeholder: DCGM writes 2^63 and 1.4e14 where it has no value, and old exporters pass it on.
func (u Unit) plausible(v float64) bool {
	low, high := u.limits()
	return v >= low && v < high && !math.IsInf(v, -1)
}
