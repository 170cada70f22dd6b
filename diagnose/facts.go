package diagnose

import (
	"math"
	"slices"
	"time"
)

// Facts are the values of signals at the ticks of one chunk, as columns over the ticks.
type Facts struct {
	catalogue *Catalogue
	settings  Settings
	resolver  *resolver
	ticks     []int64
	begin     time.Time // of the data
	subjects  map[Subject]*subjectFacts
	computed  [levels][]bool                  // those that were computed, by level and place
	up        map[targetKey][]float64         // the columns of up
	pages     map[targetKey][]float64         // the columns of scrapes
	began     map[targetKey][]float64         // the columns of first_page
	renewed   map[targetKey][]float64         // the columns of new_processes
	topology  []Topology                      // at each tick
	silent    [][]string                      // instances of the GPU exporters that do not answer, at each tick
	infos     map[string]infos                // by metric
	exported  map[string]map[targetKey][]bool // by family: which targets have it, where that was asked
}

// subjectFacts is what is known of one subject.
type subjectFacts struct {
	present []bool    // at which ticks it is there; nil where only a figure of it was met
	columns []*column // of the signals of its level, by their place
	across  []*column // of a server: the GPU signals over all its GPUs
	lineage lineage   // the subject itself and what it is part of
}

// column is a signal of one subject over the ticks. NaN is absent. low, high and n are nil where they say nothing: an exact
// value, nothing counted.
type column struct {
	value, low, high, n []float64
}

func newColumn(ticks int) *column {
	return &column{value: absentColumn(ticks)}
}

func absentColumn(ticks int) []float64 {
	values := make([]float64, ticks)
	for i := range values {
		values[i] = math.NaN()
	}
	return values
}

// targetKey identifies the target that a series came from. The namespace is left out: on a GPU's series it may be the workload's.
type targetKey struct{ cluster, job, instance string }

func keyOf(s Subject) targetKey { return targetKey{s.Cluster, s.Job, s.Instance} }

// index is the position of a tick, or -1.
func (f *Facts) index(tick int64) int {
	i, found := slices.BinarySearch(f.ticks, tick)
	if !found {
		return -1
	}
	return i
}

// isComputed tells whether a signal's values are there; those of settings and texts always are.
func (f *Facts) isComputed(s *Signal) bool {
	return f.computed[s.Level][s.place] || s.Setting != "" || s.Info != ""
}

// column is a signal's own column of a subject, nil when there is none.
func (f *Facts) column(s *Signal, subject Subject) *column {
	k := f.subjects[subject]
	if k == nil || k.columns == nil {
		return nil
	}
	return k.columns[s.place]
}

// fact is a signal's value at the i-th tick with all that is known about it.
func (v view) fact(s *Signal, i int) Fact {
	fact := Fact{Signal: s, Subject: v.subject, Value: v.read(s, i), N: math.NaN(), Words: v.text(s, i)}
	fact.Low, fact.High = fact.Value, fact.Value
	c := v.column(s, i)
	if c != nil && c.low != nil {
		fact.Low, fact.High = c.low[i], c.high[i]
	}
	if c != nil && c.n != nil {
		fact.N = c.n[i]
	} else if s.Count != "" {
		fact.N = v.value(s.Count, i)
	}
	if math.IsNaN(fact.Value) {
		fact.Absence = v.absence(s, i)
	}
	if target, ok := v.targetOf(s, i); ok && fact.Absence == NotExported && s.Formula == "" {
		fact.Missing = v.missing(s, target, i)
	}
	return fact
}

// watched is the part of the rate window of which something is known: that from the first page on, less what lies between the last page
// of one process and the first of the next. A rate counts what it saw against the whole window, extended by half an interval before the
// first sample; so one of a target that is new, or was away, is measured against that. The intervals are those of the samples: the user
// may have changed the step since. It is 0 where no two pages are of one process.
func (f *Facts) watched(subject Subject, i int) time.Duration {
	window, key := f.settings.window(0), keyOf(subject)
	n, first := f.pages[key], f.began[key]
	if n == nil || first == nil || math.IsNaN(n[i]) || math.IsNaN(first[i]) {
		return window
	}
	span := time.Duration(f.ticks[i])*time.Millisecond - time.Duration(first[i]*float64(time.Second))
	if f.restarted(key, i) {
		return time.Duration(float64(f.extended(span, n[i])) * min(1, float64(f.settings.Step)*f.intervals(key, i)/float64(span)))
	}
	return f.extended(span, n[i])
}

