package diagnose

import (
	"math"
	"strings"
	"testing"
	"time"
)

// The users of a model are measured by its own objective.
func TestUsersOfModelsWithTheirOwnObjectives(t *testing.T) {
	subject := func(model string) Subject { return Subject{Level: Replica, Instance: model, Model: model} }
	r := Report{
		Settings: Settings{SLO: Profiles[0], SLOByModel: map[string]SLO{"b": {Name: "b", TTFT: time.Second, Share: 0.9}}}, book: Default(),
		Replicas: []Subject{subject("a")},
	}
	if profile, objective := r.firstTokenObjective(); profile != "chat" || objective != "3 s" {
		t.Errorf("one model: %s, %s", profile, objective)
	}
	r.Replicas = []Subject{subject("b"), subject("b")}
	if profile, objective := r.firstTokenObjective(); profile != "b" || objective != "1 s" {
		t.Errorf("its own: %s, %s", profile, objective)
	}
	r.Replicas = []Subject{subject("a"), subject("b")}
	if profile, objective := r.firstTokenObjective(); profile != "" || objective != "their model's objective" {
		t.Errorf("two: %s, %s", profile, objective)
	}
	if allowed := r.Settings.Objective("b").Allowed(); allowed != 0.1 {
		t.Errorf("b may miss %v", allowed)
	}
}

