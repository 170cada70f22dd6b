package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

var (
	accuracySeeds = flag.Int("accuracy.seeds", 2, "seeds for each fault")
	accuracyFirst = flag.Uint64("accuracy.first", 1, "the first seed: below 1000 for tuning, from 1000 on for what is published")
	accuracyWrite = flag.String("accuracy.write", "", "write the tables to this file")
)

// condition is under what the rule book is measured.
type condition struct {
	name        string
	step        time.Duration
	release     string
	withoutGPUs bool
}

var conditions = []condition{
	{name: "with GPU metrics, every 5 s", step: 5 * time.Second},
	{name: "every 15 s", step: 15 * time.Second},
	{name: "without GPU metrics", step: 5 * time.Second, withoutGPUs: true},
	{name: "on vLLM 0.11", step: 5 * time.Second, release: "0.11.0"},
}

// score is how often a cause was named.
type score struct {
	runs, first, three int
	named, fired       []time.Duration // from the onset until it stood first, and until it fired first
	wrong              map[string]int  // codes that fired first instead, and in how many runs
}

const faultLasts = 10 * time.Minute

// How often the right cause stands first, ten minutes into each fault, how long it takes, and what is named instead. Ask for it by
// name: go test -run Accuracy -v ./cmd/vllmscope.
func TestAccuracy(t *testing.T) {
	if !strings.Contains(flag.Lookup("test.run").Value.String(), "Accuracy") {
		t.Skip("runs when it is asked for by name")
	}
	var tables strings.Builder
	for _, c := range conditions {
		scores := measure(t, c)
		fmt.Fprintf(&tables, "\n## %s\n\n%s", strings.ToUpper(c.name[:1])+c.name[1:], scoreTable(scores))
		for _, s := range simulate.Scenarios() {
			if got := scores[s.Name]; s.Cause == "" && len(got.wrong) > 0 {
				t.Errorf("%s, %s: fires %v", c.name, s.Name, got.wrong)
			}
		}
	}
	t.Log(tables.String())
	if *accuracyWrite != "" {
		if err := os.WriteFile(*accuracyWrite, []byte(accuracyPage(tables.String())), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// measure runs every scenario with every seed, two at a time.
func measure(t *testing.T, c condition) map[string]*score {
	scores, mu := map[string]*score{}, sync.Mutex{}
	t.Run(c.name, func(t *testing.T) {
		for _, s := range simulate.Scenarios() {
			scores[s.Name] = &score{wrong: map[string]int{}}
			if c.withoutGPUs && onExporter[s.Name] {
				continue
			}
			for i := range *accuracySeeds {
				t.Run(fmt.Sprintf("%s/%d", s.Name, i), func(t *testing.T) {
					t.Parallel()
					s.Spread, s.Release = 0.15, cmp.Or(c.release, s.Release)
					one := watchOnce(t, s, c, *accuracyFirst+uint64(i))
					mu.Lock()
					defer mu.Unlock()
					scores[s.Name].add(one)
				})
			}
		}
	})
	return scores
}

// watchOnce watches one fault with one seed.
func watchOnce(t *testing.T, s simulate.Scenario, c condition, seed uint64) score {
	one := score{runs: 1, wrong: map[string]int{}}
	set := diagnose.Settings{Step: c.step, Window: time.Minute, SLO: diagnose.Profiles[0]}
	w := watching{scenario: s, seed: seed, set: set, length: faultLasts, withoutGPUs: c.withoutGPUs}
	w.run(t, func(after time.Duration, r *diagnose.Report) {
		first := firstFor(r, s.Cause)
		one.first, one.three = 0, 0
		causes, _ := r.Causes()
		for i, f := range causes[:min(3, len(causes))] {
			if f.Rule.Code == s.Cause {
				one.three = 1
				one.first = map[bool]int{true: 1}[i == 0]
			}
		}
		switch {
		case first == nil:
			lacking := slices.ContainsFunc(r.Unknown, func(u diagnose.Unjudged) bool { return u.Code == s.Cause })
			if c.withoutGPUs && needsGPUs[s.Cause] && lacking {
				one.first, one.three = 1, 1
			}
		case first.Rule.Code == s.Cause && after >= 0:
			one.see(after, first.State)
		case first.State == diagnose.Firing:
			one.wrong[first.Rule.Code] = 1
		}
	})
	return one
}

// needsGPUs are the rules that cannot be judged without GPU metrics: saying so is then the right answer.
var needsGPUs = map[string]bool{"D7": true, "D8": true}

// onExporter are the faults of the GPU exporter itself, of which nothing is watched without it.
var onExporter = map[string]bool{"exporter-gone": true, "exporter-frozen": true}

// see notes when the right cause stood first, and fired first, for the first time.
func (s *score) see(after time.Duration, state diagnose.State) {
	if len(s.named) == 0 {
		s.named = []time.Duration{after}
	}
	if len(s.fired) == 0 && state == diagnose.Firing {
		s.fired = []time.Duration{after}
	}
}

func (s *score) add(o score) {
	s.runs, s.first, s.three = s.runs+o.runs, s.first+o.first, s.three+o.three
	s.named, s.fired = append(s.named, o.named...), append(s.fired, o.fired...)
	for code, n := range o.wrong {
		s.wrong[code] += n
	}
}

// scoreTable is a line for each fault, and the sum of all.
func scoreTable(scores map[string]*score) string {
	var b strings.Builder
	b.WriteString("| Fault | Cause | First | First three | Named after | Fires after | Fired first instead |\n|---|---|---|---|---|---|---|\n")
	all := score{}
	for _, s := range simulate.Scenarios() {
		got := scores[s.Name]
		var wrong []string
		for _, code := range slices.Sorted(maps.Keys(got.wrong)) {
			wrong = append(wrong, fmt.Sprintf("%s in %d", code, got.wrong[code]))
		}
		if s.Cause == "" {
			fmt.Fprintf(&b, "| %s | none | – | – | – | – | %s |\n", s.Name, cmp.Or(strings.Join(wrong, ", "), "nothing"))
			continue
		}
		all.add(score{runs: got.runs, first: got.first, three: got.three, named: got.named, fired: got.fired})
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %d of %d | %s | %s | %s |\n",
			s.Name, s.Cause, got.first, got.runs, got.three, got.runs, median(got.named), median(got.fired), strings.Join(wrong, ", "))
	}
	fmt.Fprintf(&b, "| **all** | | **%d of %d** | **%d of %d** | %s | %s | |\n", all.first, all.runs, all.three, all.runs, median(all.named), median(all.fired))
	return b.String()
}

// median is the middle of some durations, a dash when there are none.
func median(all []time.Duration) string {
	if len(all) == 0 {
		return "–"
	}
	return diagnose.Duration(slices.Sorted(slices.Values(all))[len(all)/2])
}

// accuracyPage is docs/accuracy.md.
func accuracyPage(tables string) string {
	return fmt.Sprintf(`# How often the right cause is named

A simulated fleet is watched for a minute, a fault begins, and ten minutes later the first finding is held against what was done.
*Named after* is when the right cause stood first for the first time, pending findings included, *fires after* when it fired there:
medians over the seeds, from the onset of the fault, and a rule fires no earlier than its hold (two to ten minutes). *Fired first
instead* lists what fired at the top at any moment, the seconds before the cause can be told included. Where GPU metrics are away,
"cannot judge" is right for the rules that need them (D7, D8).

The same people made the simulator and the rules, so these figures say that the rules tell these faults apart, not how often a real
fleet has others: [recordings.md](recordings.md) is about a real server. Two cells are what they are: without GPU metrics a GPU at the
limit of its arithmetic looks like a token budget that is too small (D4), and up to vLLM 0.11 the clock of a request starts after it
was rendered, so that no series shows a slow tokenizer.

The strength of a fault is drawn by the seed, 15 %% around the usual. Seeds %d to %d; seeds below 1000 are for tuning the rules. Made by

    go test -run Accuracy -timeout 1h ./cmd/vllmscope -args -accuracy.first %d -accuracy.seeds %d -accuracy.write ../../docs/accuracy.md
%s`, *accuracyFirst, *accuracyFirst+uint64(*accuracySeeds)-1, *accuracyFirst, *accuracySeeds, tables)
}
