package scrape

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
)

// Writer turns the scrapes of one target into samples. The pool uses one for each target, and so does [ReadFolder]; a
// caller with a time of its own, such as a simulation, can use it directly. It is not safe for concurrent use.
type Writer struct {
	store  *Store
	target Target
	labels []labels.Label // of the target, sorted by name

	exposed    seriesSet // what the page shows
	own        seriesSet // what we write about it
	families   map[string]*family
	histograms map[uint64]*histogram
	touched    []*histogram // with buckets in this round
	budget     budget

	lastTime   int64  // of the last scrape, in ms
	lastPage   uint64 // round of the last page that was not empty
	lastFilled int64  // time of the last page with samples, in ms
	kind       Kind
	told       Class             // of the failure that was logged last, empty when none is
	noted      map[string]string // details of the notes of the last scrape, by name
	key        []byte            // scratch
}

// NewWriter returns a writer of the scrapes of target.
func NewWriter(store *Store, target Target) *Writer {
	w := &Writer{
		store: store, target: target, kind: target.Kind,
		exposed: newSeriesSet(), own: newSeriesSet(),
		families: map[string]*family{}, histograms: map[uint64]*histogram{},
	}
	all := map[string]string{}
	maps.Copy(all, target.Labels)
	all[model.JobLabel], all[model.InstanceLabel] = target.Job, target.Instance
	for _, name := range slices.Sorted(maps.Keys(all)) {
		w.labels = append(w.labels, labels.Label{Name: name, Value: all[name]})
	}
	for _, name := range syntheticNames {
		w.ownSeries(name) // known from the start, so that a page cannot claim them
	}
	return w
}

// Write appends one scrape; a page that makes us panic counts as a failed one. An error means that it is not later than
// all before, or that the store is broken.
func (w *Writer) Write(s Scrape) (outcome Outcome, err error) {
	at := s.At.UnixMilli()
	if at <= w.lastTime {
		return Outcome{}, fmt.Errorf("write scrape of %s: its time %s is not after the last", w.target, s.At.UTC().Format(time.RFC3339Nano))
	}
	w.lastTime = at
	if w.budget.renew(at, w.store.keep) {
		w.forget()
	}
	broken := Caught(func() error {
		outcome, err = w.write(s)
		return nil
	})
	if broken != nil && s.Err == nil {
		s.Page, s.Err = nil, ownFailure(broken)
		outcome, err = w.write(s)
		w.forget() // what was half learned
	} else {
		err = errors.Join(err, broken)
	}
	if err == nil { // else nothing is known of the scrape
		w.tell(outcome, s.At)
	}
	return outcome, err
}

// tell logs that scrapes begin to fail, fail in another way, or succeed again: a target that is down for a day is one line.
func (w *Writer) tell(o Outcome, at time.Time) {
	var class Class
	if o.Err != nil {
		class = o.Err.Class
	}
	if class == w.told {
		return
	}
	w.told = class
	log := w.store.log.With("target", w.target.URL, "at", at.UTC())
	switch {
	case class == "":
		log.Warn("scrapes succeed again") // as loud as the failure that it ends
	case o.Err.Cause != nil:
		log.Error("scrapes fail", "class", class, "error", o.Err.Cause)
	default:
		log.Warn("scrapes fail", "class", class, "error", o.Err.Sentence)
	}
}

// write appends a scrape whose time stands. Of one that panics nothing is kept.
func (w *Writer) write(s Scrape) (Outcome, error) {
	at := s.At.UnixMilli()
	w.exposed.begin()
	w.own.begin()
	w.touched = w.touched[:0]

	app := w.store.appender()
	defer func() { _ = app.Rollback() }() // which does nothing after the commit
	p := pass{w: w, app: app, at: at, notes: slices.Clone(s.notes)}
	r := report{size: len(s.Page), failure: s.Err}
	if s.Err == nil {
		r.bad, r.failure = p.read(s)
		w.settle(&p, r, s.facts)
	} else if s.Err.Class == ClassTooBig {
		r.size = -1
	}
	if r.failure != nil {
		r.failure.Target = w.target.URL
	}
	w.exposed.end(app, at)
	w.report(app, s, &p, r)
	w.own.end(app, at)
	if err := app.Commit(); err != nil {
		return Outcome{}, fmt.Errorf("write scrape of %s: %w", w.target, err)
	}
	return Outcome{
		Up: r.up(), Err: r.failure, Kind: w.kind, Samples: p.scraped, started: p.started, http: p.http,
	}, w.store.tick(at)
}

// settle keeps what the next scrape needs to know of a page that came.
func (w *Writer) settle(p *pass, r report, f facts) {
	if p.scraped > 0 {
		w.lastFilled = p.at
	}
	if r.up() && r.size > 0 {
		w.lastPage = w.exposed.round
	}
	switch {
	case w.target.Kind == KindNvidiaSMI:
	case f.vllm && p.http:
		w.kind = KindVLLM
	case p.named != "":
		w.kind = p.named
	case p.scraped > 0:
		w.kind = KindOther
	}
}

// forget drops what is gone, so that churn does not grow the writer for ever.
func (w *Writer) forget() {
	w.exposed.forget()
	w.own.forget()
	maps.DeleteFunc(w.families, func(_ string, f *family) bool { return f.round != w.exposed.round })
	maps.DeleteFunc(w.histograms, func(_ uint64, h *histogram) bool { return h.round != w.exposed.round })
}
