package diagnose

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
)

// One page alone has no rates. What it can say is what its counters came to since the process started: that is worth showing,
// labelled, and worth nothing as a verdict, since an incident of last week looks like one of now.

// sinceStart replaces every rate and increase of an expression by the counter itself, divided by the uptime where the figure is one
// a second. Without a start time of the process such a figure stays unknown.
func sinceStart(tree parser.Expr, perSecond bool) (rewritten parser.Expr, err error) {
	replace := func(e parser.Expr) parser.Expr {
		call, ok := e.(*parser.Call)
		if !ok || call.Func.Name != "rate" && call.Func.Name != "increase" {
			return e
		}
		text := call.Args[0].(*parser.MatrixSelector).VectorSelector.String()
		if perSecond {
			text = "(" + text + " / on(" + targetLabels + ") group_left() (time() - max by(" + targetLabels + ") (process_start_time_seconds)))"
		}
		replaced, parseErr := promqlParser.ParseExpr(text)
		if parseErr != nil {
			err = parseErr
		}
		return replaced
	}
	return edit(tree, replace), err
}

// AddSinceStart gives a report of a single page the figures since the start of each process, for Figure to return.
func (r *Report) AddSinceStart(ctx context.Context, src Source) error {
	set := r.Settings
	set.lifetime = true
	facts, err := compute(ctx, src, r.book.Catalogue, set, slices.Concat(r.book.Shown, workSignals), r.Time, r.Time.Add(time.Millisecond))
	if err == nil {
		r.sinceStart = recent{facts}
	}
	return err
}

// SinceStart tells whether the report's figures are averages since the start of the processes.
func (r *Report) SinceStart() bool { return r.sinceStart != nil }

// Figure is a shown signal's value for people to read: over the screen's window, or since the start where the report rests on one
// page.
func (r *Report) Figure(id string, subject Subject) Fact {
	if r.sinceStart != nil {
		return r.sinceStart.fact(r.book.Signal(id), subject, r.Time.UnixMilli())
	}
	return r.inWindow(id, subject)
}

// inWindow is a shown signal's value over the screen's window.
func (r *Report) inWindow(id string, subject Subject) Fact {
	if f, _ := r.figures.at(r.book.Signal(id), r.Time.UnixMilli()); f != nil {
		return r.figures.fact(r.book.Signal(id), subject, r.Time.UnixMilli())
	}
	return r.Fact(id, subject)
}
