package diagnose

import (
	"testing"
	"time"
)

func TestThroughoutTakesTwoTicksAndNoOther(t *testing.T) {
	for row, want := range map[string][2]bool{
		"y": {}, "yy": {true, false}, "yc": {true, false}, "cc": {true, true}, "c..c": {true, true}, "y..y": {true, false}, ".y": {}, "cnc": {}, "ccb": {}, "": {},
	} {
		usual, worst := form{least: Yes, hold: time.Duration(len(row)) * time.Second}, form{least: YesCritical, hold: time.Duration(len(row)) * time.Second}
		if got := [2]bool{usual.throughout(outcomesFrom(row), 0, time.Second), worst.throughout(outcomesFrom(row), 0, time.Second)}; got != want {
			t.Errorf("%q: %v of the usual form and the critical one, want %v", row, got, want)
		}
	}
}

// A rule that asks for no hold is looked at for two ticks all the same, and one with a hold for no more than that.
func TestThroughoutLooksBackForTheHoldAndTwoTicks(t *testing.T) {
	for row, want := range map[string][2]bool{"y": {}, "yy": {true, true}, "nyy": {true, false}, "ny": {}, "nyyy": {true, true}} {
		short, long := form{least: Yes}, form{least: Yes, hold: 3 * time.Second}
		if got := [2]bool{short.throughout(outcomesFrom(row), 0, time.Second), long.throughout(outcomesFrom(row), 0, time.Second)}; got != want {
			t.Errorf("%q: %v of one tick and of three, want %v", row, got, want)
		}
	}
}

// What is not found while windows fill, here in three ticks of 10 s, does not count against what is found for as long since; what is not
// found later does.
func TestThroughoutLetsWindowsFill(t *testing.T) {
	for row, want := range map[string]bool{
		"nnnyyy": true, "nnnyy": false, "nnbyyyy": true, "yyny": false, "ynnyyy": true, "nny.yy": true, "nnnnyyyy": false, "nnnyyyn": false, "nnnyyyyny": false,
		"nnn...": false, "...yy": true,
	} {
		how := form{least: Yes, hold: 5 * time.Minute}
		if got := how.throughout(outcomesFrom(row), 3, 10*time.Second); got != want {
			t.Errorf("%q: %v, want %v", row, got, want)
		}
	}
	// Scrapes that are a minute apart fill no window in one of them.
	if how := (form{least: Yes, hold: 5 * time.Minute}); how.throughout(outcomesFrom("ny"), 1, time.Minute) || !how.throughout(outcomesFrom("nyy"), 1, time.Minute) {
		t.Error("two scrapes are needed, however far apart they are")
	}
}

// What pends is told in the critical form, but where that flickers, or only the usual one was true all the time: then it counts, and
// not as critical.
func TestPendingFindingsAreToldInTheFormThatIsSure(t *testing.T) {
	rule := &Rule{Severity: Warning, Hold: time.Minute, CriticalHold: 30 * time.Second, Critical: Is{}}
	track := &Track{settings: Settings{Step: 5 * time.Second}, begin: time.UnixMilli(0)}
	for row, want := range map[string]Severity{"yyyc": Warning, "cccc": Critical, "nyyc": Warning, "nycyc": Warning, "nyccc": Critical, "yycccccc": Critical, "yyyyyyyyyyyyccc": Warning} {
		outcomes := outcomesFrom(row)
		track.ticks = len(outcomes)
		if _, how := track.life(rule, outcomes, len(outcomes)-1); how.severity != want {
			t.Errorf("%q: %v, want %v", row, how.severity, want)
		}
	}
}
