package diagnose

import (
	"context"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// Source answers PromQL. It may be the embedded store or somebody's Prometheus.
type Source interface {
	// Range evaluates the expression at from, from+step, … up to and including to. A series has no point where the
	// expression has no value.
	Range(ctx context.Context, expr string, from, to time.Time, step time.Duration) ([]Series, error)
	// Names lists the metric names that may have a sample shortly before a moment: all that have one, and possibly older ones.
	Names(ctx context.Context, at time.Time) ([]string, error)
	// LabelValues lists the values of a label in the same way.
	LabelValues(ctx context.Context, label string, at time.Time) ([]string, error)
	// Span tells the first and the last moment with a sample; both are zero when there is none.
	Span(ctx context.Context) (first, last time.Time, err error)
}

// Series is one time series of an answer.
type Series struct {
	Labels labels.Labels
	Points []Point
}

// Point is a value at a moment, in milliseconds since the epoch.
type Point struct {
	Time  int64
	Value float64
}
