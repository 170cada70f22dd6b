package diagnose_test

import (
	"sync"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// metCases counts by rule how often each of its cases was told.
type metCases struct {
	mu    sync.Mutex
	times map[string][]int
}

// note takes down what stands in reports. What is not true now is told as it was, unless its case is that it is over.
func (met *metCases) note(reports map[time.Duration]*diagnose.Report) {
	met.mu.Lock()
	defer met.mu.Unlock()
	for _, r := range reports {
		for i := range r.Findings {
			f := &r.Findings[i]
			j := r.CaseOf(f)
			if f.Quiet == 0 || j < len(f.Rule.Cases) && f.Rule.Cases[j].Over {
				met.of(f.Rule)[j]++
			}
		}
	}
}

func (met *metCases) of(rule *diagnose.Rule) []int {
	if met.times == nil {
		met.times = map[string][]int{}
	}
	if met.times[rule.Code] == nil {
		met.times[rule.Code] = make([]int, len(rule.Cases)+1)
	}
	return met.times[rule.Code]
}

// neverTold are rules whose own sentence nobody reads, since their cases take all that they can find.
var neverTold = map[string]bool{"E6": true}

// verify asks that some script has met each case of the rule book: words that nobody has read may be false.
func (met *metCases) verify(t *testing.T) {
	t.Helper()
	for i := range diagnose.Default().Rules {
		rule := &diagnose.Default().Rules[i]
		for j, n := range met.of(rule) {
			var c diagnose.Case
			if j < len(rule.Cases) {
				c = rule.Cases[j]
			}
			if own := j == len(rule.Cases); n > 0 == (own && neverTold[rule.Code]) {
				t.Errorf("scripts meet case %d of %s (%q, %v) %d times", j, rule.Code, rule.Complete(c).Name, c.If, n)
			}
		}
	}
}
