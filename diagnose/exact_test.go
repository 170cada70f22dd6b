package diagnose

import (
	"math"
	"testing"
)

// A threshold is printed as it is judged, with all of its digits; one that is a quotient with some.
func TestThresholdsAreExact(t *testing.T) {
	for _, row := range []struct {
		unit Unit
		v    float64
		want string
	}{
		{Ratio, 1.25, "1.25"},
		{Ratio, 14.4, "14.4"},
		{PerSecond, 1.67, "1.67/s"},
		{PerSecond, 5.0 / 60, "0.08333/s"},
		{Share, 0.95, "95 %"},
		{Share, 0.1255, "12.55 %"},
		{Share, 0.0005, "0.05 %"},
		{Count, 2048, "2.048k"},
		{Count, 0, "0"},
		{Count, -1, "-1"},
		{Tokens, 1, "1 token"},
		{Seconds, 0.0625, "62.5 ms"},
		{Seconds, 2.125, "2.125 s"},
		{Seconds, 300, "5m"},
		{Seconds, 301.5, "301.5 s"},
		{Seconds, 7230, "7230 s"},
		{Seconds, 7260, "2h01m"},
		{Seconds, 0, "0 s"},
		{Bytes, 1.5 * (1 << 30), "1.5 GiB"},
		{Bytes, 2e8, "190.7 MiB"},
		{YesNo, 1, "yes"},
	} {
		if got := row.unit.Exact(row.v); got != row.want {
			t.Errorf("%v: %q, want %q", row.v, got, row.want)
		}
	}
}

// A reading is printed with so many digits that it stands on its own side of the threshold.
func TestReadingsStandOnTheirSideOfTheThreshold(t *testing.T) {
	for _, row := range []struct {
		unit      Unit
		v         float64
		op        Op
		threshold float64
		want      string
	}{
		{Ratio, 1.23, AtMost, 1.25, "1.2"},
		{Ratio, 1.26, AtMost, 1.25, "1.3"},
		{Ratio, 14.42, AtLeast, 14.4, "14.4"},
		{Ratio, 14.38, AtLeast, 14.4, "14"},
		{Ratio, 1.03, AtLeast, 1.04, "1"},
		{Share, 0.8972, AtLeast, 0.9, "89.7 %"},
		{Share, 0.94996, AtLeast, 0.95, "94.996 %"},
		{Share, 0.9, AtLeast, 0.9, "90 %"},
		{Seconds, 0.06249, Above, 0.0624, "62.5 ms"},
		{Count, 2047, AtLeast, 2048, "2k"},
		{Count, 2049, AtLeast, 2048, "2.05k"},
		{YesNo, 1, AtLeast, 1, "yes"},
	} {
		f := Fact{Signal: &Signal{Unit: row.unit}, Value: row.v, Low: row.v, High: row.v, N: math.NaN()}
		if got := f.Beside(Is{Signal: "x", Op: row.op, Threshold: row.threshold}); got != row.want {
			t.Errorf("%v %v %v: %q, want %q", row.v, row.op, row.threshold, got, row.want)
		}
	}
}
