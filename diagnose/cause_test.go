package diagnose

import (
	"testing"
	"time"
)

func TestWhatIsStrongEnoughToHideWhat(t *testing.T) {
	warning, information, symptom := &Rule{Severity: Warning}, &Rule{Severity: Information}, &Rule{Severity: Warning, Symptom: true}
	page := &Rule{Severity: Warning, Explains: map[Match][]string{SameServer: {"*"}}}
	suspected := func(held, hold time.Duration) Finding {
		return Finding{Rule: warning, State: Pending, Held: held, Hold: hold}
	}
	report := &Report{Settings: Settings{Step: time.Second}}
	certain := Finding{Rule: warning, State: Firing, Hold: time.Minute}
	for _, c := range []struct {
		what               string
		cause, consequence Finding
		want               bool
	}{
		{"what is certain hides what is", Finding{Rule: warning, State: Firing}, Finding{Rule: warning, State: Firing}, true},
		{"a suspicion hides nothing certain", suspected(46*time.Second, 2*time.Minute), certain, false},
		{"but once it has stood for 48 ticks, as long as that had to, and half as long as itself has to", suspected(47*time.Second, 2*time.Minute), certain, true},
		{"of which the longer counts", suspected(118*time.Second, 5*time.Minute), certain, false},
		{"and is enough", suspected(119*time.Second, 5*time.Minute), certain, true},
		{"but what users feel", Finding{Rule: warning, State: Pending}, Finding{Rule: symptom, State: Firing}, true},
		{"a change that is suspected explains no harm", Finding{Rule: information, State: Pending}, Finding{Rule: symptom, State: Pending}, false},
		{"one that is certain does", Finding{Rule: information, State: Firing}, Finding{Rule: symptom, State: Firing}, true},
		{"a reading that swings goes on hiding", Finding{Rule: warning, State: Firing, Quiet: easing - time.Second}, Finding{Rule: warning, State: Firing}, true},
		{"what has eased hides nothing true", Finding{Rule: warning, State: Firing, Quiet: easing}, Finding{Rule: warning, State: Firing}, false},
		{"but what has eased, too", Finding{Rule: warning, State: Firing, Quiet: easing}, Finding{Rule: warning, State: Firing, Quiet: easing}, true},
		{"a page that cannot be read hides what is not known any more", Finding{Rule: page, State: Pending}, Finding{Rule: warning, State: Firing, Quiet: easing}, true},
		{"and nothing once it can be", Finding{Rule: page, State: Firing, Quiet: time.Second}, Finding{Rule: symptom, State: Firing}, false},
	} {
		if got := report.mayHide(&c.cause, &c.consequence); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// What users feel decides how bad a cause is and whether it counts; silenced it counts for nothing, and is as bad as it is.
func TestConsequencesMakeTheirCauseWorse(t *testing.T) {
	book, replica := Default(), Subject{Level: Replica, Instance: "a:8000", Engine: "0", Model: "m"}
	for _, c := range []struct {
		what        string
		cause, felt State
		severity    Severity // of the consequence
		settled     bool
		silence     *Silence
		want        Severity
		counts      bool
	}{
		{"the consequence is worse and as certain", Pending, Firing, Critical, false, nil, Critical, true},
		{"it is not as certain", Firing, Pending, Critical, false, nil, Warning, true},
		{"the user set how bad the cause is", Pending, Firing, Critical, true, nil, Warning, true},
		{"the consequence is silenced", Pending, Firing, Critical, false, &Silence{Code: "E6"}, Critical, false},
		{"users feel nothing of the consequence", Pending, Firing, Information, false, nil, Warning, false},
	} {
		kv := *book.Rule("D1")
		kv.Settled = c.settled
		r := &Report{book: book, Replicas: []Subject{replica}, Findings: []Finding{
			{Rule: &kv, Subject: replica, Severity: Warning, State: c.cause},
			{Rule: book.Rule("E6"), Subject: replica.At(Model), Severity: c.severity, State: c.felt, Silenced: c.silence},
		}}
		relate(r)
		cause, felt := r.Findings[0], r.Findings[1]
		if felt.ExplainedBy == nil || len(cause.Explains) != 1 {
			t.Fatalf("E6 is explained by %v", felt.ExplainedBy)
		}
		if cause.Severity != c.want || cause.Counts() != c.counts {
			t.Errorf("%s: the cause is %s and counts: %v", c.what, cause.Severity, cause.Counts())
		}
	}
}
