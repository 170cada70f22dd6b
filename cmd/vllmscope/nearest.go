package main

import (
	"slices"

	"github.com/prometheus/prometheus/util/strutil"
	"github.com/spf13/pflag"
)

// likeness is from where on a misspelt word is taken for another (Jaro-Winkler, 0 to 1): "interva" is 0.98 of "interval".
const likeness = 0.8

// nearest returns the name that a word was probably meant to be, "" when none is near.
func nearest(word string, names []string) string {
	matcher := strutil.NewJaroWinklerMatcher(word)
	best, most := "", likeness
	for _, name := range names {
		if score := matcher.Score(name); score > most {
			best, most = name, score
		}
	}
	return best
}

func flagNames(flags *pflag.FlagSet) []string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	slices.Sort(names)
	return names
}
