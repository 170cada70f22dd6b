package diagnose

import (
	"slices"
	"testing"
	"time"
)

// What is dropped is copied away from, so it is dropped in lumps.
func TestForgettingWaitsForAQuarter(t *testing.T) {
	for _, tt := range []struct{ ticks, old, left int }{
		{100, 24, 100}, {100, 25, 75}, {8, 2, 8}, {8, 3, 5},
	} {
		key := row{code: "D1"}
		track := Track{
			book: Default(), settings: Settings{Step: time.Second}, ticks: tt.ticks, rows: map[row][]Outcome{key: slices.Repeat([]Outcome{No}, tt.ticks)},
			history: map[Subject][][]float64{{}: {make([]float64, tt.ticks), nil}},
		}
		track.forget(time.UnixMilli(int64(1000 * tt.old)))
		if track.ticks != tt.left || len(track.rows[key]) != tt.left || len(track.history[Subject{}][0]) != tt.left {
			t.Errorf("%d of %d ticks old: %d left, want %d", tt.old, tt.ticks, track.ticks, tt.left)
		}
		if first := track.First(); first != time.UnixMilli(int64(1000*(tt.ticks-tt.left))) {
			t.Errorf("%d of %d ticks old: begins at %v", tt.old, tt.ticks, first)
		}
	}
}
