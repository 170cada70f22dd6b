package ui

import (
	"slices"
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

// The sign of a way that need not be open is explained below, where it stands, and nowhere else.
func TestMootConditionsAreExplained(t *testing.T) {
	s := &scene{look: newLook(Dark, false), report: &diagnose.Report{}}
	for _, is := range []bool{true, false} {
		row := &reason{rule: &diagnose.Rule{}, conditions: []diagnose.Evidence{{Outcome: diagnose.False, Moot: is}}}
		mark, _ := s.holds(&row.conditions[0])
		told := slices.ContainsFunc(s.paragraphs(row), func(p paragraph) bool {
			return p.label == mark && p.text == "need not be true: one of several ways is enough, and another is true"
		})
		if told != is {
			t.Errorf("moot %v, told %v", is, told)
		}
	}
}
