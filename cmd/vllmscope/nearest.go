package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/util/strutil"
	"github.com/spf13/pflag"
)

// likeness is from where on a misspelt word is taken for another (Jaro-Winkler, 0 to 1): "interva" is 0.98 of "interval".
const likeness = 0.8

// nearest returns the name that a word was probably meant to be, "" when none is near.
func nearest(word string, names []string) string {
	if near := nearestOf(word, names, 1); len(near) > 0 {
		return near[0]
	}
	return ""
}

// nearestOf returns the names that a word may have been meant to be, the nearest first, so many at most. The beginning of a
// name is near.
func nearestOf(word string, names []string, most int) []string {
	matcher := strutil.NewJaroWinklerMatcher(word)
	score := func(name string) float64 {
		if len(word) > 1 && strings.HasPrefix(name, word) {
			return 1
		}
		return matcher.Score(name)
	}
	near := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return score(name) <= likeness })
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(score(b), score(a)) })
	return near[:min(most, len(near))]
}

// didYouMean ends a sentence about an unknown word with the nearest known one.
func didYouMean(word string, known []string) string {
	if near := nearest(word, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; known are " + strings.Join(known, ", ")
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	slices.Sort(names)
	return names
}
