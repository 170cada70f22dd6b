package diagnose

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// outcomesFrom reads a row: n no, b band, y yes, c critical, . not judged.
func outcomesFrom(row string) []Outcome {
	letters := map[rune]Outcome{'.': CannotJudge, 'n': No, 'b': Band, 'y': Yes, 'c': YesCritical}
	var all []Outcome
	for _, r := range row {
		all = append(all, letters[r])
	}
	return all
}

func TestStateFollowsOutcomes(t *testing.T) {
	tests := []struct {
		name  string
		row   string
		hold  time.Duration // the step is 10 s
		state State
		held  int
	}{
		{"nothing", "nnnnnnnn", time.Minute, Inactive, 0},
		{"begins", "nnnnnnyy", time.Minute, Pending, 2},
		{"a blink of two is the least that is told", "nnnnnnny", time.Minute, Pending, 1},
		{"holds long enough", "nnyyyyyy", time.Minute, Firing, 6},
		{"one tick in six may be missing", "nnyyynyy", time.Minute, Firing, 6},
		{"two may not", "nnyynnyy", time.Minute, Pending, 2},
		{"unknown ticks do not count against it", "nnyy.yyy", time.Minute, Firing, 6},
		{"half of the hold must be known", "nny....y", time.Minute, Pending, 1},
		{"critical counts as yes", "nncccccc", time.Minute, Firing, 6},
		{"band is not yes", "nnbbbbbb", time.Minute, Inactive, 0},
		{"band keeps it firing", "yyyyyybbbbbbbb", time.Minute, Firing, 14},
		{"half a hold of no ends it", "yyyyyynnn", time.Minute, Resolved, 0},
		{"less does not", "yyyyyynn", time.Minute, Firing, 8},
		{"a band breaks the run of no", "yyyyyynnbnn", time.Minute, Firing, 11},
		{"not before the hold was watched", "yyyyy", time.Minute, Pending, 5},
		{"an event fires at once", "nnnnny", 0, Firing, 1},
		{"four ticks in five are enough", "yynyyyynyy", 100 * time.Second, Firing, 10},
		{"three in four are not", "nynynynyn" + strings.Repeat("y", 11), 200 * time.Second, Pending, 17},
		{"half of the hold is known", ".....yyyyy", 100 * time.Second, Firing, 5},
		{"less than half is known", "......yyyy", 100 * time.Second, Pending, 4},
		{"a pending finding bridges one tick", "yyyyyyyyn", 200 * time.Second, Pending, 9},
		{"and not two", "yyyyyyyynn", 200 * time.Second, Inactive, 0},
		{"what ended is shown for five minutes", "yyyyyynnn" + strings.Repeat("n", 29), time.Minute, Resolved, 0},
		{"and no longer", "yyyyyynnn" + strings.Repeat("n", 30), time.Minute, Inactive, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row := outcomesFrom(tt.row)
			f := newFold(row, Yes, tt.hold, 10*time.Second)
			got := f.at(0, len(row)-1)
			if got.state != tt.state || got.held != tt.held {
				t.Errorf("%s: %v held %d, want %v held %d", tt.row, got.state, got.held, tt.state, tt.held)
			}
		})
	}
}

func TestStateResolvesByItselfWhenNothingIsKnown(t *testing.T) {
	row := append(outcomesFrom("yyyyyy"), make([]Outcome, 70)...)
	f := newFold(row, Yes, time.Minute, 10*time.Second)
	last := 8 // the last tick whose hold is known by half
	if got := f.at(0, last+59).state; got != Firing {
		t.Errorf("59 ticks after the last firing: %v, want firing", got)
	}
	if got := f.at(0, last+60).state; got != Resolved {
		t.Errorf("ten minutes after the last firing: %v, want resolved", got)
	}
}

// What had to wait for the warm-up is told with the time that it has really stood, before and after it fires.
func TestWhatStandsFromTheStartOutlastsItsHold(t *testing.T) {
	for row, want := range map[string][2]life{
		"yyyyyy": {{Pending, 0, 3, 0}, {Firing, 0, 6, 0}},
		"nyyyyy": {{Pending, 1, 2, 0}, {Firing, 1, 5, 0}},
		"ynynyy": {{Pending, 2, 1, 0}, {Firing, 4, 2, 0}},
	} {
		f := newFold(outcomesFrom(row), Yes, 0, 10*time.Second)
		f.warm = 4
		if got := [2]life{f.at(0, 2), f.at(0, 5)}; got != want {
			t.Errorf("%q: %v, want %v", row, got, want)
		}
	}
}

func TestNothingFiresInTheWarmUp(t *testing.T) {
	row := outcomesFrom("yyyy")
	f := newFold(row, Yes, 20*time.Second, 10*time.Second)
	f.warm = 3
	if got := f.at(0, 2).state; got != Pending {
		t.Errorf("in the warm-up: %v, want pending", got)
	}
	if got := f.at(0, 3).state; got != Firing {
		t.Errorf("after it: %v, want firing", got)
	}
}

// A state depends on a bounded past: a fold from any start that is at least the rule's memory back comes to the same.
func TestStateIsTheSameFromEveryEarlierStart(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	step := 5 * time.Second
	differing := 0
	for range 400 {
		hold := []time.Duration{0, 15 * time.Second, time.Minute, 5 * time.Minute, 10 * time.Minute}[random.IntN(5)]
		bound := ticksIn(memory(hold), step)
		row := randomRow(random, bound+200)
		f := newFold(row, Yes, hold, step)
		i := len(row) - 1 - random.IntN(50)
		want := f.at(i-bound, i)
		for range 20 {
			got := f.at(random.IntN(i-bound+1), i)
			if whole := f.life(0, i); whole.state != want.state {
				t.Fatalf("hold %v: life says %v, a fold %v", hold, whole.state, want.state)
			}
			if got.state != want.state || got.state == Pending && got.held != want.held {
				t.Fatalf("hold %v: %+v from the memory, %+v from earlier", hold, want, got)
			}
			if got.since != want.since {
				differing++
			}
		}
	}
	if differing == 0 {
		t.Error("since never differed: the rows are too tame to prove anything")
	}
}

// randomRow is a row that dwells in a mood for a while, as real ones do.
func randomRow(random *rand.Rand, n int) []Outcome {
	row := make([]Outcome, 0, n)
	for len(row) < n {
		mood, dwell := Outcome(random.IntN(5)), 1+random.IntN(120)
		for range dwell {
			o := mood
			if random.IntN(8) == 0 {
				o = Outcome(random.IntN(5))
			}
			row = append(row, o)
		}
	}
	return row[:n]
}
