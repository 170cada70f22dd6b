package main

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
	"github.com/vllmscope/vllmscope/ui"
)

// live scrapes and judges beside the screen. The store opens here, after the first frame.
type live struct {
	*options
	plan    *plan
	reports chan *diagnose.Report
	session *session
	offered time.Time          // the time of the last report
	ready   chan struct{}      // closed when the session is open
	pacing  sync.Mutex         // held while pool and ticks get another interval
	steps   chan time.Duration // intervals that the user has set
	looks   chan bool          // whether the screen shows every signal of the rules
}

func newLive(o *options, p *plan) *live {
	return &live{
		options: o, plan: p, reports: make(chan *diagnose.Report, 1), ready: make(chan struct{}), steps: make(chan time.Duration, 1), looks: make(chan bool, 1),
	}
}

// run works until ctx ends. Whatever happens, a panic included, scraping has ended and the store is gone when it returns.
func (l *live) run(ctx context.Context) (err error) {
	s, err := l.open(ctx, l.plan)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	l.session = s
	close(l.ready)
	if l.env["GOGC"] == "" {
		debug.SetGCPercent(garbagePercent(len(s.targets)))
	}
	if s.pool == nil {
		return l.last(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	scraped := make(chan error, 1)
	go func() {
		defer cancel()
		scraped <- scrape.Caught(func() error { return s.pool.Run(ctx, s.targets) })
	}()
	defer func() {
		cancel()
		err = errors.Join(err, <-scraped)
	}()
	return l.judge(ctx)
}

// garbagePercent is Go's GOGC by the number of targets. A few servers need little memory, and collecting half as often takes a sixth
// of the CPU time away; for a fleet memory is what is scarce, and the CPU time is the same (docs/performance.md).
func garbagePercent(targets int) int {
	if targets <= fewTargets {
		return 200
	}
	return 50
}

// judge hands over a report for every tick as soon as its data is complete.
func (l *live) judge(ctx context.Context) error {
	s := l.session
	w, all := l.watch(), false
	for ctx.Err() == nil {
		at := s.pool.Watermark()
		r, err := w.Advance(ctx, at)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if r != nil {
			l.offer(r)
			l.askHealth(r)
		}
		next := time.NewTimer(untilTick(at, s.settings.Step))
		select {
		case <-ctx.Done():
		case <-s.pool.Done():
		case <-next.C:
		case interval := <-l.steps:
			pace := l.plan.pace(interval, l.exporters(l.plan))
			s.settings.Step, s.source = pace.step, prom.NewEngine(s.store, pace.step).Bridging(pace.slowest)
			w = l.watch()
			w.ShowAll(all)
		case all = <-l.looks:
			if err := showAll(ctx, w, all, l.offer); err != nil {
				return err
			}
		}
		next.Stop()
	}
	return nil
}

func (l *live) watch() *diagnose.Watch { return l.session.newWatch() }

// showAll has a watch compute every signal of the rules from now on, and hands over the last report with them at once.
func showAll(ctx context.Context, w *diagnose.Watch, on bool, offer func(*diagnose.Report)) error {
	w.ShowAll(on)
	r, err := w.Again(ctx)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if r != nil {
		offer(r)
	}
	return nil
}

// untilTick is how long it is to the first multiple of the step after a moment.
func untilTick(at time.Time, step time.Duration) time.Duration {
	return step - time.Duration(at.UnixNano())%step
}

// offer puts the newest report where the screen takes it from, in place of one that it has not taken. After a change of the interval
// the next tick may lie before the last one: time never runs back.
func (l *live) offer(r *diagnose.Report) {
	if r.Time.Before(l.offered) {
		return
	}
	l.offered = r.Time
	renew(l.reports, r)
}

// renew puts something into a channel of size 1, in place of what nobody took.
func renew[T any](channel chan T, newest T) {
	select {
	case <-channel:
	default:
	}
	channel <- newest
}

// askHealth has /health asked of the servers that seem to have stopped, which is a reading for the next judgement.
func (l *live) askHealth(r *diagnose.Report) {
	for _, instance := range r.HealthWanted() {
		l.session.pool.AskHealth(instance)
	}
}

// last judges the last moment of saved pages.
func (l *live) last(ctx context.Context) error {
	_, end, err := l.session.source.Span(ctx)
	if err != nil {
		return err
	}
	w := l.watch()
	w.ShowAll(true)
	r, err := w.Advance(ctx, end)
	if err != nil {
		return err
	}
	if r != nil {
		l.offer(r)
	}
	close(l.reports)
	return nil
}

// deeds are what keys can do here: nothing over saved pages.
func (l *live) deeds() ui.Deeds {
	if len(l.plan.folders) > 0 {
		return ui.Deeds{}
	}
	return ui.Deeds{ScrapeNow: l.scrapeNow, SetInterval: l.setInterval, ShowAll: func(on bool) { renew(l.looks, on) }}
}

func (l *live) scrapeNow(ctx context.Context) error {
	if err := l.opened(ctx); err != nil {
		return err
	}
	l.session.pool.ScrapeNow()
	return nil
}

// setInterval changes the interval of scraping, and with it the ticks of judgement.
func (l *live) setInterval(ctx context.Context, d time.Duration) error {
	if err := l.opened(ctx); err != nil {
		return err
	}
	l.pacing.Lock() // of two keys in a row the same one counts for both
	defer l.pacing.Unlock()
	if err := l.session.pool.SetInterval(d); err != nil {
		return allowing(err)
	}
	renew(l.steps, d)
	return nil
}

// opened waits until the session is open.
func (l *live) opened(ctx context.Context) error {
	select {
	case <-l.ready:
		return nil
	case <-ctx.Done():
		return errors.New("the store is not open yet; try again")
	}
}
