package diagnose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// judgedWith judges the first case of a script by a changed book and with silences.
func judgedWith(t *testing.T, script, name string, overrides map[string]diagnose.Override, silences ...diagnose.Silence) *diagnose.Report {
	t.Helper()
	for _, c := range readScript(t, script) {
		if c.name != name {
			continue
		}
		book, err := diagnose.Default().With(overrides)
		if err != nil {
			t.Fatal(err)
		}
		c.settings.Silences = silences
		r, err := diagnose.JudgeAt(t.Context(), prom.NewEngine(c.loaded(t), c.settings.Step), book, c.settings, time.UnixMilli(0).Add(7*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Fatalf("no case %q", name)
	return nil
}

const missed = "E6: the objective is missed and nothing says why"

const evicting = "D1: preemptions at a full cache"

func TestOverridesChangeACopyOfTheBook(t *testing.T) {
	severe := diagnose.Critical
	r := judgedWith(t, "testdata/latency.test", missed, map[string]diagnose.Override{
		"E6": {Severity: &severe, Hold: time.Minute, Thresholds: map[string]float64{"model_first_tokens": 100}, Runbook: "https://wiki/E6"},
	})
	f := find(r, "E6")
	if f == nil || f.Severity != diagnose.Critical || f.Hold != time.Minute || f.Runbook != "https://wiki/E6" {
		t.Fatalf("E6 is %+v", f)
	}
	if e := f.Evidence[0]; e.Threshold != 100 || e.Origin != diagnose.YourThreshold {
		t.Errorf("it compares %s, %s", e.Is, e.Origin)
	}
	if r := judgedWith(t, "testdata/latency.test", missed, map[string]diagnose.Override{"E6": {Thresholds: map[string]float64{"model_first_tokens": 1000}}}); find(r, "E6") != nil {
		t.Error("the threshold makes no difference")
	}
	if origin := diagnose.Comparisons(diagnose.Default().Rule("E6").When)[0].Origin; origin == diagnose.YourThreshold {
		t.Error("the book itself was changed")
	}
}

// What a finding explains makes it no worse than the user says, and the book tells where it would.
func TestSeverityThatIsSet(t *testing.T) {
	for _, severity := range []diagnose.Severity{diagnose.Warning, diagnose.Information} {
		r := judgedWith(t, "testdata/admission.test", evicting, map[string]diagnose.Override{"D1": {Severity: &severity}})
		if f := find(r, "D1"); f == nil || f.Severity != severity || len(f.Explains) == 0 || f.ExplainedBy != nil {
			t.Errorf("set to %s, D1 is %+v", severity, f)
		}
	}
	if f := find(judgedWith(t, "testdata/admission.test", evicting, nil), "D1"); f == nil || f.Severity != diagnose.Critical {
		t.Errorf("as the book has it, D1 is %+v", f)
	}
	book := diagnose.Default()
	for code, want := range map[string]bool{"D3": true, "D1": true, "F1": true, "B4": false, "A5": false, "F2": false} {
		if got := book.MayGrow(book.Rule(code)); got != want {
			t.Errorf("%s is as severe as what it explains: %v", code, got)
		}
	}
	warning := diagnose.Warning
	book, err := book.With(map[string]diagnose.Override{"D3": {Severity: &warning}})
	if err != nil || book.MayGrow(book.Rule("D3")) {
		t.Errorf("a severity that is set is not the only one: %v", err)
	}
}

func TestOverridesThatDoNotFit(t *testing.T) {
	for want, overrides := range map[string]map[string]diagnose.Override{
		"no rule X9":       {"X9": {}},
		"does not compare": {"D1": {Thresholds: map[string]float64{"kv_medain": 1}}},
		"more than once":   {"I5": {Thresholds: map[string]float64{"batch_change": 0.9}}},
		`write "kv_median >= 0.85" or "kv_median >= 0.5"`: {"D2": {Thresholds: map[string]float64{"kv_median": 0.9}}},
		`does not compare "kv_median >= 0.8"`:             {"D2": {Thresholds: map[string]float64{"kv_median >= 0.8": 0.9}}},
		"no such":                                         {"I5": {Critical: map[string]float64{"batch_change": 0.9}}},
	} {
		if _, err := diagnose.Default().With(overrides); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", overrides, err, want)
		}
	}
	book, err := diagnose.Default().With(map[string]diagnose.Override{"I5": {Thresholds: map[string]float64{"batch_change <=": 1.5}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, is := range diagnose.Comparisons(book.Rule("I5").When) {
		if is.Signal == "batch_change" && (is.Op == diagnose.AtMost) != (is.Threshold == 1.5) {
			t.Errorf("%s", is)
		}
	}
	book, err = diagnose.Default().With(map[string]diagnose.Override{"D2": {Thresholds: map[string]float64{"kv_median >= 0.85": 0.95}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, is := range diagnose.Comparisons(book.Rule("D2").When) {
		if is.Signal == "kv_median" && is.Threshold != 0.5 && is.Threshold != 0.95 {
			t.Errorf("%s", is)
		}
	}
}

// Who wants to be told of a symptom does not change how bad its cause is.
func TestASilenceChangesNoSeverity(t *testing.T) {
	const full = "D3: the batch is full at its told cap"
	told := judgedWith(t, "testdata/admission.test", full, nil)
	silent := judgedWith(t, "testdata/admission.test", full, nil, diagnose.Silence{Code: "E1", Until: time.UnixMilli(0).Add(time.Hour)})
	if f := find(silent, "E1"); f == nil || f.Silenced == nil || f.ExplainedBy == nil {
		t.Fatalf("E1 is %+v", f)
	}
	for _, f := range told.Findings {
		if now := find(silent, f.Rule.Code); now == nil || now.Severity != f.Severity {
			t.Errorf("%s is %s, and %+v where E1 is silenced", f.Rule.Code, f.Severity, now)
		}
	}
	if f := find(told, "D3"); f.Severity != diagnose.Critical {
		t.Errorf("D3 is %s: nothing below it is worse", f.Severity)
	}
}

func TestSilences(t *testing.T) {
	end := time.UnixMilli(0).Add(7 * time.Minute)
	for _, row := range []struct {
		silence diagnose.Silence
		silent  bool
	}{
		{diagnose.Silence{Code: "E2", Instance: "a:8000", Until: end.Add(time.Second)}, true},
		{diagnose.Silence{Code: "PREFILL_TTFT", Model: "m", Until: end.Add(time.Second)}, true},
		{diagnose.Silence{Code: "E2", Until: end}, false},
		{diagnose.Silence{Code: "E2", Instance: "b:8000", Until: end.Add(time.Second)}, false},
		{diagnose.Silence{Code: "E2", Model: "other", Until: end.Add(time.Second)}, false},
		{diagnose.Silence{Code: "E1", Until: end.Add(time.Second)}, false},
	} {
		r := judgedWith(t, "testdata/latency.test", missed, nil, row.silence)
		cause, consequence := find(r, "E2"), find(r, "E6")
		active, _ := r.Causes()
		if silent := cause.Silenced != nil; silent != row.silent || cause.Counts() == silent || consequence.Counts() == silent {
			t.Errorf("%+v: silent %v, counts %v %v", row.silence, silent, cause.Counts(), consequence.Counts())
		}
		if len(r.Silenced()) != map[bool]int{true: 1}[row.silent] || (len(active) > 0 && active[0].Rule.Code == "E2") == row.silent {
			t.Errorf("%+v: %d silenced, %d causes", row.silence, len(r.Silenced()), len(active))
		}
	}
}
