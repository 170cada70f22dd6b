package main

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// never is when something happens that does not happen.
const never = time.Duration(math.MaxInt64)

// course is how one fault went: what was said of it, and when.
type course struct {
	cause        string
	second       string          // of two faults at once
	named, fired time.Duration   // from the onset until the right cause stood first, and until it fired there
	late         time.Duration   // from when it could have fired at the latest until it did
	unasked      []string        // what was told before the onset; where there is no fault, as a warning or worse
	instead      map[string]bool // codes of what fired first instead, at any moment
	ended        []string        // codes of the causes that stand at the end, the first first
	firing       bool            // the first of them fires
	also         bool            // the second fault was told too, which may pass: a cold cache warms up
	unjudged     bool            // the last report says that the cause cannot be judged
	calibration  calibration
}

// follow watches a fault until it can be told.
func (w watching) follow(t *testing.T) course {
	t.Helper()
	s := w.scenario
	w.length = s.Shows
	c := course{cause: s.Cause, second: s.Also, named: never, fired: never, late: never, instead: map[string]bool{}}
	source := w.run(t, func(after time.Duration, r *diagnose.Report) {
		causes := w.causes(r)
		c.ended, c.firing = nil, len(causes) > 0 && causes[0].State == diagnose.Firing
		for _, f := range causes {
			c.ended = append(c.ended, f.Rule.Code)
			if after < 0 && s.Cause != "" || s.Cause == "" && f.Severity >= diagnose.Warning {
				c.unasked = append(c.unasked, after.String()+" after the onset: "+told(f))
			}
		}
		c.also = c.also || slices.ContainsFunc(r.Findings, func(f diagnose.Finding) bool { return f.Active() && f.Rule.Code == s.Also })
		c.unjudged = unjudged(r, s.Cause)
		if len(causes) > 0 {
			c.note(after, causes[0], w.set.Step)
		}
	})
	if w.calibrates {
		c.calibration = w.calibrate(t, source)
	}
	return c
}

// causes are those that stand in a report, the first first. Where nobody watches the GPUs, A5 says so at all times and rightly, and
// counts neither for nor against.
func (w watching) causes(r *diagnose.Report) []*diagnose.Finding {
	active, _ := r.Causes()
	return slices.DeleteFunc(active, func(f *diagnose.Finding) bool { return w.withoutGPUs && f.Rule.Code == "A5" })
}

// note takes down what stands first at a moment.
func (c *course) note(after time.Duration, first *diagnose.Finding, step time.Duration) {
	fires := first.State == diagnose.Firing
	switch {
	case first.Rule.Code != c.cause:
		if fires && first.Severity >= diagnose.Warning {
			c.instead[first.Rule.Code] = true
		}
	case after >= 0:
		c.named = min(c.named, after)
		if fires && c.fired == never {
			c.fired, c.late = after, max(0, after-first.Hold-filling(first.Rule.When, step))
		}
	}
}

// standing is what stands first in the end. What users feel, whatever the cause, is no other cause, and of two faults the second is true
// as well: beside them counts what the report says that it cannot judge.
func (c *course) standing() string {
	first := nothing
	if len(c.ended) > 0 {
		first = c.ended[0]
	}
	if c.unjudged && first != c.cause && (first == nothing || felt[first] || first == c.second) {
		return cannotJudge
	}
	return first
}

const (
	nothing     = "nothing"
	cannotJudge = "cannot judge"
)

// felt are the rules of what users feel and nothing more: a queue before the first token, a missed objective, clients that give up.
// E2 and E4 advise something of their own, and count as wrong where they are not the cause.
var felt = map[string]bool{"E1": true, "E6": true, "F3": true}

// unjudged tells whether a report says that a rule cannot be judged. Where no GPU is known there is nothing to judge a GPU's rules for,
// and A5 says it for them.
func unjudged(r *diagnose.Report, code string) bool {
	rule := r.Book().Rule(code)
	ofGPU := rule != nil && rule.Level == diagnose.GPU
	return slices.ContainsFunc(r.Unknown, func(u diagnose.Unjudged) bool { return u.Code == code }) ||
		ofGPU && slices.ContainsFunc(r.Findings, func(f diagnose.Finding) bool { return f.Active() && f.Rule.Code == "A5" })
}

const (
	longestFilling = 5 * time.Minute  // the longest window of rates and shares in the rule book (0.2)
	gpuFilling     = 90 * time.Second // three samples of an exporter that looks every 30 s (0.2)
)

// filling is how long a test needs until the windows that it reads hold nothing of the time before the fault: by the shortest way, where
// there are several. A window of more than five minutes is a memory of how it was, which a fault does not have to fill; where it is a
// trend, its length counts as late.
func filling(test diagnose.Test, step time.Duration) time.Duration {
	var longest time.Duration
	switch parts := test.(type) {
	case diagnose.All:
		for _, part := range parts {
			longest = max(longest, filling(part, step))
		}
	case diagnose.Any:
		longest = filling(parts[0], step)
		for _, part := range parts[1:] {
			longest = min(longest, filling(part, step))
		}
	case diagnose.Also:
		longest = filling(parts.Is, step)
	case diagnose.Is:
		longest = fillingOf(diagnose.Default().Signal(parts.Signal), step)
	}
	return longest
}

var words = regexp.MustCompile(`\w+`)

// fillingOf is the same of a signal, and of those that it is made of.
func fillingOf(s *diagnose.Signal, step time.Duration) time.Duration {
	window := s.Window
	for _, d := range diagnose.Default().Distributions {
		if s.Of == d.ID {
			window = d.Window
		}
	}
	if window == 0 && (s.Of != "" || strings.Contains(s.Expr, "$window")) {
		window = diagnose.DefaultWindow
	}
	if window > longestFilling {
		window = 0
	}
	window = max(window, 4*step)
	if s.Level == diagnose.GPU {
		window = max(window, gpuFilling)
	}
	for _, id := range words.FindAllString(s.Formula, -1) {
		if part := diagnose.Default().Signal(id); part != nil {
			window = max(window, fillingOf(part, step))
		}
	}
	return window
}

// What a rule may wait for: its windows, three samples of a GPU, and no memory of how it was.
func TestFilling(t *testing.T) {
	for code, want := range map[string]time.Duration{
		"D2": time.Minute, "D7": gpuFilling, "C3": gpuFilling, "G2": time.Minute, "A1": 20 * time.Second,
	} {
		if got := filling(diagnose.Default().Rule(code).When, 5*time.Second); got != want {
			t.Errorf("%s needs %v to fill, want %v", code, got, want)
		}
	}
}
