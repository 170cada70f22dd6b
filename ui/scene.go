package ui

import (
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// scene is what every pane draws from: one report, and how to look at it.
type scene struct {
	*look
	report   *diagnose.Report // nil before the first
	waiting  string           // what is waited for until then
	now      time.Time        // the report's time, or later while no newer one comes
	late     time.Duration    // for how long that has been so, 0 while reports come in time
	span     time.Duration    // of sparklines and charts
	location *time.Location
	filter   filter
	advice   string           // on the interval
	subject  diagnose.Subject // what charts and the Why page are about; empty for the whole fleet
}

// clock prints a moment.
func (s *scene) clock(t time.Time) string { return t.In(s.location).Format(time.TimeOnly) }

// spans are those of sparklines and charts.
var spans = [...]time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour}

// intervals are those that a key goes through. Longer ones, whose windows of the rules grow with them, are a choice for the start.
var intervals = [...]time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
}

// neighbour is the next longer or shorter of some durations, or the last.
func neighbour(durations []time.Duration, d time.Duration, longer bool) time.Duration {
	best := d
	for _, other := range durations {
		switch {
		case longer && other > d:
			return other
		case !longer && other < d:
			best = other
		}
	}
	return best
}
