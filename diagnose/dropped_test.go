package diagnose_test

import (
	"context"
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

var everyCondition = flag.Bool("conditions", false, "TestEveryConditionIsScripted: drop all conditions of the rules, not a sample, for some minutes")

// conditionsEach is how many conditions there are for one that is dropped where not all are asked for.
const conditionsEach = 60

// unshown are conditions that no script can show to be needed, and why they stay.
var unshown = map[string]string{
	"F3 critical: success_share < 0.98": "where clients leave it is always so; it is what the finding shows of why it is critical",
}

// A condition that can be dropped without a script failing is for nothing, or nobody has shown what it is for. Of each rule every part
// of what it asks, of what makes it critical and of what makes it mild is left out in turn, and a script that says something of the rule
// has to notice. What moves the confidence is measured elsewhere (docs/accuracy.md), and forms only choose words. All are asked for by
// name: go test ./diagnose -run EveryCondition -args -conditions.
func TestEveryConditionIsScripted(t *testing.T) {
	if underRace {
		t.Skip("runs the same code as the scripts")
	}
	baseline := sync.OnceValue(func() *diagnose.Baseline { return usual(t) })
	witnesses := witnessesOf(t)
	n := 0
	for _, rule := range diagnose.Default().Rules {
		var some []dropped
		for _, d := range conditionsOf(rule) {
			if n++; *everyCondition || n%conditionsEach == 0 {
				some = append(some, d)
			}
		}
		if some == nil {
			continue
		}
		t.Run(rule.Code, func(t *testing.T) {
			t.Parallel()
			for _, d := range some {
				noticed := slices.ContainsFunc(witnesses[rule.Code], func(w *witness) bool { return w.notices(t, rule, d.rule, baseline) })
				if why := unshown[d.what]; noticed == (why != "") {
					t.Errorf("a script fails without %s: %v; said to be impossible: %q", d.what, noticed, why)
				}
			}
		})
	}
}

// A dropped condition is a rule without it.
type dropped struct {
	what string
	rule diagnose.Rule
}

// conditionsOf drops each condition of a rule.
func conditionsOf(rule diagnose.Rule) []dropped {
	var all []dropped
	drop := func(part string, test diagnose.Test, set func(*diagnose.Rule, diagnose.Test)) {
		eachDropped(test, func(condition, rest diagnose.Test) {
			d := dropped{rule.Code + " " + part + ": " + condition.String(), rule}
			set(&d.rule, rest)
			all = append(all, d)
		})
	}
	drop("when", rule.When, func(r *diagnose.Rule, rest diagnose.Test) { r.When = rest })
	drop("critical", rule.Critical, func(r *diagnose.Rule, rest diagnose.Test) { r.Critical = rest })
	drop("mild", rule.Mild, func(r *diagnose.Rule, rest diagnose.Test) { r.Mild = rest })
	return all
}

// eachDropped calls do with each part of a test, at whatever depth, and what the test is without it.
func eachDropped(test diagnose.Test, do func(condition, rest diagnose.Test)) {
	var parts []diagnose.Test
	joined := func(parts []diagnose.Test) diagnose.Test { return diagnose.All(parts) }
	switch n := test.(type) {
	case diagnose.All:
		parts = n
	case diagnose.Any:
		parts, joined = n, func(parts []diagnose.Test) diagnose.Test { return diagnose.Any(parts) }
	}
	for i, part := range parts {
		do(part, joined(slices.Delete(slices.Clone(parts), i, i+1)))
		eachDropped(part, func(condition, rest diagnose.Test) {
			without := slices.Clone(parts)
			without[i] = rest
			do(condition, joined(without))
		})
	}
}

// A witness is a script, and those of its checks that one rule answers alone.
type witness struct {
	script   *scriptCase
	settings diagnose.Settings
	checks   []check
	source   diagnose.Source // nil until it is asked
}

// witnessesOf lists by rule the scripts that say something of it, the last first: what a condition is for is shown at the ends of files.
func witnessesOf(t *testing.T) map[string][]*witness {
	t.Helper()
	all := map[string][]*witness{}
	everyCase(t, func(c *scriptCase) {
		of := map[string]*witness{}
		for _, k := range c.checks {
			for code, line := range linesOf(k.line) {
				if of[code] == nil {
					of[code] = &witness{script: c, settings: c.settings}
					all[code] = append([]*witness{of[code]}, all[code]...)
				}
				of[code].checks = append(of[code].checks, check{k.at, line})
			}
		}
	})
	return all
}

// linesOf is what a check says of each rule that it names. One below another one is found, and so is the other one.
func linesOf(line string) map[string]string {
	words, whose := strings.Fields(line), ""
	if words[0] == "subject" {
		words, whose = words[2:], strings.Join(words[:2], " ")+" "
	}
	lines := map[string]string{}
	for i, code := range words {
		switch rest := strings.Join(words, " "); {
		case diagnose.Default().Rule(code) == nil || words[0] == "mutes" || words[0] == "spikes":
		case words[0] == "causes":
			others := func(word string) bool { return word != code }
			lines[code] = whose + "causes " + strings.Join(slices.DeleteFunc(slices.Clone(words[1:]), others), " ")
		case len(words) == 3 && words[1] == "below":
			lines[code] = whose + code
		case i < 2:
			lines[code] = whose + rest
		}
	}
	return lines
}

// notices tells whether a check fails of a rule without a condition that holds of the whole rule.
func (w *witness) notices(t *testing.T, whole, without diagnose.Rule, baseline func() *diagnose.Baseline) bool {
	t.Helper()
	if w.source == nil {
		w.source = &remembering{prom.NewEngine(w.script.loaded(t), w.settings.Step), map[question][]diagnose.Series{}}
		if w.script.baseline {
			w.settings.Baseline = baseline()
		}
		w.checks = slices.DeleteFunc(w.checks, func(k check) bool { return verify(w.report(t, whole, k.at), k.line) != "" })
	}
	return slices.ContainsFunc(w.checks, func(k check) bool { return verify(w.report(t, without, k.at), k.line) != "" })
}

// report judges one rule alone, which costs a tenth of the book.
func (w *witness) report(t *testing.T, rule diagnose.Rule, at time.Duration) *diagnose.Report {
	t.Helper()
	rule.Explains, rule.RuledOut = nil, nil
	book, err := diagnose.NewBook(diagnose.Default().Catalogue, []diagnose.Rule{rule}, nil)
	if err != nil {
		t.Fatal(err)
	}
	watch := diagnose.NewWatch(w.source, book, w.settings, time.Hour)
	watch.ShowAll(true)
	r, err := watch.Advance(t.Context(), time.UnixMilli(at.Milliseconds()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// remembering answers a question once: a rule without a condition asks what the whole rule asked.
type remembering struct {
	diagnose.Source
	answers map[question][]diagnose.Series
}

type question struct {
	expr     string
	from, to int64
	step     time.Duration
}

func (r *remembering) Range(ctx context.Context, expr string, from, to time.Time, step time.Duration) ([]diagnose.Series, error) {
	q := question{expr, from.UnixMilli(), to.UnixMilli(), step}
	if known, ok := r.answers[q]; ok {
		return known, nil
	}
	answer, err := r.Source.Range(ctx, expr, from, to, step)
	if err == nil {
		r.answers[q] = answer
	}
	return answer, err
}
