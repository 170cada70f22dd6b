package diagnose

import "testing"

// What something is to be set to is told as a round number, never a larger one; a share to the nearest tenth.
func TestSettingsAreRound(t *testing.T) {
	for _, c := range []struct {
		unit  Unit
		value float64
		want  string
	}{
		{Count, 0, "0"},
		{Count, 0.9, "0"},
		{Count, 7.9, "7"},
		{Count, 15, "15"},
		{Count, 17.9, "16"},
		{Count, 39, "36"},
		{Count, 326, "320"},
		{Count, 1023, "960"},
		{Share, 0.05, "5 %"},
		{Share, 0.12, "10 %"},
		{Share, 0.74, "70 %"},
		{Share, 0.76, "80 %"},
	} {
		told := Fact{Signal: &Signal{Unit: c.unit, Rounded: true}, Value: c.value, Low: c.value, High: c.value}
		if got := told.Text(); got != c.want {
			t.Errorf("%v is told as %s, want %s", c.value, got, c.want)
		}
		read := Fact{Signal: &Signal{Unit: c.unit}, Value: c.value, Low: c.value, High: c.value}
		if got := read.Text(); got != c.unit.Format(c.value) {
			t.Errorf("a reading of %v is told as %s", c.value, got)
		}
	}
}