func TestUsersInWords(t *testing.T) {
	nan := math.NaN()
	for _, row := range []struct {
		name  string
		users Users
		brief bool
		want  string
	}{
		{
			"all known",
			Users{LateLow: 0.38, LateHigh: 0.52, N: 57, Errors: 0.004, PerMinute: 210, GoodLow: 1.7, GoodHigh: 1.7},
			false,
			"38–52 % of chat requests over 3 s · 0.4 % errors · 210 req/min · good-put 1.7/s",
		},
		{
			"narrow",
			Users{LateLow: 0.38, LateHigh: 0.52, Errors: 0, PerMinute: 210, GoodLow: 1.4, GoodHigh: 1.7},
			true,
			"38–52 % over 3 s · 0 % errors · good-put 1.4–1.7/s · 210 req/min",
		},
		{
			"no token for a while",
			Users{LateLow: 0, LateHigh: 0, Errors: 0, PerMinute: 44, GoodLow: nan, Stalled: 83, Tokenless: 28 * time.Second},
			true,
			"83 requests get no token for 28s · 0 % over 3 s · 0 % errors · 44 req/min",
		},
		{
			"some answer with something else than their figures",
			Users{LateLow: nan, Errors: nan, PerMinute: nan, GoodLow: nan, GPUBusy: nan, Silent: 3, Pageless: 2, Servers: 4},
			false,
			"1 of 4 servers silent · 2 of 4 servers answer without figures",
		},
		{
			"no first token",
			Users{LateLow: nan, LateHigh: nan, Errors: nan, PerMinute: 0, GoodLow: nan, GoodHigh: nan, Span: 18 * time.Second},
			false,
			"no first token in 18s · 0 req/min",
		},
		{
			"no requests",
			Users{LateLow: nan, LateHigh: nan, Errors: nan, PerMinute: 0, GoodLow: nan, GoodHigh: nan, Span: 18 * time.Second, Idle: true},
			false,
			"no requests in 18s · 0 req/min",
		},
		{
			"tokens too far apart",
			Users{LateLow: 0, LateHigh: 0, ApartLow: 0.62, ApartHigh: 0.62, ApartAllowed: 0.01, Token: "50 ms", Errors: nan, PerMinute: 60, GoodLow: 0.38, GoodHigh: 0.38},
			false,
			"0 % of chat requests over 3 s · 62 % have tokens over 50 ms apart · 60 req/min · good-put 0.38/s",
		},
		{
			"tokens too far apart, narrow",
			Users{LateLow: 0, LateHigh: 0, ApartLow: 0.62, ApartHigh: 0.7, ApartAllowed: 0.01, Token: "50 ms", Errors: nan, PerMinute: nan, GoodLow: nan},
			true,
			"0 % over 3 s · 62–70 % over 50 ms a token",
		},
		{
			"tokens too far apart for several models",
			Users{LateLow: nan, ApartLow: 0.62, ApartHigh: 0.62, ApartAllowed: 0.01, Errors: nan, PerMinute: nan, GoodLow: nan},
			false,
			"62 % have tokens too far apart for their model",
		},
		{
			"tokens within the budget",
			Users{LateLow: 0, LateHigh: 0, ApartLow: 0.01, ApartHigh: 0.02, ApartAllowed: 0.01, Token: "50 ms", Errors: nan, PerMinute: nan, GoodLow: nan},
			true,
			"0 % over 3 s",
		},
		{
			"all silent",
			Users{LateLow: 0.2, LateHigh: 0.2, Errors: 0.5, Refused: 0.5, PerMinute: 60, GoodLow: 1, GoodHigh: 1, Stalled: 4, Silent: 2, Servers: 2},
			false,
			"2 of 2 servers silent",
		},
		{
			"what a silent server does is not nothing",
			Users{LateLow: nan, Errors: nan, PerMinute: 0, GoodLow: nan, Silent: 1, Servers: 2, Idle: true},
			true,
			"1 of 2 silent",
		},
		{
			"nor what a blind one does",
			Users{LateLow: nan, Errors: 0, PerMinute: 0, GoodLow: nan, Blind: 1, Servers: 2, Idle: true},
			true,
			"1 of 2 unknown · 0 % errors",
		},
		{
			"requests that get no token are requests",
			Users{LateLow: nan, Errors: nan, PerMinute: 0, GoodLow: 0, Stalled: 4, Servers: 1, Idle: true},
			false,
			"4 requests get no token",
		},
		{
			"what latency does not show",
			Users{LateLow: 0, LateHigh: 0, Errors: 0, Refused: 0.58, PerMinute: 120, GoodLow: nan, GoodHigh: nan, Silent: 1, Servers: 2, Stalled: 138},
			false,
			"1 of 2 servers silent · 138 requests get no token · 0 % of the answered chat requests over 3 s · 0 % errors · 58 % refused (4xx) · 120 req/min",
		},
		{
			"what clients cut",
			Users{LateLow: 0.01, LateHigh: 0.01, Errors: 0, Left: 0.37, PerMinute: 331, GoodLow: 3.5, GoodHigh: 3.5},
			true,
			"1 % of the answered over 3 s · 0 % errors · 37 % left · good-put 3.5/s · 331 req/min",
		},
		{
			"what cannot be told from nothing",
			Users{LateLow: 0, LateHigh: 0, Errors: 0, Left: 0.04, PerMinute: 60, GoodLow: 1, GoodHigh: 1},
			true,
			"0 % over 3 s · 0 % errors · good-put 1/s · 60 req/min",
		},
	} {
		var got []string
		row.users.Objective, row.users.Profile = "3 s", "chat"
		for _, part := range row.users.Remarks(row.brief) {
			got = append(got, part.Text)
		}
		if strings.Join(got, " · ") != row.want {
			t.Errorf("%s: %s\nwant %s", row.name, strings.Join(got, " · "), row.want)
		}
	}
}

