package scrape

import (
	"math"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
)

// series is one series of a target that was seen before.
type series struct {
	ref    storage.SeriesRef // its place in the store; the store may forget it and give a new one
	labels labels.Labels
	round  uint64 // the last round in which it was shown
	alive  bool   // its last sample is no stale marker

	family    *family
	histogram *histogram // nil if it is no bucket
	bound     float64    // upper bound of the bucket
}

// seriesSet remembers the series of one target by their text on the page, so that a known series costs one look-up
// and no label is built again. It also knows which are alive, for stale markers exactly as Prometheus sets them: at
// the time of the first scrape that does not show a series, or that fails.
type seriesSet struct {
	byText map[string]*series
	byHash map[uint64]*series // two texts may mean one series: {a="1",b="2"} and {b="2",a="1"}
	round  uint64
	alive  int // series whose last sample is no stale marker
	shown  int // series shown in this round
}

func newSeriesSet() seriesSet {
	return seriesSet{byText: map[string]*series{}, byHash: map[uint64]*series{}}
}

// begin starts a new round: one scrape, whether it succeeds or not.
func (s *seriesSet) begin() {
	s.round++
	s.shown = 0
}

func (s *seriesSet) find(text []byte) *series { return s.byText[string(text)] }

// learn returns the series with these labels, new or known under another text.
func (s *seriesSet) learn(text []byte, lset labels.Labels, hash uint64) (_ *series, isNew bool) {
	known, found := s.byHash[hash]
	if !found {
		known = &series{labels: lset}
		s.byHash[hash] = known
	}
	s.byText[string(text)] = known
	return known, !found
}

// show appends the sample of a series in this round. The caller has made sure that it is the first.
func (s *seriesSet) show(app storage.Appender, known *series, at int64, v float64) error {
	ref, err := app.Append(known.ref, known.labels, at, v)
	if err != nil {
		return err
	}
	known.ref, known.round = ref, s.round
	s.shown++
	if !known.alive {
		known.alive = true
		s.alive++
	}
	return nil
}

// end sets a stale marker on each series that was alive and not shown in this round.
func (s *seriesSet) end(app storage.Appender, at int64) {
	if s.shown == s.alive {
		return // nothing vanished: the usual case, and worth not walking the map for
	}
	for _, known := range s.byHash {
		if !known.alive || known.round == s.round {
			continue
		}
		// An error can only mean that the series has a sample at or after this time, which then is the truth.
		_, _ = app.Append(known.ref, known.labels, at, math.Float64frombits(value.StaleNaN))
		known.alive = false
		s.alive--
	}
}

// forget drops the series that are not alive and all texts, so that churn does not grow the set for ever. What is alive
// is learned again at the next scrape.
func (s *seriesSet) forget() {
	clear(s.byText)
	for hash, known := range s.byHash {
		if !known.alive {
			delete(s.byHash, hash)
		}
	}
}
