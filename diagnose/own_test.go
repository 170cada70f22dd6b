package diagnose

import (
	"math"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
)

// ownTrack is a track of one rule of the user's that asks for a minute, by the values of its series at ticks 5 s apart.
func ownTrack(series map[string][]float64) *Track {
	tell := func(series labels.Labels, _ float64, _ time.Time) (alert, annotations map[string]string) {
		return series.Map(), nil
	}
	rule := OwnRule{Rule: Rule{Code: "U1", Name: "Mine", Hold: time.Minute, Expr: "load > 0"}, Tell: tell}
	t := &Track{
		book: Default().WithOwn(&OwnRules{Rules: []OwnRule{rule}}), settings: Settings{Step: 5 * time.Second},
		begin: time.UnixMilli(100_000), from: 100_000, own: map[ownKey]ownRow{},
	}
	for severity, values := range series {
		t.ticks = len(values)
		t.own[ownKey{0, severity}] = ownRow{labels.FromStrings("severity", severity), values}
	}
	return t
}

// An alert was true throughout when it was there at every tick of its minute, two at least; before the first scrapes nobody knows. A pending
// one counts for an exit code then.
func TestOwnAlertsThroughoutTheirHold(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		since  int // tick of the first data
		state  State
		want   bool
	}{
		{[]float64{1}, 0, Pending, false},
		{[]float64{1, 1}, 0, Pending, true},
		{[]float64{1, 1, 1, 1}, 0, Pending, true},
		{[]float64{nan, 1, 1, 1}, 0, Pending, true}, // a rate takes two scrapes
		{[]float64{nan, nan, 1, 1}, 0, Pending, false},
		{[]float64{1, nan, 1, 1}, 0, Pending, false},
		{[]float64{1, 1, 1, 1}, -1, Pending, true},
		{[]float64{1, 1, 1, 1}, -2, Pending, false}, // what was before is not known any more
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, nan}, 0, Resolved, false},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 0, Firing, true},
		{[]float64{nan, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, -2, Firing, true},
	} {
		track := ownTrack(map[string][]float64{"warning": c.values})
		track.begin = time.UnixMilli(track.tick(c.since))
		found := track.At(time.UnixMilli(track.tick(len(c.values) - 1))).Findings
		if len(found) != 1 || found[0].State != c.state || found[0].Throughout != c.want || found[0].Counts() != (c.want || c.state == Firing) {
			t.Errorf("%v, data since tick %d: %+v, want one that is %s and was true throughout: %v", c.values, c.since, found, c.state, c.want)
		}
	}
}

// What is over is told by when it began, as the book's own findings are.
func TestOwnAlertsThatAreOverBeganWhenTheyBegan(t *testing.T) {
	values := absentColumn(26)
	for i := 3; i < 20; i++ {
		values[i] = 1
	}
	track := ownTrack(map[string][]float64{"warning": values})
	at := time.UnixMilli(track.tick(25))
	found := track.At(at).Findings
	if len(found) != 1 || found[0].State != Resolved || found[0].Since != time.UnixMilli(track.tick(3)) {
		t.Errorf("%+v, want one that is over and began at tick 3", found)
	}
}

// Series about one subject are one finding: the surest, of those the worst, and how many more there are.
func TestOwnAlertsAboutOneSubjectAreOne(t *testing.T) {
	// The 14th tick is the first after a minute up to which such rules are judged.
	since := func(tick int) []float64 {
		values := absentColumn(14)
		for i := range values[tick:] {
			values[tick+i] = 1
		}
		return values
	}
	for _, c := range []struct {
		what          string
		info, warning []float64
		want          Severity
	}{
		{"both fire", since(0), since(0), Warning},
		{"both are pending", since(2), since(3), Warning},
		{"only the milder one fires", since(0), since(3), Information},
	} {
		track := ownTrack(map[string][]float64{"info": c.info, "warning": c.warning})
		found := track.At(time.UnixMilli(track.tick(13))).Findings
		if len(found) != 1 || found[0].Severity != c.want || found[0].Sentence != "This is so: load > 0 (and 1 more series)" {
			t.Errorf("%s: %+v, want one that is %s", c.what, found, c.want)
		}
	}
}
