//go:build !race

package simulate

// underRace tells that the race detector watches.
const underRace = false
