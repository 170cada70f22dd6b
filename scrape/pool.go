package scrape

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
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
	loops    []*loop     // in the order in which they were added
	start    func(*loop) // nil while the pool does not run
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

// Run scrapes these targets and those added later until ctx ends, which is no error. It returns an error if a target
// cannot be used, if the store fails, or for a panic that was about no single page. It can run once.
func (p *Pool) Run(ctx context.Context, targets []Target) error {
	for _, t := range targets {
		if err := p.Add(t); err != nil {
			return err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	p.mu.Lock()
	p.start = func(l *loop) {
		own, cancel := context.WithCancel(ctx)
		l.cancel = cancel
		group.Go(func() error {
			defer cancel()
			return Caught(func() error { return l.run(own) })
		})
	}
	for _, l := range p.loops {
		if !l.removed { // Remove is about to forget it
			p.start(l)
		}
	}
	p.mu.Unlock()
	group.Go(func() error { // keeps the group alive without targets, and closes it before it ends
		<-ctx.Done()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.start = nil
		return nil
	})
	return group.Wait()
}

// Add begins to scrape a target, at once if the pool runs.
func (p *Pool) Add(t Target) error {
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
	l := newLoop(p, t, from)
	p.loops = append(p.loops, l)
	if p.start != nil {
		p.start(l)
		p.pokeAll(order{})
	}
	return nil
}

// Remove stops scraping a target and marks its series stale.
func (p *Pool) Remove(instance string) error {
	p.mu.Lock()
	l := p.find(instance)
	if l == nil {
		p.mu.Unlock()
		return fmt.Errorf("remove target: there is none with instance %q", instance)
	}
	l.removed = true
	cancel := l.cancel // nil for good if it was not started before
	p.mu.Unlock()
	if cancel != nil {
		cancel()
		<-l.ended
	}
	err := l.writer.End(l.begin(false))
	p.mu.Lock()
	p.loops = slices.DeleteFunc(p.loops, func(other *loop) bool { return other == l })
	p.pokeAll(order{})
	p.mu.Unlock()
	l.from.close()
	p.signal()
	return err
}

// find returns the loop of an instance, or nil.
func (p *Pool) find(instance string) *loop {
	for _, l := range p.loops {
		if l.target.Instance == instance && !l.removed {
			return l
		}
	}
	return nil
}

// pokeAll leaves an order with all loops; an empty one makes them plan anew, since their places on the grid depend on
// how many they are.
func (p *Pool) pokeAll(o order) {
	for _, l := range p.loops {
		l.poke(o)
	}
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
	p.pokeAll(order{})
	return nil
}

// AskHealth has /health of a target asked soon, at most once an interval. The answer is written with its next scrape.
func (p *Pool) AskHealth(instance string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.find(instance)
	if l == nil {
		return errors.New("ask health: there is no target with instance " + printable(instance, maxQuote))
	}
	l.poke(order{health: true})
	return nil
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
