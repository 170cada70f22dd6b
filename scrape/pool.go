package scrape

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// PoolOptions are what all targets of a pool share. The zero value stands for the defaults.
type PoolOptions struct {
	Interval, Timeout time.Duration // DefaultInterval and DefaultTimeout when 0
	// AllowFast permits intervals below 2 s.
	AllowFast bool
	// NoSideRequests leaves it at one GET of the page for each target and interval.
	NoSideRequests bool
	// Clock is NewClock() when nil.
	Clock *Clock
}

// Pool scrapes targets, each on its own grid of times, never two GETs at once on one target. A slow target is late for
// its next scrape, and no other notices. All methods are safe for concurrent use.
type Pool struct {
	store   *Store
	options PoolOptions
	clock   *Clock
	open    func(Target) (source, error)
	buffers sync.Pool
	done    chan struct{}

	mu       sync.Mutex
	interval time.Duration
	loops    []*loop // all there are from the start of Run on
}

// NewPool returns a pool that writes to store.
func NewPool(store *Store, options PoolOptions) (*Pool, error) {
	if options.Interval == 0 {
		options.Interval = DefaultInterval
	}
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	if options.Clock == nil {
		options.Clock = NewClock()
	}
	if err := checkInterval(options.Interval, options.AllowFast); err != nil {
		return nil, err
	}
	return &Pool{
		store: store, options: options, clock: options.Clock, open: openSource, interval: options.Interval,
		buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }},
		done:    make(chan struct{}, 1),
	}, nil
}

// Run scrapes targets until ctx ends, which is no error. It returns an error if a target cannot be used, if the store
// fails, or for a panic that was about no single page. It can run once.
func (p *Pool) Run(ctx context.Context, targets []Target) error {
	for _, t := range targets {
		if err := p.add(t); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, l := range p.loops {
		group.Go(func() error { return Caught(func() error { return l.run(ctx) }) })
	}
	return group.Wait()
}

// add takes a target in before the pool runs.
func (p *Pool) add(t Target) error {
	if t.Interval > 0 {
		if err := checkInterval(t.Interval, p.options.AllowFast); err != nil {
			return fmt.Errorf("target %s: %w", t, err)
		}
	}
	t.NoSideRequests = t.NoSideRequests || p.options.NoSideRequests
	from, err := p.open(t)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.find(t.Instance) != nil {
		from.close()
		return fmt.Errorf("target %s: there is a target with instance %q already; set another with the label instance", t, t.Instance)
	}
	p.loops = append(p.loops, newLoop(p, t, from))
	return nil
}

// find returns the loop of an instance, or nil.
func (p *Pool) find(instance string) *loop {
	for _, l := range p.loops {
		if l.target.Instance == instance {
			return l
		}
	}
	return nil
}

// ScrapeNow scrapes all targets at once, save those whose scrape is under way.
func (p *Pool) ScrapeNow() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.loops {
		l.poke(order{scrape: l.inFlight.IsZero()})
	}
}

// SetInterval changes the interval of the targets that have none of their own.
func (p *Pool) SetInterval(d time.Duration) error {
	if err := checkInterval(d, p.options.AllowFast); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.interval = d
	for _, l := range p.loops {
		l.poke(order{}) // to plan anew
	}
	return nil
}

// AskHealth has /health of a target asked soon, at most once an interval. The answer is written with its next scrape.
func (p *Pool) AskHealth(instance string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.find(instance); l != nil {
		l.poke(order{health: true})
	}
}

// Watermark returns the latest time at which everything is known: no scrape begun at or before it is under way, and
// no later one will get a time at or before it.
func (p *Pool) Watermark() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.clock.Now()
	for _, l := range p.loops {
		pending := l.due
		if !l.inFlight.IsZero() {
			pending = l.inFlight
		}
		if pending.Before(first) {
			first = pending
		}
	}
	return first.Truncate(time.Millisecond).Add(-time.Millisecond)
}

// Done receives after scrapes have finished, once for any number since it was last read.
func (p *Pool) Done() <-chan struct{} { return p.done }

func (p *Pool) signal() {
	select {
	case p.done <- struct{}{}:
	default:
	}
}
