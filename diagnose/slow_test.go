package diagnose

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// countingSource says of every moment how many seconds it is after the epoch, and counts of how many it is asked.
type countingSource struct {
	Source
	asked int
}

func (s *countingSource) Range(_ context.Context, _ string, from, to time.Time, step time.Duration) ([]Series, error) {
	one := Series{Labels: labels.FromStrings("instance", "a:8000")}
	for at := from; !at.After(to); at = at.Add(step) {
		s.asked++
		one.Points = append(one.Points, Point{at.UnixMilli(), float64(at.Unix())})
	}
	return []Series{one}, nil
}

// A slow signal is read once a minute; a tick has what the minute before it said, whether that was kept or is read again. In the first
// minute of the data, whenever that begins, it is read at every tick.
func TestSlowSignalsAreReadOnceAMinute(t *testing.T) {
	slow := Signal{ID: "x", Expr: "x", Every: time.Minute, Level: Target}
	read := func(kept *slowReadings, source Source, from, to time.Duration) string {
		c := computation{source: source, slow: kept, Facts: &Facts{
			resolver: &resolver{rewriter: rewriter{names: map[string]bool{"x": true}}, resolved: map[resolvedKey]resolvedExpr{}},
			settings: Settings{Step: 5 * time.Second}, begin: time.UnixMilli(0), ticks: Settings{Step: 5 * time.Second}.ticks(time.UnixMilli(0).Add(from), time.UnixMilli(0).Add(to)),
		}}
		series, err := c.query(t.Context(), slow.Expr, 0, false, slow.Every)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, one := range series {
			for _, p := range one.Points {
				text += fmt.Sprintf("%d:%v ", p.Time/1000, p.Value)
			}
		}
		return text
	}
	source, kept := &countingSource{}, &slowReadings{}
	for _, part := range []struct {
		from, to time.Duration
		want     string
		asked    int
	}{
		{35 * time.Second, 45 * time.Second, "35:35 40:40 45:45 ", 3},
		{115 * time.Second, 125 * time.Second, "115:60 120:120 125:120 ", 5},
		{130 * time.Second, 140 * time.Second, "130:120 135:120 140:120 ", 5},
		{175 * time.Second, 175 * time.Second, "175:120 ", 5},
		{175 * time.Second, 185 * time.Second, "175:120 180:180 185:180 ", 6}, // of which the first is still known
		{240 * time.Second, 245 * time.Second, "240:240 245:240 ", 7},
	} {
		if got := read(kept, source, part.from, part.to); got != part.want || source.asked != part.asked {
			t.Errorf("%v to %v: %safter %d moments, want %safter %d", part.from, part.to, got, source.asked, part.want, part.asked)
		}
		if got := read(nil, &countingSource{}, part.from, part.to); got != part.want {
			t.Errorf("%v to %v, nothing kept: %swant %s", part.from, part.to, got, part.want)
		}
	}
}

// Expressions change with the names that the targets have: those that nobody asks for again are forgotten.
func TestSlowReadingsAreForgotten(t *testing.T) {
	kept := &slowReadings{}
	minute := time.Minute.Milliseconds()
	kept.keep("old", 5*minute, nil)
	kept.keep("new", 7*minute, nil)
	if _, known := kept.at("old", 5*minute); !known {
		t.Error("the minute before the last is forgotten")
	}
	kept.keep("new", 8*minute, nil)
	if len(kept.readings) != 1 {
		t.Errorf("%d readings are kept", len(kept.readings))
	}
}
