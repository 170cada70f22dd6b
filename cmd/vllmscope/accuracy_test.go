package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

var (
	accuracySeeds = flag.Int("accuracy.seeds", 0, "seeds for each fault and condition; 0 is the short measurement, which leaves some out")
	accuracyFirst = flag.Uint64("accuracy.first", 1, "the first seed: below 1000 for tuning, from 1000 on for what is published")
	accuracyWrite = flag.String("accuracy.write", "", "write the page to this file")
)

// published is the first seed that no rule was tuned with.
const published = 1000

// condition is under what the rule book is measured, and what it has to reach there: 0 is nothing.
type condition struct {
	name        string
	step        time.Duration
	release     string
	withoutGPUs bool
	first       float64       // the share of runs in which the right cause stands first
	three       float64       // … among the first three
	late        time.Duration // the median from when it could fire at the latest until it does
	seeds, each int           // of the short measurement: so many seeds of each n-th scenario
	hours       bool          // the short measurement watches healthy hours
}

var conditions = []condition{
	{name: "with GPU metrics, every 5 s", step: 5 * time.Second, first: 0.95, three: 0.99, late: time.Minute, seeds: 1, each: 1, hours: true},
	{name: "every 15 s", step: 15 * time.Second, seeds: 1, each: 3},
	{name: "without GPU metrics", step: 5 * time.Second, withoutGPUs: true, first: 0.85, seeds: 1, each: 1},
	{name: "on vLLM 0.11", step: 5 * time.Second, release: "0.11.0", seeds: 1, each: 3},
}

// shortShows is the longest that the short measurement waits for a fault to show.
const shortShows = 15 * time.Minute

// mostHours is how many hours of each healthy load are watched at most under each condition: they cost more than faults.
const mostHours = 2

// needsGPUs are the rules that the rule book marks as judged by GPU metrics only: without them, saying so is the right answer.
var needsGPUs = map[string]bool{
	"C1": true, "C2": true, "C3": true, "C4": true, "C5": true, "C7": true, "D7": true, "D9": true, "E5": true, "H4": true, "I5": true,
}

// onExporter are other faults of a GPU exporter.
var onExporter = map[string]bool{"exporter-gone": true, "exporter-frozen": true}

// How often the right cause stands first, how soon, what is named instead, and what fires when nothing is wrong. Ask for it by name:
// go test -run Accuracy -v ./cmd/vllmscope.
func TestAccuracy(t *testing.T) {
	if !strings.Contains(flag.Lookup("test.run").Value.String(), "Accuracy") {
		t.Skip("runs when it is asked for by name")
	}
	if *accuracyWrite != "" && *accuracySeeds == 0 {
		t.Fatal("the short measurement is not for publishing: say how many -accuracy.seeds")
	}
	made := ""
	if *accuracyWrite != "" {
		made = madeAt(t)
	}
	var all []measurement
	for _, c := range conditions {
		m := c.measure(t)
		if !m.ran() {
			continue // not asked for
		}
		all = append(all, m)
		if *accuracyFirst < published && len(m.missed()) > 0 {
			t.Errorf("%s: %s", c.name, strings.Join(m.missed(), ", "))
		}
	}
	if len(all) == 0 {
		t.Fatal("no scenario of that name")
	}
	t.Log("\n" + tables(all))
	if *accuracyWrite != "" {
		if err := os.WriteFile(*accuracyWrite, []byte(accuracyPage(made, all)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// measurement is what came of one condition.
type measurement struct {
	condition
	scores []*score
	left   []string // scenarios that were left out, for shortness
}

// measure runs the scenarios with every seed, two at a time.
func (c condition) measure(t *testing.T) measurement {
	m, mu := measurement{condition: c}, sync.Mutex{}
	t.Run(c.name, func(t *testing.T) {
		for i, s := range simulate.Scenarios() {
			if c.withoutGPUs && (s.Cause == "A5" || onExporter[s.Name]) {
				continue // nobody watches what has the fault
			}
			if has, err := s.On(cmp.Or(c.release, s.Release)); err != nil {
				t.Fatal(err)
			} else if !has {
				continue // in this release it is another fault
			}
			seeds := c.seedsOf(s, i)
			if seeds == 0 {
				m.left = append(m.left, s.Name)
				continue
			}
			score := newScore(s)
			m.scores = append(m.scores, score)
			for seed := *accuracyFirst; seed < *accuracyFirst+uint64(seeds); seed++ {
				t.Run(fmt.Sprintf("%s/%d", s.Name, seed), func(t *testing.T) {
					t.Parallel()
					if s.Cause == "" {
						alarms, _ := falseAlarms(t, s, c, seed)
						mu.Lock()
						defer mu.Unlock()
						score.addHour(alarms)
						return
					}
					w := c.watching(t, s, seed)
					w.calibrates = true
					course := w.follow(t)
					mu.Lock()
					defer mu.Unlock()
					score.add(c, course)
				})
			}
		}
	})
	return m
}

// seedsOf is with how many seeds the i-th scenario is run.
func (c condition) seedsOf(s simulate.Scenario, i int) int {
	switch {
	case *accuracySeeds > 0 && s.Cause == "":
		return min(*accuracySeeds, mostHours)
	case *accuracySeeds > 0:
		return *accuracySeeds
	case s.Cause == "" && c.hours:
		return 1
	case s.Cause == "" || i%c.each > 0 || s.Shows > shortShows:
		return 0
	}
	return c.seeds
}

// watching is how a scenario is watched under a condition, with a fault of a strength that the seed draws.
func (c condition) watching(t *testing.T, s simulate.Scenario, seed uint64) watching {
	s.Spread, s.Release = 0.15, cmp.Or(c.release, s.Release)
	set := diagnose.Settings{Step: c.step, Window: time.Minute, SLO: profile(t, s.SLO)}
	return watching{scenario: s, seed: seed, set: set, withoutGPUs: c.withoutGPUs}
}
