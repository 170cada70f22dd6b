package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
)

// session is one run over some data: the only place where targets, pool, store, source and judge know each other.
type session struct {
	store    *scrape.Store
	source   *prom.Engine
	settings diagnose.Settings
	book     *diagnose.Book
	pool     *scrape.Pool // nil when the data is saved
	targets  []scrape.Target
	dir      string
	keep     time.Duration // how much history is judged
}

// fewTargets is up to how many targets memory is plenty.
const fewTargets = 8

// leastKept is what rules look back for all the time.
const leastKept = time.Hour

// keepSpan is how much history the store and the judge keep: what the user said, or by the number of targets, since the store of 64
// servers holds an hour in 140 MB.
func (o *options) keepSpan(targets int) time.Duration {
	switch {
	case o.keep > 0:
		return time.Duration(o.keep)
	case targets <= fewTargets:
		return 6 * time.Hour
	}
	return leastKept
}

// open makes the store and what reads from it. Saved pages are read at once; a pool begins with run.
func (o *options) open(ctx context.Context, p *plan) (*session, error) {
	set, err := o.settings(p.gpus)
	if err != nil {
		return nil, err
	}
	pace := p.pace(set.Step, o.exporters(p))
	set.Step = pace.step
	if err := o.addBaseline(ctx, &set); err != nil {
		return nil, err
	}
	keep := o.keepSpan(len(p.targets))
	if len(p.folders) > 0 {
		keep = 0
	}
	s, err := o.openStore(set, keep, pace.slowest)
	if err != nil {
		return nil, err
	}
	s.targets = p.targets
	if len(p.folders) > 0 {
		err = s.readFolders(p)
		s.keep = o.keepSpan(len(s.targets))
	} else {
		s.pool, err = scrape.NewPool(s.store, scrape.PoolOptions{
			Interval: time.Duration(o.interval), Timeout: time.Duration(o.timeout), AllowFast: o.fast, NoSideRequests: o.noSideRequests,
		})
	}
	if err != nil {
		return nil, errors.Join(asUsage(err), s.close())
	}
	return s, nil
}

// openStore makes the store in a directory of its own, and what reads from it: a sample stands for the present for as long as bridged.
func (o *options) openStore(set diagnose.Settings, keep, bridged time.Duration) (*session, error) {
	dir, err := os.MkdirTemp("", "vllmscope-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for the store: %w", err)
	}
	s := &session{settings: set, dir: dir, book: o.book(), keep: keep}
	if s.store, err = scrape.OpenRing(dir, keep, o.log.logger()); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.source = prom.NewEngine(s.store, set.Step).Bridging(bridged)
	return s, nil
}

// asUsage marks an error as one of the user's arguments where it is.
func asUsage(err error) error {
	if _, wrong := errors.AsType[*scrape.InputError](err); wrong {
		return usage("%w", allowing(err))
	}
	return err
}

// allowing names the flag that would allow what was refused.
func allowing(err error) error {
	if errors.Is(err, scrape.ErrTooFast) {
		return fmt.Errorf("%w; --fast allows it", err)
	}
	return err
}

// readFolders reads saved pages; those of exporters were named beside the servers, like addresses with --gpu.
func (s *session) readFolders(p *plan) error {
	var targets []scrape.Target
	err := scrape.Caught(func() (err error) {
		targets, err = scrape.ReadFolder(s.store, append(p.folders, p.gpuFolders...), s.settings.Step)
		return err
	})
	if err != nil {
		return err
	}
	s.targets = targets
	for _, t := range targets {
		if severalUndated(t) {
			s.settings.TimesAssumed = append(s.settings.TimesAssumed, t.Instance)
		}
	}
	for _, t := range targets[len(p.folders):] {
		s.settings.GPUTargets = append(s.settings.GPUTargets, t.Instance)
	}
	return nil
}

// newWatch judges what comes in, and what is there already.
func (s *session) newWatch() *diagnose.Watch {
	return diagnose.NewWatch(s.source, s.book, s.settings, s.keep)
}

