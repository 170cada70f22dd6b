package main

import (
	"slices"
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
}

// run scrapes the fleet in its own time and judges it live.
func (w watching) run(t *testing.T, see func(after time.Duration, r *diagnose.Report)) {
	t.Helper()
	start := time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)
	w.scenario.Onset = time.Minute
	fleet, err := simulate.New(w.scenario, w.seed, start)
	if err != nil {
		t.Fatal(err)
	}
	store, err := scrape.OpenRing(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close() //nolint:errcheck // a temporary directory
	targets := slices.DeleteFunc(fleet.Targets(), func(target simulate.Target) bool { return w.withoutGPUs && target.Kind == "dcgm" })
	writers := map[string]*scrape.Writer{}
	for _, target := range targets {
		address, err := scrape.NewTarget(target.Name)
		if err != nil {
			t.Fatal(err)
		}
		writers[target.Name] = scrape.NewWriter(store, address)
		if target.Kind == "dcgm" {
			w.set.GPUTargets = append(w.set.GPUTargets, address.Instance)
		}
	}
	watch := diagnose.NewWatch(prom.NewEngine(store, w.set.Step), diagnose.Default(), w.set, time.Hour)
	for at := start; at.Before(start.Add(time.Minute + w.length)); at = at.Add(w.set.Step) {
		fleet.AdvanceTo(at)
		for _, target := range targets {
			answer, err := fleet.Get(target.Name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := writers[target.Name].Write(seen(at, target, answer)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := watch.Advance(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if r != nil {
			see(at.Sub(start)-time.Minute, r)
		}
	}
}

// timeout is how long a scrape may take.
const timeout = 4 * time.Second

// seen is what a scraper sees of an answer.
func seen(at time.Time, target simulate.Target, answer simulate.Answer) scrape.Scrape {
	s := scrape.Scrape{At: at, Duration: answer.After, Timeout: timeout, Page: answer.Page, ContentType: target.ContentType}
	switch {
	case answer.Refused:
		s.Page, s.Err = nil, &scrape.Failure{Class: scrape.ClassRefused, Target: target.Name, Sentence: "connection refused"}
	case answer.After > timeout:
		s.Page, s.Duration, s.Err = nil, timeout, &scrape.Failure{Class: scrape.ClassTimeout, Target: target.Name, Sentence: "no answer within 4s"}
	}
	return s
}

// Every simulated fault is named first once it fires, told the cap or not, and before it begins nothing is found.
func TestScenariosNameTheirCause(t *testing.T) {
	for _, scenario := range simulate.Scenarios() {
		for _, maxNumSeqs := range []int{0, 64} {
			if maxNumSeqs > 0 && scenario.Name != "seed-case" {
				continue
			}
			t.Run(scenario.Name, func(t *testing.T) {
				t.Parallel()
				set := diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: profile(t, scenario.SLO), MaxNumSeqs: maxNumSeqs}
				var named, fired time.Duration
				var last *diagnose.Report
				var also bool
				watching{scenario: scenario, seed: 11, set: set, length: 10 * time.Minute}.run(t, func(after time.Duration, r *diagnose.Report) {
					first := firstOf(r)
					sameMoment(t, r)
					if scenario.Cause == "" && first != nil || scenario.Cause != "" && after < 0 && len(r.Findings) > 0 {
						t.Errorf("%v after the onset: %s", after, told(&r.Findings[0]))
					}
					if first != nil && first.Rule.Code == scenario.Cause {
						if named == 0 {
							named = after
						}
						if fired == 0 && first.State == diagnose.Firing {
							fired = after
						}
					}
					for _, f := range r.Findings {
						also = also || f.Active() && f.Rule.Code == scenario.Also
					}
					last = r
				})
				first := firstOf(last)
				if scenario.Also != "" && inBook(scenario.Also) && !also {
					t.Errorf("%s was never told beside %s", scenario.Also, scenario.Cause)
				}
				if !inBook(scenario.Cause) {
					t.Skipf("no rule %s yet; first is %s", scenario.Cause, told(first))
				}
				if scenario.Cause != "" && (first == nil || first.Rule.Code != scenario.Cause || first.State != diagnose.Firing) {
					t.Errorf("ten minutes into the fault: %s, want %s firing", told(first), scenario.Cause)
				}
				t.Logf("| %s | %s | named after %v | fires after %v |", scenario.Name, scenario.Cause, named, fired)
			})
		}
	}
}

// inBook says whether there is a rule of that code; "" is no cause and always known.
func inBook(code string) bool { return code == "" || diagnose.Default().Rule(code) != nil }

// profile is the objective of that name.
func profile(t *testing.T, name string) diagnose.SLO {
	t.Helper()
	i := slices.IndexFunc(diagnose.Profiles, func(p diagnose.SLO) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no profile %q", name)
	}
	return diagnose.Profiles[i]
}

// sameMoment checks that what is told of a finding is as new as the figures beside it.
func sameMoment(t *testing.T, r *diagnose.Report) {
	t.Helper()
	for _, f := range r.Findings {
		for _, e := range f.Evidence {
			shown := r.Figure(e.Fact.Signal.ID, f.Subject)
			if f.Active() && shown.Known() && shown.Value != e.Value {
				t.Errorf("%v: %s tells %s of %s, and %s is shown", r.Time, f.Rule.Code, e.Text(), e.Fact.Signal.ID, shown.Text())
			}
		}
	}
}
