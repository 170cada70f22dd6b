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
			"38–52 % over 3 s · 0 % errors · 210 req/min · good-put 1.4–1.7/s",
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
			"what latency does not show",
			Users{LateLow: 0, LateHigh: 0, Errors: 0, Refused: 0.58, PerMinute: 120, GoodLow: nan, GoodHigh: nan, Silent: 1, Servers: 2, Stalled: 138},
			false,
			"1 of 2 servers silent · 138 requests get no token · 0 % of chat requests over 3 s · 0 % errors · 58 % refused (4xx) · 120 req/min",
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
