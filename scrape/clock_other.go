//go:build !linux && !darwin

package scrape

import "time"

// sinceNow counts with the clock of the Go runtime, which on Windows goes on while the machine sleeps.
func sinceNow() func() time.Duration { return sinceStart() }
