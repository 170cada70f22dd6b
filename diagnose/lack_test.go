package diagnose

import (
	"fmt"
	"slices"
	"testing"
)

func TestLacksAreToldOnce(t *testing.T) {
	a, b, c := Subject{Instance: "a"}, Subject{Instance: "b"}, Subject{Instance: "c"}
	gpu, both := []string{"no GPU metrics"}, []string{"no GPU metrics", "no reasons"}
	r := Report{Unknown: []Unjudged{
		{Code: "D7", Subject: a, Enable: gpu},
		{Code: "D8", Subject: a, Enable: both},
		{Code: "D7", Subject: b, Enable: gpu},
		{Code: "D8", Subject: b, Enable: gpu},
		{Code: "D7", Subject: c, Enable: gpu},
	}}
	told := func(lacks []Lack) (all []string) {
		for _, l := range lacks {
			text := ""
			for _, s := range l.Subjects {
				text += s.Name()
			}
			all = append(all, fmt.Sprint(l.Codes, " ", text, ": ", l.Enable))
		}
		return all
	}
	want := []string{"[D7 D8] ab: no GPU metrics", "[D8] a: no reasons", "[D7] c: no GPU metrics"}
	if got := told(r.Lacks()); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	want = []string{"[D7 D8] abc: no GPU metrics", "[D8] a: no reasons"}
	if got := told(r.Remedies()); !slices.Equal(got, want) {
		t.Errorf("remedies %q, want %q", got, want)
	}
	if got := r.UnknownCodes(); !slices.Equal(got, []string{"D7", "D8"}) {
		t.Errorf("unknown %v, want D7 and D8 once each", got)
	}
}
