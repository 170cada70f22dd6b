package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// certainties are the words for how sure a finding is, and the share of those called so that has to be right.
var certainties = []struct {
	word string
	goal float64
}{{"confirmed", 0.95}, {"likely", 0.75}, {"possible", 0.40}}

// calibration counts, by the word for how sure it was, the findings that were right, and those that were not by their codes.
type calibration map[string]*tally

type tally struct {
	right int
	wrong map[string]int
}

func (t *tally) n() int {
	n := t.right
	for _, wrong := range t.wrong {
		n += wrong
	}
	return n
}

func (c *calibration) of(word string) *tally {
	if *c == nil {
		*c = calibration{}
	}
	if (*c)[word] == nil {
		(*c)[word] = &tally{wrong: map[string]int{}}
	}
	return (*c)[word]
}

func (c *calibration) add(o calibration) {
	for word, t := range o {
		sum := c.of(word)
		sum.right += t.right
		for code, n := range t.wrong {
			sum.wrong[code] += n
		}
	}
}

// readings are when somebody looks at a fault, after its onset; the end comes on top.
var readings = []time.Duration{2 * time.Minute, 5 * time.Minute}

// happened are the rules that say what happened and not why: a server is gone, or has started anew. Where the cause explains that, or
// the fault does it, they are neither right nor wrong.
var happened = map[string]bool{"A1": true, "B1": true}

// calibrate holds what is told of a fault at some moments against what was done. Information, and what users feel whatever the cause,
// is not counted.
func (w watching) calibrate(t *testing.T, source *prom.Engine) calibration {
	t.Helper()
	var c calibration
	explained := diagnose.Default().Rule(w.scenario.Cause).Explained()
	for _, after := range append(slices.Clone(readings), w.length) {
		r, err := diagnose.JudgeAt(t.Context(), source, diagnose.Default(), w.set, began.Add(lead+min(after, w.length)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range w.causes(r) {
			switch code := f.Rule.Code; {
			case f.Severity < diagnose.Warning && code != w.scenario.Cause || felt[code]:
			case happened[code] && (w.scenario.Restarts || slices.Contains(explained, code)):
			case code == w.scenario.Cause || code == w.scenario.Also:
				c.of(f.Certainty()).right++
			default:
				t.Logf("called %s after %v and not so: %s", f.Certainty(), after, told(f))
				c.of(f.Certainty()).wrong[code]++
			}
		}
	}
	return c
}

// calibrationTable says how often findings were right, by the word for how sure they were.
func calibrationTable(all []measurement) string {
	var b strings.Builder
	b.WriteString("## How sure\n\nWhat was told as a warning or worse at the top, two minutes and five after the onset and in the end, by the word for how sure it was. What users feel whatever the cause\n(E1, E6, F3), and that a server is gone or started anew where the cause explains it or the fault does it (A1, B1), counts neither way.\n\n" +
		"| Watched | Called | Findings | Right | To reach | Wrong ones |\n|---|---|---|---|---|---|\n")
	for _, m := range all {
		sum := m.total().calibration
		for _, c := range certainties {
			if t := sum[c.word]; t != nil {
				fmt.Fprintf(&b, "| %s | %s | %d | %d %% | %.0f %% | %s |\n", m.name, c.word, t.n(), 100*t.right/t.n(), 100*c.goal, cmp.Or(listed(t.wrong), "none"))
			}
		}
	}
	return b.String()
}

// uncalibrated says which words promise more than was kept.
func (m measurement) uncalibrated() []string {
	var missed []string
	sum := m.total().calibration
	for _, c := range certainties {
		if t := sum[c.word]; t != nil && part(t.right, t.n()) < c.goal {
			missed = append(missed, fmt.Sprintf("of %d findings called %s %.0f %% are right, wanted %.0f %%", t.n(), c.word, 100*part(t.right, t.n()), 100*c.goal))
		}
	}
	return missed
}

func TestCalibrationCountsWhatWasCalledHow(t *testing.T) {
	var c calibration
	c.of("confirmed").right = 9
	c.of("likely").wrong["D4"] = 2
	var o calibration
	o.of("confirmed").wrong["D1"] = 1
	c.add(o)
	if got := c["confirmed"]; got.n() != 10 || got.right != 9 || !maps.Equal(got.wrong, map[string]int{"D1": 1}) || c["likely"].n() != 2 {
		t.Errorf("got %+v %+v", c["confirmed"], c["likely"])
	}
}
