package diagnose

import (
	"fmt"
	"testing"
	"time"
)

// Distributions of a small fleet are read at every tick; of a large one with the whole book, also where a fleet has grown in the chunk, and
// those of hours once a minute in either.
func TestDistributionsOfALargeFleetAreReadWithTheWholeBook(t *testing.T) {
	const often, seldom, both = "125:125 130:130 135:135 140:140 ", "125:120 130:120 135:135 140:135 ", "125:125 130:130 135:135 140:135 "
	const fine, coarse = 5 * time.Second, 30 * time.Second
	for _, fleet := range []struct {
		replicas, more int // from the first tick on, and at the last one
		every, step    time.Duration
		want           string
	}{
		{smallFleet, 0, 0, fine, often},
		{smallFleet + 1, 0, 0, fine, seldom},
		{smallFleet, 1, 0, fine, both},
		{smallFleet, 0, SlowInterval, fine, "125:120 130:120 135:120 140:120 "},
		{smallFleet + 1, 0, SlowInterval, fine, "125:120 130:120 135:120 140:120 "},
		{smallFleet + 1, 0, 0, coarse, "150:90 180:180 210:180 240:180 "},
		{smallFleet + 1, 0, SlowInterval, coarse, "150:120 180:180 210:180 240:240 "},
	} {
		settings := Settings{Step: fleet.step}
		c := computation{source: &countingSource{}, Facts: &Facts{
			resolver: &resolver{rewriter: rewriter{names: map[string]bool{"x": true}}, resolved: map[resolvedKey]resolvedExpr{}},
			settings: settings, begin: time.UnixMilli(0), ticks: settings.ticks(time.Unix(121, 0), time.Unix(121, 0).Add(4*settings.Step-1)), subjects: map[Subject]*subjectFacts{},
		}}
		for n := range fleet.replicas + fleet.more {
			for i := range c.ticks {
				if n < fleet.replicas || i == len(c.ticks)-1 {
					c.present(Subject{Level: Replica, Instance: fmt.Sprint(n)}, i)
				}
			}
		}
		series, err := c.queryBuckets(t.Context(), &Distribution{Every: fleet.every}, "x")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, one := range series {
			for _, p := range one.Points {
				got += fmt.Sprintf("%d:%v ", p.Time/1000, p.Value)
			}
		}
		if got != fleet.want {
			t.Errorf("%d replicas and %d more, every %v, %v apart: %swant %s", fleet.replicas, fleet.more, fleet.every, fleet.step, got, fleet.want)
		}
	}
}
