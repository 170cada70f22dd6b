package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
	"github.com/vllmscope/vllmscope/ui"
)

// tour is a running demo: a dashboard over one simulated fleet after the other.
type tour struct {
	*demoOptions
	stops  []stop
	stages chan *stage        // the one that was asked for last
	steps  chan time.Duration // intervals that the user has set
	looks  chan bool          // whether the screen shows every signal of the rules

	mu    sync.Mutex
	at    int // the stop that is shown; behind the last one is the end
	stage *stage
	step  time.Duration
}

// stop is a place of a tour: a fleet, what happened there and where to look.
type stop struct {
	scenario    simulate.Scenario
	title, text string
}

func newTour(d *demoOptions, stops []stop) *tour {
	return &tour{
		demoOptions: d, stops: stops, stages: make(chan *stage, 1), steps: make(chan time.Duration, 1), looks: make(chan bool, 1), step: time.Duration(d.interval),
	}
}

// show runs the dashboard until the user leaves it.
func (t *tour) show(ctx context.Context) error {
	first := t.enter()
	deeds := ui.Deeds{SetInterval: t.setInterval, ShowAll: func(on bool) { renew(t.looks, on) }}
	if len(t.stops) > 1 {
		deeds.Turn = t.turn
	}
	return t.screen(ctx, t.run, ui.Options{
		Reports: first.Reports, Caption: first.Caption, Waiting: "simulating the fleet's last quarter of an hour",
		Interval: t.step, Deeds: deeds,
	})
}

// run plays the stage that was asked for last until ctx ends.
func (t *tour) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case s := <-t.stages:
			if err := s.run(ctx); err != nil {
				return err
			}
		}
	}
}

// turn goes on or back by so many stops.
func (t *tour) turn(by int) (ui.Stop, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	to := t.at + by
	switch {
	case to < 0:
		return ui.Stop{}, errors.New("this is the first stop of the tour; n goes on")
	case to > len(t.stops):
		return ui.Stop{}, errors.New("the tour has ended; p goes back, q quits")
	}
	before := t.at
	t.at = to
	switch len(t.stops) {
	case to: // the last fleet goes on
		return ui.Stop{Caption: t.end()}, nil
	case before:
		return ui.Stop{Caption: t.caption(t.stage.now)}, nil
	}
	close(t.stage.left)
	return t.enter(), nil
}

// enter begins the stop that the tour is at.
func (t *tour) enter() ui.Stop {
	t.stage = &stage{
		demoOptions: t.demoOptions, scenario: t.stops[t.at].scenario, step: t.step, now: time.Now(), steps: t.steps, looks: t.looks,
		reports: make(chan *diagnose.Report, 1), left: make(chan struct{}),
	}
	renew(t.stages, t.stage)
	return ui.Stop{Caption: t.caption(t.stage.now), Reports: t.stage.reports}
}

// caption tells of the stop that the tour is at, whose demo began at a moment.
func (t *tour) caption(now time.Time) ui.Caption {
	s := t.stops[t.at]
	c := ui.Caption{Title: s.title, Text: s.text}
	if len(t.stops) > 1 {
		c.Title = fmt.Sprintf("tour %d of %d: %s", t.at+1, len(t.stops), s.title)
	}
	var remarks []string
	if s.scenario.Cause != "" {
		_, fault := t.span(now)
		remarks = append(remarks, "fault at "+fault.Format(time.TimeOnly))
	}
	if t.speed != 1 {
		remarks = append(remarks, fmt.Sprintf("clock × %g", t.speed))
	}
	c.Remark = strings.Join(remarks, " · ")
	return c
}

// end is what stands there behind the last stop.
func (t *tour) end() ui.Caption {
	return ui.Caption{
		Title: "end of the tour",
		Text: fmt.Sprintf("These were %d of the faults that demo --list names; demo NAME shows one, and vllmscope HOST:PORT watches a server of "+
			"yours. p goes back, q quits.", len(t.stops)),
	}
}

// setInterval changes how far scrapes and ticks are apart, in the fleet's time.
func (t *tour) setInterval(_ context.Context, d time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.step = d
	renew(t.steps, d)
	return nil
}
