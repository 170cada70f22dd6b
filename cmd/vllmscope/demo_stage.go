package main

import (
	"context"
	"errors"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// stage is one simulated fleet on the dashboard. It is scraped and judged tick by tick in the fleet's own time, so that rates and times
// are the fleet's however fast that runs. A machine that is too slow for the speed makes the clock slower, and no figure wrong.
type stage struct {
	*demoOptions
	scenario simulate.Scenario
	step     time.Duration // between two scrapes, and two ticks
	now      time.Time     // when the demo of it begins
	reports  chan *diagnose.Report
	steps    <-chan time.Duration // intervals that the user sets
	looks    <-chan bool          // whether the screen shows every signal of the rules
	watch    *diagnose.Watch
	all      bool          // the last of looks
	left     chan struct{} // closed when it is left
}

// run plays until it is left or ctx ends.
func (s *stage) run(ctx context.Context) (err error) {
	fleet, begin, err := s.build(s.scenario, s.now)
	if err != nil {
		return err
	}
	session, err := s.openStage(fleet)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.close()) }()
	scrapers := newScrapers(session, fleet)
	s.watch = session.newWatch()
	for at, goesOn := next(begin, s.step), true; goesOn && err == nil; at, goesOn, err = s.wait(ctx, at) {
		if err := scrapers.scrape(fleet, at); err != nil {
			return err
		}
		if session.settings.Step != s.step {
			session.settings.Step, session.source = s.step, prom.NewEngine(session.store, s.step)
			s.watch = session.newWatch()
			s.watch.ShowAll(s.all)
		}
		if next(at, s.step).After(s.now) { // what was before is judged in one go
			if err := s.judge(ctx, at); err != nil {
				return err
			}
		}
	}
	return err
}

// wait returns the tick after a moment when the fleet's clock shows it; it does not go on when the stage is left.
func (s *stage) wait(ctx context.Context, at time.Time) (tick time.Time, goesOn bool, err error) {
	for {
		tick = next(at, s.step)
		select {
		case <-ctx.Done():
			return tick, false, nil
		case <-s.left:
			return tick, false, nil
		case s.step = <-s.steps:
		case s.all = <-s.looks:
			if err := showAll(ctx, s.watch, s.all, func(r *diagnose.Report) { renew(s.reports, r) }); err != nil {
				return tick, false, err
			}
		case <-time.After(s.until(tick)):
			return tick, true, nil
		}
	}
}

// judge hands over the report of a tick.
func (s *stage) judge(ctx context.Context, at time.Time) error {
	r, err := s.watch.Advance(ctx, at)
	if err != nil && ctx.Err() == nil {
		return err
	}
	if r != nil {
		renew(s.reports, r)
	}
	return nil
}

// next is the first multiple of the step after a moment.
func next(at time.Time, step time.Duration) time.Time { return at.Add(untilTick(at, step)) }

// until is how long it is in real time until the fleet's clock shows a moment.
func (s *stage) until(at time.Time) time.Duration {
	return time.Duration(float64(at.Sub(s.now))/s.speed) - time.Since(s.now)
}

// openStage makes the store for a fleet. The objective is the one that suits the load unless the user gave one.
func (s *stage) openStage(fleet *simulate.Fleet) (*session, error) {
	targets, gpus, err := targetsOf(fleet)
	if err != nil {
		return nil, err
	}
	o := *s.options
	if !s.sloGiven {
		o.slo = s.scenario.SLO
	}
	set, err := o.settings(gpus)
	if err != nil {
		return nil, err
	}
	set.Step = s.step
	session, err := o.openStore(set, o.keepSpan(len(targets)), s.step)
	if err != nil {
		return nil, err
	}
	session.targets = targets
	return session, nil
}

// targetsOf are the targets of a fleet under the names that they have there, and those of them that are exporters of GPUs.
func targetsOf(fleet *simulate.Fleet) (targets, gpus []scrape.Target, err error) {
	for _, t := range fleet.Targets() {
		target, err := scrape.NewTarget(t.Name)
		if err != nil {
			return nil, nil, err
		}
		targets = append(targets, target)
		if t.Kind == "dcgm" {
			gpus = append(gpus, target)
		}
	}
	return targets, gpus, nil
}

// scrapers write what the targets of a fleet answer.
type scrapers struct {
	targets []simulate.Target
	writers []*scrape.Writer
	timeout time.Duration
}

func newScrapers(s *session, fleet *simulate.Fleet) *scrapers {
	all := &scrapers{targets: fleet.Targets(), timeout: scrape.DefaultTimeout}
	for _, t := range s.targets {
		all.writers = append(all.writers, scrape.NewWriter(s.store, t))
	}
	return all
}

// scrape looks at all targets when the fleet's clock shows a moment.
func (s *scrapers) scrape(fleet *simulate.Fleet, at time.Time) error {
	fleet.AdvanceTo(at)
	for i, t := range s.targets {
		answer, err := fleet.Get(t.Name)
		if err != nil {
			return err
		}
		if _, err := s.writers[i].Write(scrapeOf(at, t, answer, s.timeout)); err != nil {
			return err
		}
	}
	return nil
}

// scrapeOf is what a scraper sees of an answer.
func scrapeOf(at time.Time, target simulate.Target, answer simulate.Answer, timeout time.Duration) scrape.Scrape {
	s := scrape.Scrape{At: at, Duration: answer.After, Timeout: timeout, Page: answer.Page, ContentType: target.ContentType}
	switch {
	case answer.Refused:
		s.Page, s.Err = nil, &scrape.Failure{Class: scrape.ClassRefused, Target: target.Name, Sentence: "connection refused"}
	case answer.After > timeout:
		s.Page, s.Duration, s.Err = nil, timeout, &scrape.Failure{
			Class: scrape.ClassTimeout, Target: target.Name, Sentence: "no answer within " + diagnose.Duration(timeout),
		}
	}
	return s
}