// close ends the store and removes its directory.
func (s *session) close() error {
	return errors.Join(s.store.Close(), os.RemoveAll(s.dir))
}

// read opens a session and fills it: by scraping for a time, or from saved pages. It returns the moment to look at: the end, or the
// one that at names.
func (o *options) read(ctx context.Context, args []string, span time.Duration, at string) (*session, time.Time, error) {
	p, err := o.planFor(ctx, args)
	if err != nil {
		return nil, time.Time{}, err
	}
	if err := o.explainPlan(p); err != nil {
		return nil, time.Time{}, err
	}
	if advice := scrape.IntervalAdvice(o.between(p)); advice != "" && len(p.folders) == 0 {
		fmt.Fprintln(o.streams.err, "vllmscope:", advice) //nolint:errcheck // there is nowhere else to say it
	}
	s, err := o.open(ctx, p)
	if err != nil {
		return nil, time.Time{}, err
	}
	if remark := o.assumedTimes(s.targets); remark != "" {
		fmt.Fprintln(o.streams.err, "vllmscope:", remark) //nolint:errcheck // there is nowhere else to say it
	}
	var moment time.Time
	err = scrape.Caught(func() (err error) {
		moment, err = s.moment(ctx, span, at)
		return err
	})
	if err != nil {
		return nil, time.Time{}, errors.Join(err, s.close())
	}
	return s, moment, nil
}

// judge reads the data and judges the moment.
func (o *options) judge(ctx context.Context, args []string, span time.Duration, at string) (r *diagnose.Report, err error) {
	s, moment, err := o.read(ctx, args, span, at)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	r, err = diagnose.JudgeAt(ctx, s.source, s.book, s.settings, moment)
	if err == nil && r == nil {
		err = errNoTarget
	}
	if first, last, spanErr := s.source.Span(ctx); err == nil && spanErr == nil && first.Equal(last) {
		err = r.AddSinceStart(ctx, s.source)
	}
	return r, err
}

// moment is the time to look at: after scraping for a time, at the last saved page, or what at names.
func (s *session) moment(ctx context.Context, span time.Duration, at string) (time.Time, error) {
	if s.pool != nil {
		if at != "" {
			return time.Time{}, usage("--at looks into saved pages; for a running server leave it out")
		}
		return s.scrapeFor(ctx, span)
	}
	first, last, err := s.source.Span(ctx)
	if err != nil || at == "" {
		return last, err
	}
	return parseMoment(at, first, last)
}

// scrapeFor scrapes for a time and returns the moment up to which the data is then complete. Scraping has ended when it returns.
func (s *session) scrapeFor(ctx context.Context, d time.Duration) (at time.Time, err error) {
	scraping, cancel := context.WithCancel(ctx)
	failed := make(chan error, 1)
	go func() {
		defer cancel()
		failed <- scrape.Caught(func() error { return s.pool.Run(scraping, s.targets) })
	}()
	defer func() {
		cancel()
		err = errors.Join(err, <-failed)
	}()
	end := time.Now().Add(max(d, s.settings.Step+started))
	timer := time.NewTimer(time.Until(end))
	defer timer.Stop()
	for {
		select {
		case <-scraping.Done():
			return time.Time{}, ctx.Err()
		case <-s.pool.Done():
		case <-timer.C:
		}
		at := s.pool.Watermark()
		hopeless, err := s.hopeless(ctx, at)
		if err != nil || !at.Before(end) || hopeless {
			return at, err
		}
	}
}

// hopeless tells whether every target was asked twice and none has answered: then there is nothing to wait for.
func (s *session) hopeless(ctx context.Context, at time.Time) (bool, error) {
	tried, err := s.source.Range(ctx, "min(count_over_time(up[1m])) >= 2 and max(max_over_time(up[1m])) == 0", at, at, s.settings.Step)
	return len(tried) > 0, err
}

// started is how long it takes at most until every first scrape is under way.
const started = 200 * time.Millisecond
