package main

import (
	"slices"
	"testing"
	"time"
)

func TestDurationsOfBothNotations(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"30s": 30 * time.Second, "500ms": 500 * time.Millisecond, "1m30s": 90 * time.Second, "1d": 24 * time.Hour, "1w": 7 * 24 * time.Hour,
		"2.5s": 2500 * time.Millisecond, "2.0s": 2 * time.Second, ".5m": 30 * time.Second, "1.23456s": 1235 * time.Millisecond,
		"5": 0, "2.5": 0, "0": 0, "0s": 0, "-3s": 0, "1us": 0, "often": 0, "": 0, "1.5d": 0, "5 s": 0,
	} {
		var d duration
		if err := d.Set(text); time.Duration(d) != want || (err == nil) != (want > 0) {
			t.Errorf("%q: got %s, %v", text, time.Duration(d), err)
		}
		var again duration
		if want > 0 && (again.Set(d.String()) != nil || again != d) {
			t.Errorf("%q: written as %s", text, d.String())
		}
	}
}

// A word that is no file is taken for a host, and what fails then can say that it was none.
func TestAWordMayHaveBeenMeantAsAFile(t *testing.T) {
	p := &plan{}
	if err := new(options).planServers(p, []string{"nodir", "no/such", "gpu-a:8000", "http://gpu-b"}); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, target := range p.targets {
		words = append(words, target.NoFile)
	}
	if !slices.Equal(words, []string{"nodir", "no/such", "", ""}) {
		t.Errorf("%q", words)
	}
}
