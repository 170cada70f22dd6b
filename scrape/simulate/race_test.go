//go:build race

package simulate

// underRace tells that the race detector watches, which makes everything ten times slower.
const underRace = true
