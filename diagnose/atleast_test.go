package diagnose

import (
	"regexp"
	"strconv"
	"testing"
)

func TestPatternMatchesWhatIsAtLeastSoMuch(t *testing.T) {
	edges := []string{
		"0.001", "0.005", "0.025", "0.03", "0.04", "0.05", "0.050", "0.06", "0.075", "0.1", "0.19", "0.2", "0.25", "0.3", "0.5", "0.500", "0.75", "1", "1.0", "2.5", "2.99",
		"3", "3.0", "3.5", "5.0", "7.5", "9.99", "10", "10.0", "20.0", "29.9", "30", "30.0", "31", "40", "80.0", "100", "160.0", "640", "2560.0", "1e+06", "+Inf",
	}
	for _, bound := range []float64{0.05, 0.03, 0.2, 0.5, 1, 2.75, 3, 9.95, 19, 30, 99.5} {
		pattern, above := regexp.MustCompile("^(?:"+atLeastPattern(bound)+")$"), regexp.MustCompile("^(?:"+abovePattern(bound)+")$")
		for _, edge := range edges {
			v, err := strconv.ParseFloat(edge, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := pattern.MatchString(edge); got != (v >= bound) {
				t.Errorf("%s at least %g: %v", edge, bound, got)
			}
			if got := above.MatchString(edge); got != (v > bound) {
				t.Errorf("%s above %g: %v", edge, bound, got)
			}
		}
	}
}
