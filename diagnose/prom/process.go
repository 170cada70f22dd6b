package prom

import (
	"context"
	"slices"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
)

// ofOneProcess is a store of which rate() and increase() count what was seen of one process, and nothing of what lies between two:
// Prometheus takes a fall for a start from 0 and counts all that the new process shows at its first page, which may be the work of days
// (another server behind the same address). A process is known by its start time, whatever its counters do; where that is hidden, a counter
// that falls tells of another one. All other functions, resets() among them, read what is stored.
type ofOneProcess struct{ Store }

func (s ofOneProcess) Querier(from, to int64) (storage.Querier, error) {
	querier, err := s.Store.Querier(from, to)
	return &processQuerier{Querier: querier}, err
}

type processQuerier struct {
	storage.Querier
	from, to int64 // the span of the known starts, which are nil at first: an expression asks for several rates over the same one
	known    map[processKey][]int64
}

// Select moves the samples of those functions that take a fall for a start.
func (q *processQuerier) Select(ctx context.Context, sorted bool, hints *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	if hints != nil {
		whole := *hints
		whole.DisableTrimming = true // the engine leaves out by itself what lies outside of its range, and at less cost
		hints = &whole
	}
	found := q.Querier.Select(ctx, sorted, hints, matchers...)
	if hints == nil || hints.Func != "rate" && hints.Func != "increase" {
		return found
	}
	starts, err := q.starts(ctx, hints)
	if err != nil {
		return storage.ErrSeriesSet(err)
	}
	return processSet{found, starts, hints.Start}
}

// processKey is what the series of one target have in common.
type processKey struct{ cluster, job, instance string }

func keyOf(lset labels.Labels) processKey {
	return processKey{lset.Get("cluster"), lset.Get(model.JobLabel), lset.Get(model.InstanceLabel)}
}

// starts are the times of the first pages of each target's new processes, in ms, for those that tell when their process started.
func (q *processQuerier) starts(ctx context.Context, hints *storage.SelectHints) (map[processKey][]int64, error) {
	if q.known != nil && q.from == hints.Start && q.to == hints.End {
		return q.known, nil
	}
	byName := labels.MustNewMatcher(labels.MatchEqual, model.MetricNameLabel, "process_start_time_seconds")
	found := q.Querier.Select(ctx, false, &storage.SelectHints{Start: hints.Start, End: hints.End, DisableTrimming: true}, byName)
	starts := map[processKey][]int64{}
	var it chunkenc.Iterator
	for found.Next() {
		key := keyOf(found.At().Labels())
		all := starts[key]
		it = found.At().Iterator(it)
		began, known := 0.0, false
		for kind := it.Seek(hints.Start); kind == chunkenc.ValFloat; kind = it.Next() {
			at, v := it.At()
			if at > hints.End {
				break
			}
			if v != v {
				continue // a stale marker
			}
			if known && v != began {
				all = append(all, at)
			}
			began, known = v, true
		}
		slices.Sort(all)
		starts[key] = all
	}
	q.from, q.to, q.known = hints.Start, hints.End, starts
	return starts, found.Err()
}

type processSet struct {
	storage.SeriesSet
	starts map[processKey][]int64
	from   int64 // in ms: what is older is in no range
}

// At is the next series, as it is stored where it is of one process.
func (s processSet) At() storage.Series {
	series := s.SeriesSet.At()
	starts, told := s.starts[keyOf(series.Labels())]
	if told && len(starts) == 0 {
		return series
	}
	moved, several := goOn(series, s.from, starts, !told)
	if !several {
		return series
	}
	return &storage.SeriesEntry{Lset: series.Labels(), SampleIteratorFn: func(chunkenc.Iterator) chunkenc.Iterator {
		return storage.NewListSeriesIterator(moved)
	}}
}

// goOn moves the samples of each new process of a series from a time on, so that they go on where those of the last one ended; several is
// false where there is one process only. A fall tells of a new one where falls is true.
func goOn(series storage.Series, from int64, starts []int64, falls bool) (moved samples, several bool) {
	var by float64 // what is added to the samples of this process
	var last sample
	known := false
	it := series.Iterator(nil)
	for kind := it.Seek(from); kind == chunkenc.ValFloat; kind = it.Next() {
		at, v := it.At()
		if v != v {
			continue // a stale marker, which is in no range
		}
		if known {
			switch i, _ := slices.BinarySearch(starts, last.at+1); {
			case i < len(starts) && starts[i] < at: // its process did not show it at the first page: it began at 0 later
				by, several = by+last.value, true
			case i < len(starts) && starts[i] == at, falls && v < last.value:
				by, several = by+last.value-v, true
			}
		}
		last, known = sample{at, v}, true
		moved = append(moved, sample{at, v + by})
	}
	return moved, several
}

// sample is a number at a time, in ms.
type sample struct {
	at    int64
	value float64
}

func (s sample) T() int64                      { return s.at }
func (s sample) ST() int64                     { return 0 }
func (s sample) F() float64                    { return s.value }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }

type samples []sample

func (s samples) Get(i int) chunks.Sample { return s[i] }
func (s samples) Len() int                { return len(s) }
