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

// plausible tells a reading from a placeholder: DCGM writes 2^63 and 1.4e14 where it has no value, and old exporters pass it
// on. Bounds are physical, with room (reference: DCGM blank values; NVML limits).
func (u Unit) plausible(v float64) bool {
	switch u {
	case Celsius:
		return v > -50 && v < 150
	case Watts:
		return v >= 0 && v < 5000
	case Hertz:
		return v >= 0 && v < 1e11
	case Code:
		return v >= 0 && v < 1e10
	case Share:
		return v >= -0.01 && v < 2
	}
	return !math.IsNaN(v) && !math.IsInf(v, 0)
}
