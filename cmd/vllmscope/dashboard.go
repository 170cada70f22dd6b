package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/scrape"
	"github.com/vllmscope/vllmscope/ui"
)

// dashboard runs the screen over running servers, or over the last moment of saved pages.
func (o *options) dashboard(ctx context.Context, args []string) error {
	if err := o.needsTerminal(); err != nil {
		return err
	}
	p, err := o.planFor(ctx, args)
	if err != nil {
		return err
	}
	if p.found != nil && len(p.targets) == 0 {
		return o.explainPlan(p)
	}
	return newLive(o, p).show(ctx)
}

func (o *options) needsTerminal() error {
	switch {
	case !o.streams.terminal:
		return usage("the dashboard needs a terminal; vllmscope check prints one diagnosis")
	case o.env["TERM"] == "dumb":
		return usage("this terminal is dumb (TERM=dumb), and the dashboard needs one whose cursor it can move; vllmscope check prints one diagnosis")
	}
	return nil
}

// show runs the screen over a live session until the user leaves it, ctx ends, or the data fails.
func (l *live) show(ctx context.Context) error {
	return l.screen(ctx, l.run, ui.Options{
		Reports: l.reports, Waiting: waiting(l.plan), Interval: l.between(l.plan), Advice: scrape.IntervalAdvice, Deeds: l.deeds(),
	})
}

// screen runs the screen until the user leaves it, ctx ends, or what runs beside it fails. That has ended and the screen is gone when it
// returns.
func (o *options) screen(ctx context.Context, beside func(context.Context) error, screen ui.Options) error {
	theme, err := o.screenTheme()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := scrape.Caught(func() error { return beside(ctx) }); err != nil {
			cancel(err)
		}
	}()
	defer func() {
		cancel(nil)
		<-ended
	}()
	screen.ASCII, screen.NoColor, screen.Theme = o.ascii || !o.env.draws(), o.env["NO_COLOR"] != "", theme
	screen.Input, screen.Output = o.streams.in, o.streams.out
	shown := ui.Run(ctx, screen)
	if failed := context.Cause(ctx); failed != nil && !errors.Is(failed, context.Canceled) {
		return failed
	}
	return shown
}

// waiting is what the screen says before the first report.
func waiting(p *plan) string {
	if len(p.folders) > 0 {
		return "reading saved pages"
	}
	if n := len(p.targets); n > 1 {
		return fmt.Sprintf("waiting for the first scrape of %d targets", n)
	}
	return "waiting for the first scrape of " + p.targets[0].String()
}

// between is how far reports are apart; 0 where there is only one.
func (o *options) between(p *plan) time.Duration {
	if len(p.folders) > 0 {
		return 0
	}
	return p.pace(time.Duration(o.interval), o.exporters(p)).step
}

// screenTheme reads --theme.
func (o *options) screenTheme() (ui.Theme, error) {
	var names []string
	for t := ui.Auto; t <= ui.Mono; t++ {
		if t.String() == o.theme {
			return t, nil
		}
		names = append(names, t.String())
	}
	return 0, usage("--theme %q: choose one of %s", o.theme, strings.Join(names, ", "))
}
