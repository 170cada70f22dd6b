package diagnose

import (
	"math"
	"testing"
	"time"
)

func TestConfidence(t *testing.T) {
	value := map[string]float64{"yes": 1, "no": 0, "unknown": math.NaN()}
	look := func(id string) Fact { return Fact{Value: value[id]} }
	is := func(ids ...string) (all []Is) {
		for _, id := range ids {
			all = append(all, Is{id, AtLeast, 1, Judgement})
		}
		return all
	}
	for _, row := range []struct {
		name              string
		supports, against []Is
		finding           Finding
		want              float64
	}{
		{"the rule's own", nil, nil, Finding{State: Firing}, 0.75},
		{"what supports it", is("yes"), nil, Finding{State: Firing}, 0.85},
		{"what does not", is("no"), nil, Finding{State: Firing}, 0.75},
		{"what is not known", is("unknown"), nil, Finding{State: Firing}, 0.6},
		{"what speaks against it", nil, is("yes"), Finding{State: Firing}, 0.45},
		{"what would, and is not so or not known", nil, is("no", "unknown"), Finding{State: Firing}, 0.75},
		{"both", is("yes", "unknown"), is("yes"), Finding{State: Firing}, 0.4},
		{"pending for half of its hold", nil, nil, Finding{State: Pending, Held: time.Minute, Hold: 2 * time.Minute}, 0.63},
		{"never sure", is("yes", "yes", "yes"), nil, Finding{State: Firing}, 0.95},
		{"never impossible", nil, is("yes", "yes", "yes"), Finding{State: Firing}, 0.05},
	} {
		r := Rule{Confidence: 0.75, Supports: row.supports, Against: row.against}
		if got := confidence(&r, &row.finding, look); got != row.want {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
		}
	}
}

func TestWants(t *testing.T) {
	for _, row := range []struct {
		unit Unit
		is   Is
		want string
		then string // behind "true if"
	}{
		{Share, Is{Op: AtLeast, Threshold: 0.9}, "≥ 90 %", "≥ 90 %"},
		{YesNo, Is{Op: Equals, Threshold: 0}, "= no", "no"},
		{YesNo, Is{Op: Below, Threshold: 1}, "= no", "no"},
		{YesNo, Is{Op: AtLeast, Threshold: 1}, "= yes", "yes"},
		{Count, Is{Op: AtMost, Threshold: 0}, "= 0", "0"},
		{PerSecond, Is{Op: AtMost, Threshold: 0}, "= 0/s", "0/s"},
		{Count, Is{Op: AtMost, Threshold: 1}, "≤ 1", "≤ 1"},
		{Count, Is{Op: Above, Threshold: 0}, "> 0", "> 0"},
	} {
		fact := Fact{Signal: &Signal{Unit: row.unit}}
		if got := fact.Wants(row.is); got != row.want || fact.TrueIf(row.is) != row.then {
			t.Errorf("%v %s: %q and %q, want %q and %q", row.unit, row.is, got, fact.TrueIf(row.is), row.want, row.then)
		}
	}
}

func TestASignalThatIsNotInTheBookHasNoValue(t *testing.T) {
	r := Report{book: Default(), Time: time.UnixMilli(0), Settings: Settings{Step: time.Second}, facts: recent{{ticks: []int64{0}}}}
	if f := r.Fact("no_such_signal", Subject{}); f.Known() || !math.IsNaN(f.Value) || f.Text() != Absent {
		t.Errorf("got %+v", f)
	}
}
