package diagnose

import (
	"fmt"
	"strings"
	"testing"
)

func TestTell(t *testing.T) {
	rule := func(code string) *Rule { return &Rule{Code: code} }
	down, blind := rule("A1"), rule("A5")
	finding := func(r *Rule, severity Severity, instance string) *Finding {
		return &Finding{Rule: r, Severity: severity, State: Firing, Subject: Subject{Instance: instance}}
	}
	met := func(instance, sentence string) *Finding {
		f := finding(down, Critical, instance)
		f.Sentence = sentence
		return f
	}
	for _, row := range []struct {
		name     string
		findings []*Finding
		want     string // code and how many others
	}{
		{"three servers down are three lines", []*Finding{
			finding(down, Critical, "a"), finding(down, Critical, "b"), finding(down, Critical, "c"),
		}, "A1+0 A1+0 A1+0"},
		{"four are one", []*Finding{
			finding(down, Critical, "a"), finding(down, Critical, "b"), finding(down, Critical, "c"), finding(down, Critical, "d"),
		}, "A1+3"},
		{"other severities are other news", []*Finding{
			finding(down, Critical, "a"), finding(down, Warning, "b"), finding(down, Critical, "c"), finding(down, Critical, "d"),
		}, "A1+0 A1+0 A1+0 A1+0"},
		{"four that met different things are four", []*Finding{
			met("a", "404"), met("b", "a log-in page"), met("c", "JSON"), met("d", "a redirect"),
		}, "A1+0 A1+0 A1+0 A1+0"},
		{"information is told once", []*Finding{
			finding(blind, Information, "a"), finding(down, Critical, "b"), finding(blind, Information, "c"),
		}, "A5+1 A1+0"},
		{"nothing", nil, ""},
	} {
		var got []string
		for _, one := range Tell(row.findings) {
			got = append(got, fmt.Sprintf("%s+%d", one.Rule.Code, len(one.Others)))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %s, want %s", row.name, strings.Join(got, " "), row.want)
		}
	}
}

// A cause counts for the exit code as soon as what it explains does.
func TestACauseCountsWithItsConsequences(t *testing.T) {
	book := Default()
	replica := Subject{Level: Replica, Instance: "a:8000", Model: "m"}
	r := &Report{book: book, Findings: []Finding{
		{Rule: book.Rule("D1"), Subject: replica, State: Pending, Severity: Critical},
		{Rule: book.Rule("E1"), Subject: replica, State: Firing, Severity: Critical},
	}}
	if r.Findings[0].Counts() {
		t.Error("pending, not throughout: counts")
	}
	if relate(r); !r.Findings[0].Counts() || r.Findings[1].ExplainedBy == nil {
		t.Error("the cause of what fires does not count")
	}
}
