package main

import (
	"cmp"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// tables are the measurements as Markdown: in short, what was confused, and each fault.
func tables(all []measurement) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s\n%s\n", summary(all), beforeTable(all), calibrationTable(all), all[0].healthyTable())
	for _, m := range all {
		title := strings.ToUpper(m.name[:1]) + m.name[1:]
		fmt.Fprintf(&b, "## %s\n\n%s\n%s\n%s", title, m.confusions(), m.faultTable(), m.pairTable())
		if len(m.left) > 0 {
			fmt.Fprintf(&b, "Left out, for shortness: %s.\n\n", strings.Join(m.left, ", "))
		}
	}
	b.WriteString(all[0].unruled())
	return b.String()
}

// firstBefore is how often the right cause stood first, by condition, when the book had 26 rules: with five seeds from 1000 on, of the faults that
// they could name (commit 7cf5447). The other faults had none, and were never named rightly.
var firstBefore = []int{208, 206, 173, 184}

// beforeTable holds that against now, over all faults of now.
func beforeTable(all []measurement) string {
	var b strings.Builder
	b.WriteString("## Before and after\n\nThe right cause first, over the same faults, with the 26 rules of before (commit 7cf5447, five seeds) and with the whole book:\n\n" +
		"| Watched | 26 rules | whole book |\n|---|---|---|\n")
	for _, m := range all {
		i := slices.IndexFunc(conditions, func(c condition) bool { return c.name == m.name })
		sum, faults := m.total(), 0
		for _, s := range m.scores {
			if s.counts() {
				faults++
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", m.name, share(firstBefore[i], 5*faults), share(sum.first, sum.runs))
	}
	return b.String()
}

// summary is a line for each condition. The README shows it too.
func summary(all []measurement) string {
	var b strings.Builder
	b.WriteString("| Watched | Right cause first | In the first three | Late by, median | 95 % within | False alarms |\n|---|---|---|---|---|---|\n")
	for _, m := range all {
		sum := m.total()
		fired, hours := m.alarms()
		alarms := fmt.Sprintf("%d in %d h", fired, hours)
		if hours == 0 {
			alarms = "–"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", m.name, share(sum.first, sum.runs), share(sum.three, sum.runs),
			span(median(sum.late)), span(quantile(0.95, sum.late)), alarms)
	}
	goal := conditions[0]
	fmt.Fprintf(&b, "| *to reach with GPU metrics* | *≥ %.0f %%* | *≥ %.0f %%* | *≤ %s* | | *0* |\n", 100*goal.first, 100*goal.three, span(goal.late))
	without := conditions[slices.IndexFunc(conditions, func(c condition) bool { return c.withoutGPUs })]
	fmt.Fprintf(&b, "| *to reach without* | *≥ %.0f %%* | | | | *0* |\n", 100*without.first)
	return b.String()
}

// share is so many of so many, rounded towards the worse.
func share(n, of int) string { return fmt.Sprintf("%d of %d, %d %%", n, of, 100*n/max(1, of)) }

// faultTable is a line for each fault whose rule is in the book, and the sum of all.
func (m measurement) faultTable() string {
	var b strings.Builder
	b.WriteString("| Fault | Cause | First | First three | Named after | Fires after | Late by | Fired first instead |\n|---|---|---|---|---|---|---|---|\n")
	for _, s := range m.scores {
		if s.counts() && s.runs > 0 {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.scenario.Name, s.scenario.Cause, s.cells(), listed(s.instead))
		}
	}
	fmt.Fprintf(&b, "| **all** | | %s | |\n", m.total().cells())
	return b.String()
}

// cells are the columns that a fault and the sum of all have.
func (s *score) cells() string {
	first := fmt.Sprintf("%d of %d", s.first, s.runs)
	if s.cannot > 0 {
		first += fmt.Sprintf(", %d “cannot judge”", s.cannot)
	}
	return fmt.Sprintf("%s | %d of %d | %s | %s | %s", first, s.three, s.runs, span(median(s.named)), span(median(s.fired)), span(median(s.late)))
}

// confusions is the matrix of what was confused: true causes that did not always stand first, by what stood first in the end.
func (m measurement) confusions() string {
	rows, columns, clear := map[string]map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, s := range m.scores {
		if !s.counts() || s.runs == 0 {
			continue
		}
		cause := s.scenario.Cause
		clear[cause] = true
		if rows[cause] == nil {
			rows[cause] = map[string]int{}
		}
		for code, n := range s.ended {
			rows[cause][code] += n
		}
	}
	for cause, ended := range rows {
		if len(ended) > 1 || ended[cause] == 0 {
			delete(clear, cause)
			for code := range ended {
				columns[code] = true
			}
		}
	}
	if len(columns) == 0 {
		return "Nothing was confused: every cause stood first in the end of each run.\n"
	}
	var b strings.Builder
	b.WriteString("What stood first in the end, by the true cause:\n\n")
	codes := slices.SortedFunc(maps.Keys(columns), inWords)
	fmt.Fprintf(&b, "| True | %s |\n|---|%s\n", strings.Join(codes, " | "), strings.Repeat("---|", len(codes)))
	for _, cause := range slices.Sorted(maps.Keys(rows)) {
		if clear[cause] {
			continue
		}
		fmt.Fprintf(&b, "| %s |", cause)
		for _, code := range codes {
			n := ""
			if rows[cause][code] > 0 {
				n = fmt.Sprint(rows[cause][code])
			}
			fmt.Fprintf(&b, " %s |", n)
		}
		b.WriteString("\n")
	}
	if len(clear) > 0 {
		fmt.Fprintf(&b, "\nAll others stood first in the end of each run: %s.\n", strings.Join(slices.Sorted(maps.Keys(clear)), ", "))
	}
	return b.String()
}

// inWords puts codes before words.
func inWords(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// pairTable is about two faults at once.
func (m measurement) pairTable() string {
	var b strings.Builder
	for _, s := range m.scores {
		if s.scenario.Also == "" || !s.counts() || s.runs == 0 {
			continue
		}
		told := fmt.Sprintf("%d of %d", s.also, s.runs)
		if !inBook(s.scenario.Also) {
			told = "no rule yet"
		}
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %s | %s |\n", s.scenario.Name, s.scenario.Cause, s.first, s.runs, s.scenario.Also, told)
	}
	if b.Len() == 0 {
		return ""
	}
	return "Two faults at once:\n\n| Faults | Cause | First | Second | In the report |\n|---|---|---|---|---|\n" + b.String() + "\n"
}

// healthyTable is what fired while nothing was wrong.
func (m measurement) healthyTable() string {
	var b strings.Builder
	b.WriteString("| Healthy load | Hours | Warnings that fired |\n|---|---|---|\n")
	for _, s := range m.scores {
		if s.healthy() && s.runs > 0 {
			fmt.Fprintf(&b, "| %s | %d | %s |\n", s.scenario.Name, s.runs, cmp.Or(listed(s.instead), "none"))
		}
	}
	return b.String()
}

// unruled lists the faults that no rule can name yet.
func (m measurement) unruled() string {
	var b strings.Builder
	for _, s := range m.scores {
		if !s.healthy() && !s.counts() && s.runs > 0 {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.scenario.Name, s.scenario.Cause, listed(s.ended), listed(s.instead))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "## No rule yet\n\nThese faults are simulated, their rules are still to come, and they do not count.\n\n" +
		"| Fault | Cause | Stands first in the end | Fired first at any moment |\n|---|---|---|---|\n" + b.String()
}

// madeAt is the day and the commit of a measurement.
func madeAt(t *testing.T) string {
	t.Helper()
	git := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "git", args...).Output()
		if err != nil {
			t.Fatalf("git %s: %v", strings.Join(args, " "), err)
		}
		return strings.TrimSpace(string(out))
	}
	commit := git("rev-parse", "--short", "HEAD")
	if git("status", "--porcelain", "--", "*.go") != "" {
		commit += " with changes"
	}
	return time.Now().UTC().Format(time.DateOnly) + " at commit " + commit
}

// accuracyPage is docs/accuracy.md.
func accuracyPage(made string, all []measurement) string {
	return fmt.Sprintf(`# How often the right cause is named

A simulated fleet is watched for a minute, a fault begins, and ten minutes later the first finding is held against what was done
(faults that take longer to show get longer). The strength of each fault is drawn by the seed, up to 15 %% around the usual.

Measured on %s, with seeds %d to %d; the rules are tuned with others, those below %d.
The same command at the same commit gives the same figures:

    go test -run Accuracy -timeout 3h ./cmd/vllmscope -args -accuracy.first %d -accuracy.seeds %d -accuracy.write ../../docs/accuracy.md

## How much to believe

- **The same people made the simulator and the rules.** These figures say that the rules tell these faults apart, not how often they
  are right about a fault that nobody thought of: [recordings.md](recordings.md) is about a real server.
- One fault at a time (some pairs apart), of a strength that shows. A fault that is half as strong may be told later, or not at all.
- The rule is compared, not the server or the GPU that it names.
- Some things cannot be told, and count as wrong: without GPU metrics, a GPU at the limit of its arithmetic looks like a token budget
  that is too small (D4); up to vLLM 0.11 the clock of a request starts after it was rendered, so that no series shows a slow tokenizer.
- vLLM 0.11 starts a prompt with its first chunk, and is slower: kv-bound and huge-prompt are other faults there and left out, and the
  queue of the offline batch is at times longer than half of its objective, of which D3 and E1 warn.
- A healthy hour has steady load of its kind. A false alarm is a warning, or worse, that begins to fire in it.

## The words

- **First**: the share of runs in which the right cause stands first at the end, pending findings included; **first three** likewise.
  Findings that another one explains are not counted: they hang below their cause.
- **Named after** and **fires after**: medians from the onset until the right cause stood first, and until it fired there. A rule
  fires when its conditions were met for four fifths of its hold, which is up to ten minutes. A run in which it never did counts as
  endless.
- **Late by**: how much later it fired than the onset, plus the rule's hold, plus the window that its conditions read (one minute mostly,
  90 s where it waits for three readings of a GPU); 0 where it was sooner. Time that a fault takes to grow counts as late.
- **Fired first instead**: what fired at the top at any moment, and in how many runs: what an impatient reader would have acted on.
- **Cannot judge**: without GPU metrics this is the right answer where the rule book says that they are required
  (%s), as long as nothing but what users feel (%s) is named beside it. It counts as
  right there, and is shown as what it is; elsewhere it is wrong. That no GPU is known (A5) is told in all these runs, rightly, and
  counts neither way.

## In short

%s`, made, *accuracyFirst, *accuracyFirst+uint64(*accuracySeeds)-1, published, *accuracyFirst, *accuracySeeds,
		strings.Join(slices.Sorted(maps.Keys(needsGPUs)), ", "), strings.Join(slices.Sorted(maps.Keys(felt)), ", "), tables(all))
}
