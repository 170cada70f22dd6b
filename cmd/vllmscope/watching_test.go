package main

import (
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// watching is how a simulated fleet is watched.
type watching struct {
	scenario    simulate.Scenario
	seed        uint64
	set         diagnose.Settings
	length      time.Duration // after the onset, which comes after a minute
	withoutGPUs bool
	showAll     bool // every signal that a rule compares
	calibrates  bool // what is told is held against how sure it is
}

// lead is how long a fleet is watched before its fault.
const lead = time.Minute

var began = time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)

// chunk is how many ticks are judged at once: ten minutes every 5 s, which costs little more than a few moments.
const chunk = 120

// run scrapes the fleet in its own time and then judges every tick of what was recorded: what live would have said of each
// (TestLiveSaysWhatIsJudgedLater), at a fifth of the cost. It returns what was recorded.
func (w watching) run(t *testing.T, see func(after time.Duration, r *diagnose.Report)) *prom.Engine {
	t.Helper()
	store, last := w.open(t), began
	w.scrape(t, store, func(at time.Time) { last = at })
	source, track := prom.NewEngine(store, w.set.Step), diagnose.Track{}
	for from := began; !from.After(last); from = from.Add(chunk * w.set.Step) {
		to := from.Add((chunk - 1) * w.set.Step)
		if to.After(last) {
			to = last
		}
		more, err := diagnose.Judge(t.Context(), source, diagnose.Default(), w.set, from, to)
		if err != nil {
			t.Fatal(err)
		}
		track.Add(more)
		for at := from; !at.After(to); at = at.Add(w.set.Step) {
			see(at.Sub(began)-lead, track.At(at))
		}
	}
	return source
}

// live scrapes the fleet in its own time and judges it as it goes.
func (w watching) live(t *testing.T, see func(after time.Duration, r *diagnose.Report)) {
	t.Helper()
	store := w.open(t)
	var watch *diagnose.Watch
	w.scrape(t, store, func(at time.Time) {
		if watch == nil {
			watch = diagnose.NewWatch(prom.NewEngine(store, w.set.Step), diagnose.Default(), w.set, time.Hour)
			watch.ShowAll(w.showAll)
		}
		r, err := watch.Advance(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if r != nil {
			see(at.Sub(began)-lead, r)
		}
	})
}

func (w *watching) open(t *testing.T) *scrape.Store {
	t.Helper()
	store, err := scrape.OpenRing(t.TempDir(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}

// scrape lets the fleet live and writes down what a scraper sees of it; after each round it calls back. The exporters of GPUs are
// told to the settings.
func (w *watching) scrape(t *testing.T, store *scrape.Store, round func(at time.Time)) {
	t.Helper()
	w.scenario.Onset = lead
	fleet, err := simulate.New(w.scenario, w.seed, began)
	if err != nil {
		t.Fatal(err)
	}
	all := &scrapers{timeout: scrape.DefaultTimeout}
	for _, target := range fleet.Targets() {
		if w.withoutGPUs && target.Kind == "dcgm" {
			continue
		}
		address, err := scrape.NewTarget(target.Name)
		if err != nil {
			t.Fatal(err)
		}
		all.targets, all.writers = append(all.targets, target), append(all.writers, scrape.NewWriter(store, address))
		if target.Kind == "dcgm" {
			w.set.GPUTargets = append(w.set.GPUTargets, address.Instance)
		}
	}
	for at := began; at.Before(began.Add(lead + w.length)); at = at.Add(w.set.Step) {
		if err := all.scrape(fleet, at); err != nil {
			t.Fatal(err)
		}
		round(at)
	}
}