// What is not known of an objective may be all or nothing, and what is no objective is not missed.
func TestGoodPut(t *testing.T) {
	of := func(low, high float64) portion { return portion{sum{low, true}, sum{high, true}, sum{1, true}} }
	both := SLO{TTFT: time.Second, TPOT: time.Second}
	for _, row := range []struct {
		name      string
		crowd     crowd
		low, high float64
	}{
		{"both known", crowd{objective: both, write: pool{late: of(0.25, 0.5), apart: of(0.125, 0.25)}}, 1, 3},
		{"more outside than all", crowd{objective: both, write: pool{late: of(0.75, 0.75), apart: of(0.5, 0.5)}}, 0, 1},
		{"tokens unknown", crowd{objective: both, write: pool{late: of(0.25, 0.5)}}, 0, 3},
		{"first tokens unknown", crowd{objective: both, write: pool{apart: of(0.25, 0.5)}}, 0, 3},
		{"no objective for tokens", crowd{objective: SLO{TTFT: time.Second}, write: pool{late: of(0.25, 0.5)}}, 2, 3},
		{"answers of one token", crowd{objective: both, write: pool{late: of(0.25, 0.5), apart: portion{n: sum{0, true}}}}, 2, 3},
		{"prompts computed apart", crowd{objective: both, write: pool{late: of(0, 0.5), apart: of(0, 0)}, prefill: pool{late: of(0.25, 0.25)}}, 2, 3},
		{"nothing known", crowd{objective: both}, math.NaN(), math.NaN()},
	} {
		row.crowd.write.finished.add(4)
		low, high := row.crowd.goodPut()
		if !same(low, row.low) || !same(high, row.high) {
			t.Errorf("%s: good-put %v–%v, want %v–%v", row.name, low, high, row.low, row.high)
		}
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// Of two models only one computes prompts apart: its requests count once, and the shares are of the requests of both.
func TestWorsePoolOfRequestsThatPassTwo(t *testing.T) {
	share := func(low, high, n float64) portion {
		return portion{sum{low * n, true}, sum{high * n, true}, sum{n, true}}
	}
	apart := worse(share(0.1, 0.5, 10), share(0.3, 0.4, 20))
	all := share(0, 0, 10)
	all.join(apart)
	if low, high := all.share(); low != 0.15 || high != 0.25 || all.n.total != 20 {
		t.Errorf("%v–%v of %v, want 0.15–0.25 of 20", low, high, all.n.total)
	}
	if got := worse(portion{}, share(0.3, 0.4, 20)); got.n.total != 20 {
		t.Errorf("nothing known of those that write: %v", got)
	}
	if got := worse(share(0.1, 0.5, 10), portion{}); got.n.total != 10 {
		t.Errorf("nothing known of those that compute prompts: %v", got)
	}
}

// Of two servers that give no page in time the GPUs of one are known: what the other's do is not known, and not nothing.
func TestBusyGPUsOfSlowServers(t *testing.T) {
	b := Default()
	c := computation{Facts: &Facts{
		catalogue: b.Catalogue, ticks: []int64{0}, subjects: map[Subject]*subjectFacts{}, topology: make([]Topology, 1),
	}}
	for level, n := range b.count {
		c.computed[level] = make([]bool, n)
	}
	for _, id := range []string{"scrape_timeout", "scrape_seconds", "gpu_busy"} {
		s := b.Signal(id)
		c.computed[s.Level][s.place] = true
	}
	r := Report{Time: time.UnixMilli(0), Settings: Settings{Step: time.Second}, book: b, facts: recent{c.Facts}}
	for _, instance := range []string{"a", "b"} {
		target := Subject{Level: Target, Instance: instance}
		r.Targets = append(r.Targets, TargetState{Subject: target, Kind: "vllm"})
		for _, id := range []string{"scrape_timeout", "scrape_seconds"} {
			c.put(b.Signal(id), c.meet(target), &column{value: []float64{4}})
		}
	}
	server := c.meet(Subject{Level: Server, Instance: "a"})
	server.across = make([]*column, b.count[GPU])
	server.across[b.Signal("gpu_busy").place] = &column{value: []float64{0.9}}
	var u Users
	if r.addSlow(&u); u.Slow != 2 || u.GPUBusy != 0.9 {
		t.Errorf("%d slow servers whose GPUs are busy by %v, want 2 and 0.9", u.Slow, u.GPUBusy)
	}
}
