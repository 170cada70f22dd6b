package main

import (
	"fmt"
	"slices"

	"github.com/vllmscope/vllmscope/scrape"
)

// assumedTimes says how saved pages got their times where their names are none, "" where nothing was assumed. A single page has no
// distance to another, and that it is of when it was written surprises nobody.
func (o *options) assumedTimes(targets []scrape.Target) string {
	if !slices.ContainsFunc(targets, severalUndated) {
		return ""
	}
	apart, end, otherwise := "", "when the last was written", ""
	if slices.ContainsFunc(targets, func(t scrape.Target) bool { return t.Undated == 0 }) {
		end = "with those that are"
	}
	if !o.intervalGiven {
		apart, otherwise = fmt.Sprintf("to be %s apart, ", &o.interval), "; --interval says otherwise"
	}
	return "the pages' names are no times: taken " + apart + "to end " + end + otherwise
}

func severalUndated(t scrape.Target) bool { return t.Undated > 1 }
