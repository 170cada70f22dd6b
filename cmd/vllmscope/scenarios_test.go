package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// everyFiveSeconds is how the tests of each scenario watch; the measurement has other conditions too.
var everyFiveSeconds = condition{name: "every 5 s", step: 5 * time.Second}

// Every simulated fault is named first once it fires, told the cap or not, and before it begins nothing is found. The race detector sees
// every tenth: they run the same code.
func TestScenariosNameTheirCause(t *testing.T) {
	for i, scenario := range scenarios() {
		if underRace && i%10 > 0 {
			continue
		}
		for _, maxNumSeqs := range []int{0, 64} {
			if maxNumSeqs > 0 && scenario.Name != "seed-case" {
				continue
			}
			t.Run(scenario.Name, func(t *testing.T) {
				t.Parallel()
				w := everyFiveSeconds.watching(t, scenario, 11)
				w.scenario.Spread, w.set.MaxNumSeqs = 0, maxNumSeqs
				c := w.follow(t)
				for _, what := range c.unasked {
					t.Errorf("nothing is wrong: %s", what)
				}
				switch {
				case !inBook(scenario.Cause):
					t.Skipf("no rule %s yet; in the end stands %s", scenario.Cause, c.standing())
				case scenario.Cause != "" && (c.standing() != scenario.Cause || !c.firing):
					t.Errorf("%v into the fault stand %v, firing %t, want %s firing first", scenario.Shows, c.ended, c.firing, scenario.Cause)
				case scenario.Also != "" && inBook(scenario.Also) && !c.also:
					t.Errorf("%v into both faults nothing tells of %s", scenario.Shows, scenario.Also)
				}
				t.Logf("| %s | %s | named after %s | fires after %s |", scenario.Name, scenario.Cause, span(c.named), span(c.fired))
			})
		}
	}
}

// named is the scenario of that name.
func named(t testing.TB, name string) simulate.Scenario {
	t.Helper()
	scenario, err := simulate.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return scenario
}

// A fleet of equal servers behind one balancer has the cause that one has: what clients do is no uneven load.
func TestReplicasNameTheSameCause(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("the same code over four times as many servers")
	}
	for _, name := range []string{"seed-case", "kv-thrash", "sequence-cap", "kv-bound", "compute-bound", "token-budget", "huge-prompt", "overheating"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scenario := named(t, name)
			w := everyFiveSeconds.watching(t, scenario, 11)
			var err error
			if w.scenario, err = w.scenario.WithReplicas(4); err != nil {
				t.Fatal(err)
			}
			w.scenario.Spread = 0
			if c := w.follow(t); c.standing() != scenario.Cause || !c.firing || slices.Contains(c.ended, "H3") {
				t.Errorf("%v into the fault stand %v, firing %t, want %s firing first and no uneven load", scenario.Shows, c.ended, c.firing, scenario.Cause)
			}
		})
	}
}

// Every tick that is judged later says what was said live, of one scenario of each chapter.
func TestLiveSaysWhatIsJudgedLater(t *testing.T) {
	if underRace {
		t.Skip("nothing here that other tests do not do at once")
	}
	for _, scenario := range aChapterEach() {
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			w := everyFiveSeconds.watching(t, scenario, 3)
			w.length = min(scenario.Shows, 10*time.Minute)
			live := map[time.Duration]string{}
			reports := map[time.Time]*diagnose.Report{}
			w.live(t, func(after time.Duration, r *diagnose.Report) {
				live[after], reports[r.Time] = inShort(r), r
				sameMoment(t, r, reports)
			})
			ticks := 0
			w.run(t, func(after time.Duration, r *diagnose.Report) {
				if ticks++; inShort(r) != live[after] {
					t.Fatalf("%v after the onset live said\n%slater\n%s", after, live[after], inShort(r))
				}
			})
			if ticks < 20 || ticks != len(live) {
				t.Errorf("%d ticks were judged live and %d later", len(live), ticks)
			}
		})
	}
}

// inShort is what a report finds and what it cannot judge.
func inShort(r *diagnose.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f.Rule.Code, r.Name(f.Subject), f.Severity, f.State, f.Since, f.Held, f.Hold, f.ExplainedBy, f.Explains)
	}
	for _, u := range r.Unknown {
		fmt.Fprintln(&b, u.Code, r.Name(u.Subject), u.Missing, u.Enable)
	}
	return b.String()
}

// scenarios are all, or one of each chapter under the race detector.
func scenarios() []simulate.Scenario {
	if underRace {
		return aChapterEach()
	}
	return simulate.Scenarios()
}

// aChapterEach is the first scenario of each chapter of the rule book that shows soon, and the first healthy one.
func aChapterEach() []simulate.Scenario {
	seen := map[string]bool{}
	return slices.DeleteFunc(simulate.Scenarios(), func(s simulate.Scenario) bool {
		if s.Shows > shortShows {
			return true
		}
		chapter := s.Cause[:min(1, len(s.Cause))]
		already := seen[chapter]
		seen[chapter] = true
		return already
	})
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

// sameMoment checks that what is told of a finding is as new as the figures beside it, or as those of when it was last true, unless it
// says itself that it is over.
func sameMoment(t *testing.T, now *diagnose.Report, all map[time.Time]*diagnose.Report) {
	t.Helper()
	for _, f := range now.Findings {
		saysOver := slices.ContainsFunc(f.Rule.Cases, func(c diagnose.Case) bool { return c.Over && c.Name == f.Case })
		r := all[now.Time.Add(-f.Quiet)]
		if saysOver {
			r = now
		}
		if r == nil {
			t.Errorf("%v: %s was last true %v ago, when nothing was judged", now.Time, f.Rule.Code, f.Quiet)
			continue
		}
		for _, e := range f.Evidence {
			shown := r.Figure(e.Fact.Signal.ID, f.Subject)
			if f.Active() && shown.Known() && shown.Value != e.Value {
				t.Errorf("%v: %s tells %s of %s, and %s is shown", r.Time, f.Rule.Code, e.Text(), e.Fact.Signal.ID, shown.Text())
			}
		}
	}
}
