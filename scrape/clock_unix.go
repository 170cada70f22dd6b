//go:build linux || darwin

package scrape

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// sinceNow returns a function that tells what has passed since now, sleep included: the clock of the Go runtime stops
// while the machine sleeps.
func sinceNow() func() time.Duration {
	clock := int32(unix.CLOCK_MONOTONIC) // on macOS this one goes on
	if runtime.GOOS == "linux" {
		clock = 7 // CLOCK_BOOTTIME, a name that macOS lacks
	}
	read := func() (time.Duration, error) {
		var t unix.Timespec
		err := unix.ClockGettime(clock, &t)
		return time.Duration(t.Nano()), err
	}
	start, err := read()
	if err != nil {
		return sinceStart()
	}
	return func() time.Duration {
		now, _ := read() // it answered at the start, and has no other reason to fail
		return now - start
	}
}
