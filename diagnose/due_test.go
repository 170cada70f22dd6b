package diagnose

import (
	"testing"
	"time"
)

// What a track was asked before does not outlive what it learns of the same moment.
func TestWhatWasLookedUpIsForgottenWithWhatIsAdded(t *testing.T) {
	const ticks, at = 25, 120_000 // the last of them, which is a slow one
	book, settings := Default(), Settings{Step: 5 * time.Second}
	said := func(code string, from int, outcome Outcome) *Track {
		outcomes := make([]Outcome, ticks-from)
		for i := range outcomes {
			outcomes[i] = outcome
		}
		return &Track{
			book: book, settings: settings, begin: time.UnixMilli(0), from: int64(from) * 5000, ticks: ticks - from,
			rows: map[rowKey][]Outcome{{code, Subject{Level: Replica}}: outcomes}, felt: map[rowKey][]feeling{}, history: map[Subject][][]float64{},
		}
	}
	track := said("D1", 0, No)
	ask := func(rows int, lively bool) {
		t.Helper()
		if got := track.due(at); len(got) != rows || track.lively(at)["D1"] != lively {
			t.Errorf("%d rows, D1 lively: %v; want %d, %v", len(got), track.lively(at)["D1"], rows, lively)
		}
	}
	ask(1, false)
	track.Add(said("B4", 0, No))
	ask(2, false)
	track.Add(said("D1", ticks-2, Yes))
	ask(2, true)
	track.forget(time.UnixMilli(at))
	ask(2, false) // one tick alone is told of nothing
}
