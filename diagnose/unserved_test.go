package diagnose

import (
	"slices"
	"testing"
	"time"
)

// A setting for what nobody serves is told, once everybody has said what he serves.
func TestSettingsForWhatNobodyServes(t *testing.T) {
	now := time.UnixMilli(0).Add(time.Hour)
	target := func(instance string) TargetState {
		return TargetState{Subject: Subject{Level: Target, Instance: instance}, Up: true}
	}
	gone, never := target("b:8000"), target("b:8000")
	gone.Up, gone.LastAnswer, never.Up = false, now, false
	replica := Subject{Level: Replica, Instance: "a:8000", Model: "m"}
	for _, row := range []struct {
		name     string
		settings Settings
		targets  []TargetState
		want     []string
	}{
		{"all served", Settings{Shapes: map[string]*Shape{"m": nil}, SLOByModel: map[string]SLO{"m": {}}, MaxNumSeqsByInstance: map[string]int{"a:8000": 4}}, nil, nil},
		{"a model's size", Settings{Shapes: map[string]*Shape{"n": nil}}, nil, []string{"no target serves n (its size is given); served: m"}},
		{"objectives", Settings{SLOByModel: map[string]SLO{"n": {}, "o": {}}}, nil, []string{"no target serves n (it has an objective), o (it has an objective); served: m"}},
		{"a server that is not watched", Settings{Hardware: map[string]Hardware{"a:80": {}}}, nil, nil},
		{"a silence", Settings{Silences: []Silence{{Code: "D3", Instance: "a", Until: now.Add(1)}}}, nil, []string{"no target is a (a silence of D3); targets: a:8000"}},
		{"a silence that has ended", Settings{Silences: []Silence{{Code: "D3", Instance: "a", Until: now}}}, nil, nil},
		{"a silence of all", Settings{Silences: []Silence{{Code: "D3", Until: now.Add(1)}}}, nil, nil},
		{"one has gone", Settings{Shapes: map[string]*Shape{"n": nil}}, []TargetState{gone}, []string{"no target serves n (its size is given); served: m"}},
		{"one has never answered", Settings{Shapes: map[string]*Shape{"n": nil}}, []TargetState{never}, nil},
	} {
		r := &Report{Time: now, Settings: row.settings, Targets: append([]TargetState{target("a:8000")}, row.targets...), Replicas: []Subject{replica}}
		if got := r.unserved(); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
	r := &Report{Time: now, Settings: Settings{Silences: []Silence{{Code: "D3", Until: now}, {Code: "D2", Until: now.Add(1)}}}}
	if got, want := r.endedSilences(), []string{"the silence of D3 ended at 1970-01-01 01:00 UTC: it silences nothing any more"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (&Report{Settings: Settings{Shapes: map[string]*Shape{"n": nil}}}).unserved(); got != nil {
		t.Errorf("nothing is known yet: %q", got)
	}
}
