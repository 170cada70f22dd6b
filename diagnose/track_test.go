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
		key := rowKey{code: "D1"}
		track := Track{
			book: Default(), settings: Settings{Step: time.Second}, ticks: tt.ticks, rows: map[rowKey][]Outcome{key: slices.Repeat([]Outcome{No}, tt.ticks)},
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

// What has fired since before the ticks that are kept is the same finding, until it begins anew.
func TestFiringIsRememberedUntilItBeginsAnew(t *testing.T) {
	key := rowKey{code: "D1"}
	track := Track{
		settings: Settings{Step: 5 * time.Second}, from: 100_000,
		past: remembered{fired: map[rowKey]firing{key: {since: 20_000, seen: 120_000}}},
	}
	for _, c := range []struct {
		key   rowKey
		since int // the tick from which on it has fired, of those that are kept
		want  int64
	}{
		{key, 0, 20_000}, {key, 4, 20_000}, {key, 5, 125_000}, {rowKey{code: "D2"}, 0, 100_000},
	} {
		if got := track.firedSince(c.key, life{since: c.since}); got != c.want {
			t.Errorf("%s since tick %d: %d, want %d", c.key.code, c.since, got, c.want)
		}
	}
}

// A subject that no kept tick shows is forgotten, and when its target answered last is not.
func TestForgettingDropsWhatIsGone(t *testing.T) {
	target, figures := Subject{Level: Target, Instance: "a:8000"}, make([][]float64, len(shownSignals))
	up := absentColumn(100)
	up[10] = 1
	figures[slices.Index(shownSignals, "up")] = up
	track := Track{book: Default(), settings: Settings{Step: time.Second}, ticks: 100, history: map[Subject][][]float64{target: figures}}
	track.forget(time.UnixMilli(50_000))
	if len(track.history) != 0 {
		t.Errorf("%v is kept", track.history)
	}
	if at := track.lastAnswer(target, track.ticks); at != time.UnixMilli(10_000) {
		t.Errorf("it answered last at %v", at)
	}
}
