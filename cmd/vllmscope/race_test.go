//go:build race

package main

// underRace tells that the race detector watches, which makes everything ten times slower.
const underRace = true