// extended is the span of n pages as a rate takes it: with half an interval before the first, or the whole window where that is as near.
func (f *Facts) extended(span time.Duration, n float64) time.Duration {
	window, half := f.settings.window(0), f.settings.Step/2
	if span >= window-f.settings.Step {
		return window
	}
	if n >= 2 {
		half = time.Duration(float64(span) / (n - 1) / 2)
	}
	return max(f.settings.Step/2, span+half)
}

// restarted tells whether pages of several processes came in the window.
func (f *Facts) restarted(key targetKey, i int) bool {
	renewed := f.renewed[key]
	return renewed != nil && renewed[i] > 0
}

// intervals is how many pages of the window came after another one of the same process; NaN where there is no such target, as of a model.
func (f *Facts) intervals(key targetKey, i int) float64 {
	n := f.pages[key]
	if n == nil {
		return math.NaN()
	}
	if f.restarted(key, i) {
		return n[i] - 1 - f.renewed[key][i]
	}
	return n[i] - 1
}

// text is what a series of ours says in words, or what the value means.
func (v view) text(s *Signal, i int) string {
	if s.Info != "" {
		for _, ls := range v.infos[s.Info].at(v.subject, v.ticks[i]) {
			return Plain(ls.Get(s.Label))
		}
	}
	if s.Who.Of != "" {
		return v.who(s.Who, i)
	}
	if shape := v.settings.Shapes[v.subject.Model]; s.Setting == "shape_parameters" && shape != nil {
		return shape.String()
	}
	if s.Words == nil {
		return ""
	}
	if value := v.read(s, i); !math.IsNaN(value) {
		return s.Words[int(value)]
	}
	return ""
}

// has tells whether a subject is present at the i-th tick.
func (f *Facts) has(subject Subject, i int) bool {
	k := f.subjects[subject]
	return k != nil && k.isPresent(i)
}

// presentAt lists the subjects of a level that are present at the i-th tick, in order.
func (f *Facts) presentAt(level Level, i int) []Subject {
	var found []Subject
	for s, k := range f.subjects {
		if s.Level == level && k.isPresent(i) {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, Subject.Compare)
	return found
}

// recent are the newest chunks of facts, in the order in which they were computed. Facts never change once they are computed, so
// that reports share them.
type recent []*Facts

// fact is a signal's fact at a tick; without a value when none is kept.
func (r recent) fact(s *Signal, subject Subject, tick int64) Fact {
	if f, i := r.at(s, tick); f != nil {
		return f.of(subject).fact(s, i)
	}
	return noFact(s, subject)
}

// value is a signal's value at a tick, NaN when it is absent or none is kept.
func (r recent) value(s *Signal, subject Subject, tick int64) float64 {
	if f, i := r.at(s, tick); f != nil {
		return f.of(subject).read(s, i)
	}
	return math.NaN()
}

// noFact is the fact of which nothing is known.
func noFact(s *Signal, subject Subject) Fact {
	nan := math.NaN()
	return Fact{Signal: s, Subject: subject, Value: nan, Low: nan, High: nan, N: nan, Absence: Blank}
}

// has tells whether a subject is present at a tick.
func (r recent) has(subject Subject, tick int64) bool {
	return slices.ContainsFunc(r, func(f *Facts) bool {
		i := f.index(tick)
		return i >= 0 && f.has(subject, i)
	})
}

// at finds the facts that have a signal at a tick: the first ones, which rules were judged by and which know why one is absent.
func (r recent) at(s *Signal, tick int64) (*Facts, int) {
	for _, f := range r {
		if i := f.index(tick); i >= 0 && f.isComputed(s) {
			return f, i
		}
	}
	return nil, 0
}
