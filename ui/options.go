package ui

import (
	"context"
	"io"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Options are what a dashboard is made of.
type Options struct {
	// Reports brings what to draw. A channel of size 1 whose sender replaces a report that was not taken yet keeps the screen at the
	// newest. Closed, it says that the data has ended.
	Reports <-chan *diagnose.Report
	// Waiting is what stands there before the first report: "waiting for the first scrape of 3 targets".
	Waiting string
	// Interval is how far reports are apart; a source that is silent for twice as long is shown as late.
	Interval time.Duration
	// Advice says what speaks against an interval, "" when nothing does; it may be nil.
	Advice func(time.Duration) string
	// Deeds are what keys can do outside the screen.
	Deeds Deeds
	// Caption says below the page what is shown; the empty one takes no room.
	Caption Caption
	// Theme is the set of colours to start with.
	Theme Theme
	// NoColor leaves colours out for good (NO_COLOR).
	NoColor bool
	// ASCII draws nothing that a terminal without UTF-8 or without the glyphs could not.
	ASCII bool
	// Location is where clock times are told for; nil is the machine's own.
	Location *time.Location
	// Input and Output replace the terminal; nil for the terminal.
	Input  io.Reader
	Output io.Writer
}

// Deeds are what keys can do outside the screen. A nil one disables its key, which then is in no help. They run beside the screen
// and are given up after ten seconds.
type Deeds struct {
	// ScrapeNow asks every target at once, out of turn.
	ScrapeNow func(context.Context) error
	// SetInterval changes how far scrapes are apart.
	SetInterval func(context.Context, time.Duration) error
	// ShowAll has every signal of the rules computed, or no more than verdicts need. It returns at once; reports that follow have them.
	ShowAll func(on bool)
	// Turn goes so many stops on in a tour, back if negative. It returns at once; the error says why there is no such stop.
	Turn func(by int) (Stop, error)
}

// setInterval is the deed of setting one interval.
func (d Deeds) setInterval(interval time.Duration) func(context.Context) error {
	return func(ctx context.Context) error { return d.SetInterval(ctx, interval) }
}
