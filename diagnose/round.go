package diagnose

import "math"

// round is the number as people are told it: of what is worked out from readings a round one, whose digits mean something.
func (s *Signal) round(v float64) float64 {
	switch {
	case !s.Rounded || math.IsNaN(v) || math.IsInf(v, 0):
		return v
	case s.Unit == Share:
		return roundShare(v)
	}
	return roundDown(v)
}

// roundShare gives tenths, and twentieths below 15 % (judgement).
func roundShare(v float64) float64 {
	if v < 0.15 {
		return math.Round(v*20) / 20
	}
	return math.Round(v*10) / 10
}

// roundDown gives numbers as flags are usually set: whole ones up to 16, then eight steps from each power of two to the next: 18, 20, and
// 36, 40 (judgement). Never a larger one, for most of them are bounds.
func roundDown(v float64) float64 {
	if v < 16 {
		return math.Floor(v)
	}
	step := math.Exp2(math.Floor(math.Log2(v)) - 3)
	return math.Floor(v/step) * step
}
