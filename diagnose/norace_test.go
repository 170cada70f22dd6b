//go:build !race

package diagnose_test

// underRace tells that the race detector watches.
const underRace = false
