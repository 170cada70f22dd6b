//go:build race

package diagnose_test

// underRace tells that the race detector watches, which makes everything ten times slower.
const underRace = true
