package prom

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Engine evaluates PromQL over a store in this process.
type Engine struct {
	engine   *promql.Engine
	store    Store
	lookback time.Duration
}

// Store is what the engine reads from.
type Store interface {
	storage.Queryable
	// Span tells the times of the first and the last sample in milliseconds; ok is false when there is none.
	Span() (first, last int64, ok bool)
}

const (
	maxSamples   = 50_000_000 // Prometheus's default: one evaluation holds 0.8 GB at most
	queryTimeout = time.Minute
)

// Lookback is how long a sample stands for the present: two and a half intervals, so that one lost scrape is bridged and a gap in a
// recording is not, and 15 s at least.
func Lookback(interval time.Duration) time.Duration {
	return max(15*time.Second, interval*5/2)
}

// NewEngine makes an engine over a store whose samples are an interval apart.
func NewEngine(store Store, interval time.Duration) *Engine {
	return &Engine{
		engine: promql.NewEngine(promql.EngineOpts{
			MaxSamples: maxSamples, Timeout: queryTimeout, EnableAtModifier: true, EnableNegativeOffset: true,
			NoStepSubqueryIntervalFn: func(int64) int64 { return interval.Milliseconds() }, Parser: newRemembering(),
		}),
		store: ofOneProcess{store}, lookback: Lookback(interval),
	}
}

// Bridging lets a sample stand for the present for as long as a target needs that is scraped at such an interval.
func (e *Engine) Bridging(slowest time.Duration) *Engine {
	e.lookback = max(e.lookback, Lookback(slowest))
	return e
}

// Range evaluates an expression at from, from+step, … to.
func (e *Engine) Range(ctx context.Context, expr string, from, to time.Time, step time.Duration) ([]diagnose.Series, error) {
	query, err := e.engine.NewRangeQuery(ctx, e.store, promql.NewPrometheusQueryOpts(false, e.lookback, nil), expr, from, to, step)
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", expr, err)
	}
	defer query.Close()
	result := query.Exec(ctx)
	if result.Err != nil {
		return nil, fmt.Errorf("expression %q: %w", expr, result.Err)
	}
	matrix, err := result.Matrix()
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", expr, err)
	}
	return seriesOf(matrix), nil
}

// seriesOf copies what a query gave, which the engine takes back when the query is closed.
func seriesOf(matrix promql.Matrix) []diagnose.Series {
	all, points := make([]diagnose.Series, len(matrix)), make([]diagnose.Point, 0, matrix.TotalSamples())
	for i, one := range matrix {
		begin := len(points)
		for _, p := range one.Floats {
			points = append(points, diagnose.Point{Time: p.T, Value: p.F})
		}
		all[i] = diagnose.Series{Labels: one.Metric, Points: points[begin:len(points):len(points)]}
	}
	return all
}

// Names lists the metric names with a sample shortly before a moment, and those that the head of the store still knows from before:
// without matchers it does not look at the time.
func (e *Engine) Names(ctx context.Context, at time.Time) ([]string, error) {
	return e.LabelValues(ctx, model.MetricNameLabel, at)
}

// LabelValues lists the values of a label in the same way.
func (e *Engine) LabelValues(ctx context.Context, label string, at time.Time) ([]string, error) {
	querier, err := e.store.Querier(at.Add(-e.lookback).UnixMilli(), at.UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("values of label %s: %w", label, err)
	}
	values, _, err := querier.LabelValues(ctx, label, nil)
	if err = errors.Join(err, querier.Close()); err != nil {
		return nil, fmt.Errorf("values of label %s: %w", label, err)
	}
	return values, nil
}

// Span tells the first and the last moment with a sample.
func (e *Engine) Span(context.Context) (first, last time.Time, err error) {
	begin, end, ok := e.store.Span()
	if !ok || begin == math.MaxInt64 {
		return time.Time{}, time.Time{}, nil
	}
	return time.UnixMilli(begin), time.UnixMilli(end), nil
}

// Interface guard.
var _ diagnose.Source = (*Engine)(nil)
