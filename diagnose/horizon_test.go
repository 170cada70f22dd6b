package diagnose

import (
	"math"
	"testing"
	"time"
)

// As long as there is no more data than a short window, a long one holds what that holds, fewer of it a second; from then on its own.
func TestALongWindowIsAShortOneWhileThereIsNoMoreData(t *testing.T) {
	model := Subject{Level: Model, Model: "m"}
	counts := func(byTick ...float64) distribution {
		d := distribution{}
		for _, count := range byTick {
			d[model] = append(d[model], buckets{{math.Inf(1), count}})
		}
		return d
	}
	settings := Settings{Step: time.Minute}
	c := computation{
		distributions: map[string]distribution{"short": counts(6, 12, 18)},
		Facts: &Facts{
			catalogue: &Catalogue{buckets: map[string]*Distribution{"short": {ID: "short", Window: 5 * time.Minute}}},
			settings:  settings, begin: time.UnixMilli(0), ticks: settings.ticks(time.UnixMilli(240_000), time.UnixMilli(360_000)),
		},
	}
	found := counts(100, 100, 100)
	if err := c.shorten(t.Context(), &Distribution{ID: "long", Window: 30 * time.Minute, Shorter: "short"}, found); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 2, 100} {
		if got := found[model][i].total(); got != want {
			t.Errorf("%v after the first data: %v a second, want %v", time.UnixMilli(c.ticks[i]).Sub(c.begin), got, want)
		}
	}
}
