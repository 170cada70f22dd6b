package scrape

import (
	"errors"
	"fmt"
	"time"
)

// Bounds of the interval between two scrapes.
const (
	// DefaultInterval is what a rate over a minute wants: 12 scrapes.
	DefaultInterval = 5 * time.Second
	// DefaultTimeout is below the interval, so that a hanging target misses no scrape of its grid.
	DefaultTimeout = 4 * time.Second

	fastInterval = 2 * time.Second // below, the server's own work for the page shows
	slowInterval = 15 * time.Second
	minInterval  = 100 * time.Millisecond
)

// IntervalAdvice returns what speaks against an interval, or nothing.
func IntervalAdvice(d time.Duration) string {
	switch {
	case d < fastInterval:
		return fmt.Sprintf("an interval of %s is short: the API process of vLLM makes the page, some 10 ms of its time each", d)
	case d > slowInterval:
		return fmt.Sprintf("an interval of %s is long: short stalls go unseen, and rates over a minute rest on few scrapes", d)
	}
	return ""
}

// ErrTooFast marks the refusal of an interval that PoolOptions.AllowFast would permit.
var ErrTooFast = errors.New("that has to be allowed explicitly, since the API process of vLLM makes the page, some 10 ms of its time each")

// InputError marks that it is what was asked for that cannot be: an interval, or a path. Other errors lie in the data or the machine.
type InputError struct{ err error }

// Error returns what cannot be.
func (e *InputError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.err }

// checkInterval refuses what would burden the servers, unless the user insists.
func checkInterval(d time.Duration, fast bool) error {
	switch {
	case d < minInterval:
		return &InputError{fmt.Errorf("the interval %s is below %s: choose a longer one", d, minInterval)}
	case d < fastInterval && !fast:
		return &InputError{fmt.Errorf("the interval %s is below %s: %w", d, fastInterval, ErrTooFast)}
	}
	return nil
}

// due returns the first time after a time when target k of n is scraped: multiples of the interval since the epoch,
// less k/n of it. So the scrapes of all targets spread over the interval and end at the grid, where judgement looks.
func due(after time.Time, interval time.Duration, k, n int) time.Time {
	step := interval.Milliseconds()
	early := step * int64(k) / int64(n)
	at := after.UnixMilli() + early
	return time.UnixMilli((at/step+1)*step - early)
}
