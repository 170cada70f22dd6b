package simulate

import (
	"testing"
	"time"
)

func TestRhythm(t *testing.T) {
	day, bursts, growth := rhythm{period: 3600, swing: 0.8}, rhythm{period: 150, burst: 8}, rhythm{growth: 5, over: 1500}
	for _, test := range []struct {
		of       rhythm
		now, age float64
		want     float64
	}{
		{rhythm{}, 5, 5, 1},
		{day, 0, 0, 0.2},
		{day, 900, 0, 1},
		{day, 1800, 0, 1.8},
		{day, 3600 * 7, 0, 0.2},
		{bursts, 300, 0, 1},
		{bursts, 307.9, 0, 1},
		{bursts, 308, 0, 0},
		{growth, 9e4, 0, 1},
		{growth, 9e4, 750, 3},
		{growth, 9e4, 3000, 5},
	} {
		got := test.of.at(test.now, test.age)
		check(t, bound{"rate", got, test.want - 1e-9, test.want + 1e-9}, bound{"rate below the highest", got, 0, test.of.highest()})
	}
}

// TestArrivalsFollowTheRhythm: with a swing of 0.8 the half of a cycle about its top has 1 + 0.8 x 2/pi = 1.51 times the mean.
func TestArrivalsFollowTheRhythm(t *testing.T) {
	s := scenario(t, "light")
	l := chat(20)
	l.output, l.rhythm = lengths{2, 0, 2, 2}, rhythm{period: 240, swing: 0.8}
	s.Warm, s.servers = 0, []deployment{small("gpu-a", l)}
	f := build(t, s, 3)
	sent := func(seconds int) float64 {
		f.AdvanceTo(noon.Add(time.Duration(seconds) * time.Second))
		return float64(f.servers[0].traffic[0].sent)
	}
	low := sent(60)
	top := sent(180) - low
	check(
		t,
		bound{"requests in the half about the top", top, 120 * 20 * 1.51 * 0.95, 120 * 20 * 1.51 * 1.05},
		bound{"requests in a cycle", sent(240), 240 * 20 * 0.95, 240 * 20 * 1.05},
	)
}
