package ui

import (
	"math"
	"strings"
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

func TestGathered(t *testing.T) {
	rule := func(code string) *diagnose.Rule { return &diagnose.Rule{Code: code} }
	down, blind := rule("A1"), rule("A5")
	finding := func(r *diagnose.Rule, severity diagnose.Severity, instance string) item {
		f := &diagnose.Finding{Rule: r, Severity: severity, State: diagnose.Firing, Subject: diagnose.Subject{Instance: instance}}
		return item{key: itemKey{ref: f.Ref()}, finding: f}
	}
	for _, row := range []struct {
		name  string
		items []item
		want  string // code and how many others
	}{
		{"three servers down are three lines", []item{
			finding(down, diagnose.Critical, "a"), finding(down, diagnose.Critical, "b"), finding(down, diagnose.Critical, "c"),
		}, "A1+0 A1+0 A1+0"},
		{"four are one", []item{
			finding(down, diagnose.Critical, "a"), finding(down, diagnose.Critical, "b"), finding(down, diagnose.Critical, "c"), finding(down, diagnose.Critical, "d"),
		}, "A1+3"},
		{"other severities are other news", []item{
			finding(down, diagnose.Critical, "a"), finding(down, diagnose.Warning, "b"), finding(down, diagnose.Critical, "c"), finding(down, diagnose.Critical, "d"),
		}, "A1+0 A1+0 A1+0 A1+0"},
		{"information is told once", []item{
			finding(blind, diagnose.Information, "a"), finding(down, diagnose.Critical, "b"), finding(blind, diagnose.Information, "c"),
		}, "A5+1 A1+0"},
		{"nothing", nil, ""},
	} {
		var got []string
		for _, one := range gathered(row.items) {
			got = append(got, one.finding.Rule.Code+"+"+diagnose.Count.Format(float64(one.others)))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %s, want %s", row.name, strings.Join(got, " "), row.want)
		}
	}
}

// TestBlocks shares the lines of the findings pane out: the selected finding is told in full before the others.
func TestBlocks(t *testing.T) {
	keys := []itemKey{{what: "a"}, {what: "b"}, {what: "c"}}
	p := findingsPane{items: []item{{key: keys[0]}, {key: keys[1]}, {key: keys[2]}}, reserved: map[itemKey]int{keys[0]: 5, keys[1]: 4, keys[2]: 1}}
	for _, row := range []struct {
		selected, height int
		want             string
	}{
		{0, 20, "5 4 1"}, {0, 10, "5 4 1"}, {0, 9, "5 1 1"}, {1, 9, "1 4 1"}, {2, 9, "5 1 1"}, {0, 2, "5 1 1"},
	} {
		p.cursor.choose(keys[row.selected])
		var got []float64
		for _, n := range p.blocks(row.height) {
			got = append(got, float64(n))
		}
		if show(got) != row.want {
			t.Errorf("item %d of %d lines: %s, want %s", row.selected, row.height, show(got), row.want)
		}
	}
}

// TestReservedLines makes a sentence longer and shorter again: what is below it does not move back.
func TestReservedLines(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	m := screen(t, Options{}, 80, 40, r)
	m.View()
	key := m.findings.items[0].key
	lines := m.findings.reserved[key]
	longer := *r
	longer.Findings = append([]diagnose.Finding(nil), r.Findings...)
	longer.Findings[0].Sentence += " And this is a sentence that makes it longer than it was by one line at least."
	for range 2 {
		m.Update(reportMsg{&longer, r.Time})
		m.View()
		m.Update(reportMsg{r, r.Time})
		m.View()
	}
	if got := m.findings.reserved[key]; got != lines+1 {
		t.Errorf("%d lines are reserved, before the longer sentence it was %d", got, lines)
	}
}

func TestUsersLine(t *testing.T) {
	nan := math.NaN()
	r := judged(t, readScene(t, "healthy"), sceneEnd)
	s := &scene{look: newLook(Dark, false), report: r}
	for _, row := range []struct {
		name  string
		users diagnose.Users
		brief bool
		want  string
	}{
		{
			"all known",
			diagnose.Users{LateLow: 0.38, LateHigh: 0.52, N: 57, Errors: 0.004, PerMinute: 210, GoodLow: 1.7, GoodHigh: 1.7},
			false,
			"38–52 % of chat requests over 3 s · 0.4 % errors · 210 req/min · good-put 1.7/s",
		},
		{
			"narrow",
			diagnose.Users{LateLow: 0.38, LateHigh: 0.52, Errors: 0, PerMinute: 210, GoodLow: 1.4, GoodHigh: 1.7},
			true,
			"38–52 % over 3 s · 0 % errors · 210 req/min · good-put 1.4–1.7/s",
		},
		{
			"no first token",
			diagnose.Users{LateLow: nan, LateHigh: nan, Errors: nan, PerMinute: 0, GoodLow: nan, GoodHigh: nan},
			false,
			"no first token in 1m · 0 req/min",
		},
	} {
		var got []string
		for _, part := range s.usersParts(row.users, row.brief) {
			got = append(got, part.text)
		}
		if strings.Join(got, " · ") != row.want {
			t.Errorf("%s: %s\nwant %s", row.name, strings.Join(got, " · "), row.want)
		}
	}
}
