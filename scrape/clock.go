package scrape

import (
	"sync"
	"time"
)

// minStep is how far the wall clock has to be set to be remarked on; NTP corrects less without a step.
const minStep = time.Second

// Clock gives the times of scrapes: the wall clock at the start, and from then on what has passed since. It never
// steps, whatever is done to the wall clock, and goes on while the machine sleeps, so that a laptop that wakes up shows
// a gap and no absurd rates. It is safe for concurrent use.
type Clock struct {
	start   time.Time
	elapsed func() time.Duration
	wall    func() time.Time

	mu   sync.Mutex
	step time.Duration
}

// NewClock returns a clock that starts now.
func NewClock() *Clock {
	return &Clock{start: time.Now().Round(0), elapsed: sinceNow(), wall: time.Now}
}

// Now returns the time, without a monotonic reading.
func (c *Clock) Now() time.Time { return c.start.Add(c.elapsed()) }

// Step returns how far the wall clock was set since the start, in whole seconds: positive if forward.
func (c *Clock) Step() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if drift := c.wall().Round(0).Sub(c.Now()); (drift - c.step).Abs() > minStep {
		c.step = drift.Round(time.Second)
	}
	return c.step
}

// sinceStart counts with the clock of the Go runtime.
func sinceStart() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
