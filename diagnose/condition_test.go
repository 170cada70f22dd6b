package diagnose

import (
	"math"
	"testing"
)

func TestThreeValuedLogic(t *testing.T) {
	value := func(id string) float64 {
		return map[string]float64{"yes": 1, "no": 0, "unknown": math.NaN()}[id]
	}
	is := func(id string) Test { return Is{id, AtLeast, 1, Judgement} }
	also := func(id string) Test { return Also{Is{id, AtLeast, 1, Judgement}} }
	tests := []struct {
		test Test
		want Truth
	}{
		{is("yes"), True},
		{is("no"), False},
		{is("unknown"), Unknown},
		{All{is("yes"), is("yes")}, True},
		{All{is("yes"), is("unknown")}, Unknown},
		{All{is("no"), is("unknown")}, False}, // an unknown in what is false already is not worth telling
		{Any{is("no"), is("unknown")}, Unknown},
		{Any{is("yes"), is("unknown")}, True},
		{Any{is("no"), is("no")}, False},
		{All{is("yes"), Any{is("unknown"), is("yes")}}, True},
		{Any{is("no"), also("unknown")}, False}, // what few tell is left out where nobody does
		{All{is("yes"), also("unknown")}, True},
		{Any{is("unknown"), also("unknown")}, Unknown},
		{Any{is("no"), also("yes")}, True},
		{All{is("yes"), also("no")}, False},
	}
	for _, tt := range tests {
		if got := judge(tt.test, value); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.test, got, tt.want)
		}
	}
}

func TestClearingTakesMoreThanNotFiring(t *testing.T) {
	r := Rule{When: All{Is{"kv", AtLeast, 0.9, Judgement}}}
	tests := []struct {
		kv   float64
		want Outcome
	}{
		{0.80, No}, {0.82, Band}, {0.89, Band}, {0.90, Yes}, {0.99, Yes}, {math.NaN(), CannotJudge},
	}
	for _, tt := range tests {
		if got, _ := r.outcome(func(string) (float64, bool) { return tt.kv, true }); got != tt.want {
			t.Errorf("kv %v: got %v, want %v", tt.kv, got, tt.want)
		}
	}
	below := Rule{When: All{Is{"gpu", Below, 0.5, Judgement}}}
	for gpu, want := range map[float64]Outcome{0.4: Yes, 0.5: Band, 0.54: Band, 0.56: No} {
		if got, _ := below.outcome(func(string) (float64, bool) { return gpu, true }); got != want {
			t.Errorf("gpu %v: got %v, want %v", gpu, got, want)
		}
	}
}

func TestComparisonsAreWrittenOut(t *testing.T) {
	test := All{Is{"waiting", AtLeast, 1, Judgement}, Any{Is{"kv", Above, 0.85, Judgement}, Is{"up", Equals, 0, Judgement}}}
	if got, want := test.String(), "waiting ≥ 1 and (kv > 0.85 or up = 0)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWeigh(t *testing.T) {
	look := func(id string) Fact {
		f := Fact{Signal: &Signal{ID: id}, Value: math.NaN(), Absence: NotExported}
		if id == "five" {
			f.Value, f.Absence = 5, Present
		}
		return f
	}
	is := func(op Op, limit float64) Is {
		return Is{Signal: "five", Op: op, Threshold: limit}
	}
	absent := Is{Signal: "absent", Op: Above, Threshold: 1}
	yes, no := is(AtLeast, 5), is(Above, 5)
	for _, row := range []struct {
		name string
		test Test
		want Truth
		moot string // of each condition
	}{
		{"above", no, False, "-"},
		{"at least", yes, True, "-"},
		{"below", is(Below, 5), False, "-"},
		{"at most", is(AtMost, 5), True, "-"},
		{"equals", is(Equals, 5), True, "-"},
		{"not", is(Not, 5), False, "-"},
		{"absent", absent, Unknown, "-"},
		{"false decides an all", All{absent, no, yes}, False, "---"},
		{"an all with something unknown", All{absent, yes}, Unknown, "--"},
		{"true decides an any", Any{absent, no, yes}, True, "mm-"},
		{"an any with something unknown", Any{absent, no}, Unknown, "--"},
		{"an all in an any", Any{All{yes, no}, yes}, True, "-m-"},
	} {
		truth, conditions := row.test.weigh(look)
		moot := ""
		for _, c := range conditions {
			moot += map[bool]string{true: "m", false: "-"}[c.Moot]
		}
		if truth != row.want || moot != row.moot {
			t.Errorf("%s: %s %s, want %s %s", row.name, truth, moot, row.want, row.moot)
		}
	}
}

func TestWhatNobodyTellsIsNoEvidence(t *testing.T) {
	facts := map[string]Fact{"told": {Value: 0}, "untold": {Value: math.NaN(), Absence: NotExported}}
	look := func(id string) Fact { return facts[id] }
	test := Any{Is{"told", AtLeast, 1, Judgement}, Also{Is{"untold", AtLeast, 1, Judgement}}}
	if truth, evidence := test.weigh(look); truth != False || len(evidence) != 1 || evidence[0].Is.Signal != "told" {
		t.Errorf("%s, %v", truth, evidence)
	}
	if lacking := unknowns(test, func(id string) float64 { return facts[id].Value }); lacking != nil {
		t.Errorf("lacks %v", lacking)
	}
}
