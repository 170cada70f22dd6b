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
