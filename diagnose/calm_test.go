package diagnose

import "testing"

// Where information stands below, it is not said that nothing was found.
func TestCalmSaysWhatStandsBelow(t *testing.T) {
	rule := &Rule{Code: "X1"}
	information := Finding{Rule: rule, State: Firing}
	silenced := Finding{Rule: rule, State: Firing, Severity: Warning, Silenced: &Silence{}}
	known := Finding{Rule: rule, State: Firing, Silenced: &Silence{}}
	for _, row := range []struct {
		findings []Finding
		want     string
	}{
		{nil, "nothing found"},
		{[]Finding{known}, "nothing found"},
		{[]Finding{information}, "no warning"},
		{[]Finding{silenced}, "nothing else found"},
		{[]Finding{silenced, information}, "no other warning"},
	} {
		if got := (&Report{Findings: row.findings}).Calm(); got != row.want {
			t.Errorf("%d findings: %q, want %q", len(row.findings), got, row.want)
		}
	}
}
