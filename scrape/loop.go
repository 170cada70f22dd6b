package scrape

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	// maxAlign is how late a scrape may be and still get the time of its grid: equal distances compress better, and an
	// error of 10 ms in 5 s does not matter.
	maxAlign = 10 * time.Millisecond
	// maxKeptBuffer is the largest buffer, in bytes, that is kept for the next page.
	maxKeptBuffer = 1 << 20
)

// loop scrapes one target.
type loop struct {
	pool   *Pool
	target Target
	from   source
	writer *Writer
	side   *side
	poked  chan struct{}

	// Guarded by the mutex of the pool.
	due      time.Time // the next scrape by plan
	inFlight time.Time // the time of the scrape that is under way, or zero
	last     time.Time // the time of the last scrape
	wanted   order
}

// order is what somebody wants of a loop before its time.
type order struct{ scrape, health bool }

func newLoop(p *Pool, t Target, from source) *loop {
	return &loop{
		pool: p, target: t, from: from, writer: NewWriter(p.store, t), side: newSide(t, from),
		poked: make(chan struct{}, 1), due: p.clock.Now(),
	}
}

// poke leaves an order; an empty one makes the loop look at its interval again. The caller holds the pool's mutex.
func (l *loop) poke(o order) {
	l.wanted.scrape = l.wanted.scrape || o.scrape
	l.wanted.health = l.wanted.health || o.health
	select {
	case l.poked <- struct{}{}:
	default:
	}
}

// run scrapes until ctx ends. An error means that the store failed.
func (l *loop) run(ctx context.Context) error {
	defer l.from.close()
	for onTime := true; ctx.Err() == nil; onTime = l.wait(ctx) {
		outcome, err := l.scrape(ctx, l.begin(onTime))
		if err != nil {
			return err
		}
		l.finish()
		l.aside(ctx, func(ctx context.Context) { l.side.after(ctx, outcome, l.last, l.interval()) })
	}
	return nil
}

// begin registers a scrape and returns its time: that of the grid if it comes on time, and always after the last.
func (l *loop) begin(onTime bool) time.Time {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	at := l.pool.clock.Now().Truncate(time.Millisecond)
	if onTime && at.Sub(l.due).Abs() <= min(maxAlign, l.period()/100) {
		at = l.due.Truncate(time.Millisecond)
	}
	if !at.After(l.last) {
		at = l.last.Add(time.Millisecond)
	}
	l.inFlight, l.last = at, at
	l.wanted.scrape = false
	return at
}

func (l *loop) scrape(ctx context.Context, at time.Time) (Outcome, error) {
	page := l.pool.buffers.Get().(*bytes.Buffer)
	page.Reset()
	defer func() {
		if page.Cap() <= maxKeptBuffer {
			l.pool.buffers.Put(page)
		}
	}()
	timeout := l.target.Timeout
	if timeout == 0 {
		timeout = l.pool.options.Timeout
	}
	started := l.pool.clock.Now()
	head, failure := l.fetch(ctx, timeout, page)
	if ctx.Err() != nil {
		return Outcome{}, nil // stopped, which says nothing of the target
	}
	s := Scrape{
		At: at, Duration: l.pool.clock.Now().Sub(started), Timeout: timeout, ContentType: head.contentType,
		facts: l.side.take(), notes: l.remarks(head.notes, started),
	}
	if failure != nil {
		s.Err = failure
	} else {
		s.Page = page.Bytes()
	}
	return l.writer.Write(s)
}

// fetch gets the page. A panic costs this scrape, not the program.
func (l *loop) fetch(ctx context.Context, timeout time.Duration, page *bytes.Buffer) (got head, failure *Failure) {
	err := Caught(func() error {
		got, failure = l.from.fetch(ctx, timeout, page)
		return nil
	})
	if err != nil {
		return head{}, ownFailure(err)
	}
	return got, failure
}

// remarks adds to the notes of a page what only the loop knows.
func (l *loop) remarks(notes []note, started time.Time) []note {
	notes = slices.Clip(notes)
	if took, interval := l.pool.clock.Now().Sub(started), l.interval(); took > interval {
		notes = append(notes, note{noteSlowForPeriod, fmt.Sprintf("a scrape takes longer than the interval of %s: "+
			"some are left out; choose a longer interval", interval)})
	}
	if step := l.pool.clock.Step(); step != 0 {
		notes = append(notes, note{noteClockStep, fmt.Sprintf("the clock of this host was set by %s since the start; "+
			"sample times go on as before", step)})
	}
	return notes
}

// finish plans the next scrape.
func (l *loop) finish() {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	l.inFlight = time.Time{}
	l.plan()
	l.pool.signal()
}

// plan sets the time of the next scrape: on the grid, and not right after the last. The caller holds the mutex.
func (l *loop) plan() {
	k, period := slices.Index(l.pool.loops, l), l.period()
	after := l.pool.clock.Now()
	if soon := l.last.Add(period / 4); soon.After(after) {
		after = soon
	}
	l.due = due(after, period, k, len(l.pool.loops))
}

// wait returns when the next scrape has to begin, true if that is by plan, or when ctx ends.
func (l *loop) wait(ctx context.Context) (onTime bool) {
	for {
		now, next, want := l.look()
		switch {
		case want.scrape:
			return false
		case want.health:
			l.aside(ctx, func(ctx context.Context) { l.side.askHealth(ctx, now, l.interval()) })
			continue
		}
		timer := time.NewTimer(next.Sub(now))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-l.poked:
			timer.Stop()
			continue
		}
		timer.Stop()
		return true
	}
}

// look takes the orders that have come, and plans anew since the interval may have changed.
func (l *loop) look() (now, next time.Time, want order) {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	want, l.wanted = l.wanted, order{}
	now = l.pool.clock.Now()
	if l.due.After(now) {
		l.plan()
	}
	return now, l.due, want
}

// aside runs side requests, which end when the next scrape is due.
func (l *loop) aside(ctx context.Context, ask func(context.Context)) {
	l.pool.mu.Lock()
	left := l.due.Sub(l.pool.clock.Now())
	l.pool.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	ask(ctx)
}

func (l *loop) interval() time.Duration {
	l.pool.mu.Lock()
	defer l.pool.mu.Unlock()
	return l.period()
}

// period is the interval of this target. The caller holds the mutex.
func (l *loop) period() time.Duration {
	if l.target.Interval > 0 {
		return l.target.Interval
	}
	return l.pool.interval
}
