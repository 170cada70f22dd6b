package simulate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAgendaKeepsOrder(t *testing.T) {
	a := &agenda{}
	var happened []string
	note := func(what string) func() { return func() { happened = append(happened, what) } }
	a.at(2, note("two"))
	a.at(1, note("one"))
	a.at(2, note("two, asked later"))
	a.at(1.5, func() { a.at(1, note("past, as soon as possible")) })
	a.at(9, note("too late"))
	a.runTo(3)
	want := []string{"one", "past, as soon as possible", "two", "two, asked later"}
	if diff := cmp.Diff(want, happened); diff != "" {
		t.Error(diff)
	}
	if a.now != 3 {
		t.Errorf("the clock stands at %g, want 3", a.now)
	}
}

func TestAgendaRepeats(t *testing.T) {
	a := &agenda{}
	var times []float64
	a.every(10, func() { times = append(times, a.now) })
	a.runTo(35)
	if diff := cmp.Diff([]float64{10, 20, 30}, times); diff != "" {
		t.Error(diff)
	}
}
