package prom_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/promqltest"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

func ruleFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.yml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWrongRuleFilesAreToldAndTheOthersRun(t *testing.T) {
	good := ruleFile(t, "groups: [{name: g, rules: [{alert: A, expr: up == 0}]}]")
	own, err := prom.ReadRules([]string{
		good, ruleFile(t, "groups:\n- name: g\n  rules:\n  - alert: B\n    expr: sum(rate(x)\n"), ruleFile(t, "groups:\n- name: g\n  rulse: []\n"),
		ruleFile(t, "groups:\n- name: f\n  rules: []\n- name: g\n  rules:\n  - {alert: A, expr: up}\n  - alert: B\n    expr: up\n    annotations:\n      fine: x\n      summary: '{{ $value'\n"),
		ruleFile(t, "groups:\n- name: g\n  rules:\n  - alert: B\n    expr: up\n    labels: {severity: '{{ nothing }}'}\n"),
		ruleFile(t, "groups:\n- name: g\n  rules:\n  - alert: B\n    expr: up\n    labels: {'': x}\n"),
		ruleFile(t, "groups:\n- name: f\n  rules: []\n- name: g\n  rules:\n  - alert: A\n    fro: 1m\n    expr: up\n  - alert: B\n    expr: sum(up\n"),
		ruleFile(t, "groups:\n- name: g\n  rules:\n  - alert: B\n    not: [yaml\n"),
		ruleFile(t, "groups:\n- name: g\n  rules:\n  - alert: B\n    expr: up\n    for: 1x\n"),
	})
	if err != nil || len(own.Rules) != 1 || own.Rules[0].Name != "A" || len(own.Wrong) != 17 {
		t.Fatalf("%+v, %v", own, err)
	}
	var wrong []string
	none := 0
	for _, text := range own.Wrong {
		if strings.Contains(text, "rules.yml: none of its ") {
			none++
		} else {
			wrong = append(wrong, text)
		}
	}
	if none != 8 {
		t.Errorf("of %d files, not 8, it is said that they do not run:\n%s", none, strings.Join(own.Wrong, "\n"))
	}
	for i, want := range []string{
		`rules.yml: 5:11: group "g", rule 1, "B": could not parse expression`, `rules.yml: 3: group "g": unknown key "rulse"`,
		`rules.yml: 11:16: group "g", rule 2, "B": annotation "summary": template`, `rules.yml: 6:24: group "g", rule 1, "B": label "severity": template`,
		`rules.yml: 4:5: group "g", rule 1, "B": invalid label name`,
		`rules.yml: 7: group "g", rule 1, "A": unknown key "fro"`, `rules.yml: 10:11: group "g", rule 2, "B": could not parse expression`,
		"rules.yml: yaml: line ", `rules.yml: 6:10: group "g", rule 1, "B": unknown unit`,
	} {
		if !strings.Contains(wrong[i], want) {
			t.Errorf("%s, want %s", wrong[i], want)
		}
	}
	if _, err := prom.ReadRules([]string{good + "x*"}); err == nil {
		t.Error("a pattern that no file fits is no mistake")
	}
}

// All mistakes of a file are told at once, each with its place, and that nothing of it runs.
func TestAllThatIsWrongWithARuleFileIsTold(t *testing.T) {
	file := ruleFile(t, `groups:
- name: g
  rules:
  - alert: A
    exprs: up
  - {alert: B, expr: up, for: 1x, labels: {more: '{{ nothing }}'}}
  - alert: C
    expr: sum(up
    for: "1x"
  - alert: D
    expr: up
    for: 10m
  - expr: up
  - alert: E
`)
	own, err := prom.ReadRules([]string{file})
	want := []string{
		`none of its 6 rules run until it is mended`,
		`6:31: group "g", rule 2, "B": unknown unit "x" in duration "1x"`,
		`9:10: group "g", rule 3, "C": unknown unit "x" in duration "1x"`,
		`5: group "g", rule 1, "A": unknown key "exprs"`,
		`6:50: group "g", rule 2, "B": label "more": template: __alert_B:1: function "nothing" not defined`,
		`8:11: group "g", rule 3, "C": could not parse expression: 1:7: parse error: unclosed left parenthesis`,
		`13:5: group "g", rule 5, "": one of 'record' or 'alert' must be set`,
		`14:5: group "g", rule 6, "E": field 'expr' must be set in rule`,
	}
	if got := strings.ReplaceAll(strings.Join(own.Wrong, "\n"), file+": ", ""); err != nil || len(own.Rules) > 0 || got != strings.Join(want, "\n") {
		t.Errorf("%v:\n%s\nwant\n%s", err, got, strings.Join(want, "\n"))
	}
}

// What is no rule file at all is said once, and without Go's types.
func TestRuleFilesOfAnotherShape(t *testing.T) {
	for text, want := range map[string]string{
		"groups:\n- name: g\n\trules: []\n":  "yaml: line 2: found a tab character that violates indentation; YAML takes no tabs: indent with spaces",
		"groups: {}\n":                       "1: a mapping stands where a list belongs",
		"groups:\n- name: g\n  rules: 5\n":   `3: group "g": a number stands where a list belongs`,
		"groups:\n- name: g\n  rules: [5]\n": `3: group "g", rule 1: a number stands where a mapping belongs`,
	} {
		file := filepath.Join(t.TempDir(), "rules.yml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		own, err := prom.ReadRules([]string{file})
		want = file + ": none of its rules run until it is mended\n" + file + ": " + want
		if got := strings.Join(own.Wrong, "\n"); err != nil || got != want {
			t.Errorf("%q: %v:\n%s\nwant\n%s", text, err, got, want)
		}
	}
}

// An alert that reads what a recording rule makes gets its expression; where that would say something else, it is refused.
func TestRecordedNamesAreWrittenOut(t *testing.T) {
	const records = `
  - {record: "job:load", expr: "sum by (job) (load)", labels: {from: here}}
  - {record: "job:twice", expr: "2 * job:load"}
  - {record: "round:a", expr: "round:b"}
  - {record: "round:b", expr: "round:a"}`
	for expr, want := range map[string]string{
		"job:load > 1":                    `(label_replace((sum by (job) (load)), "from", "here", "", "")) > 1`,
		"max_over_time(job:load[5m]) > 1": `max_over_time((label_replace((sum by (job) (load)), "from", "here", "", ""))[5m:]) > 1`,
		"job:twice and up":                `((2 * (label_replace((sum by (job) (load)), "from", "here", "", "")))) and up`,
		`job:load{job="a"} > 1`:           "nothing is recorded here",
		"job:load offset 5m > 1":          "of another time",
		"round:a > 1":                     "made of itself",
	} {
		own, err := prom.ReadRules([]string{ruleFile(t, "groups:\n- name: g\n  rules:"+records+"\n  - {alert: A, expr: '"+expr+"'}\n")})
		switch {
		case err != nil:
			t.Errorf("%s: %v", expr, err)
		case len(own.Rules) == 1:
			if own.Rules[0].Expr != want {
				t.Errorf("%s: %s\nwant %s", expr, own.Rules[0].Expr, want)
			}
		case len(own.Wrong) != 1 || !strings.Contains(own.Wrong[0], want):
			t.Errorf("%s: %v\nwant %s", expr, own.Wrong, want)
		}
	}
}

// Each rule of a row that reads the one before twice doubles what is written out: at some size that is a mistake of the alert, told at once.
func TestRecordedNamesAreWrittenOutToABound(t *testing.T) {
	text := "groups:\n- name: g\n  rules:\n  - {record: r0, expr: up}\n"
	for i := range 60 {
		text += fmt.Sprintf("  - {record: r%d, expr: r%d + r%d}\n", i+1, i, i)
	}
	file := ruleFile(t, text+"  - {alert: Few, expr: r8 > 1}\n  - {alert: Many, expr: r60 > 1}\n")
	own, err := prom.ReadRules([]string{file})
	if err != nil || len(own.Rules) != 1 || own.Rules[0].Name != "Few" || len(own.Wrong) != 1 ||
		!strings.HasPrefix(own.Wrong[0], file+`: 66:5: group "g", "Many": with the recorded names`) {
		t.Errorf("%d rules, %q, %v", len(own.Rules), own.Wrong, err)
	}
}

func TestRulesThatCanNeverFire(t *testing.T) {
	names := []string{"up", "vllm:kv_cache_usage_perc"}
	for expr, want := range map[string]string{
		"vllm:gpu_cache_usage_perc > 0.9":            "no target has vllm:gpu_cache_usage_perc; nearest: vllm:kv_cache_usage_perc",
		"sum(rate(nothing_total[5m])) / sum(up) > 1": "no target has nothing_total",
		"up == 0 or nothing > 1":                     "",
		"up unless nothing":                          "",
		"absent(nothing)":                            "",
		`{__name__=~"other.*"} > 1`:                  "",
		"max_over_time(nothing[5m:1m]) > vector(1)":  "no target has nothing",
	} {
		own, err := prom.ReadRules([]string{ruleFile(t, "groups: [{name: g, rules: [{alert: A, expr: '"+expr+"'}]}]")})
		if err != nil || len(own.Rules) != 1 {
			t.Fatal(err, own)
		}
		if got := own.Rules[0].Never(names); got != want {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

func TestTemplatesOfAlerts(t *testing.T) {
	own, err := prom.ReadRules([]string{ruleFile(t, `
groups:
- name: g
  labels: {team: serving}
  rules:
  - alert: A
    expr: up
    labels: {severity: '{{ if gt $value 1000.0 }}critical{{ else }}warning{{ end }}'}
    annotations: {summary: '{{ $labels.instance }}: {{ $value | humanize }}, {{ printf "%.1f" $value }}', broken: '{{ query "up" | first | value }}'}
`)})
	if err != nil {
		t.Fatal(err)
	}
	alert, annotations := own.Rules[0].Tell(labels.FromStrings("__name__", "up", "instance", "a:8000"), 1234, time.Now())
	if alert["severity"] != "critical" || alert["team"] != "serving" || alert["alertname"] != "A" || alert["__name__"] != "" {
		t.Errorf("labels %v", alert)
	}
	if annotations["summary"] != "a:8000: 1.234k, 1234.0" || !strings.Contains(annotations["broken"], "query is not available here") {
		t.Errorf("annotations %v", annotations)
	}
}

// for and keep_firing_for over the ticks: watching live, and judging a moment, say the same at every tick.
func TestAlertsFireAndKeepFiring(t *testing.T) {
	store := fixed{promqltest.LoadedStorage(t, `load 5s
		up{job="vllm", instance="a:8000"} 1x60
		vllmscope_target_info{job="vllm", instance="a:8000", kind="vllm", url="http://a:8000/metrics"} 1x60
		load{job="vllm", instance="a:8000"} 0x11 1x11 0x11 1x1 0x36
		load{job="vllm", instance="gone:1"} 0x72`)}
	t.Cleanup(func() { _ = store.Close() })
	own, err := prom.ReadRules([]string{ruleFile(t, `
groups:
- name: g
  rules:
  - {alert: Loaded, expr: 'load > 0', for: 30s, keep_firing_for: 20s, labels: {severity: critical}}
  - {alert: Total, expr: 'sum(load) > 0', for: 30s, labels: {severity: warning}}
`)})
	if err != nil {
		t.Fatal(err)
	}
	book, set := diagnose.Default().WithOwn(own), diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0]}
	source := prom.NewEngine(store, set.Step)
	live := diagnose.NewWatch(source, book, set, time.Hour)
	said := map[int]string{}
	for second := 0; second <= 240; second += 5 {
		at := time.Unix(int64(second), 0)
		watched, err := live.Advance(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		moment, err := diagnose.JudgeAt(t.Context(), source, book, set, at)
		if err != nil {
			t.Fatal(err)
		}
		if watched == nil {
			continue
		}
		said[second] = states(watched)
		if at := states(moment); at != said[second] {
			t.Errorf("at %d s live says %s, judging the moment %s", second, said[second], at)
		}
	}
	for second, want := range map[int]string{
		55: "", 60: "Loaded pending a:8000 critical, Total pending the fleet warning",
		90:  "Loaded firing a:8000 critical, Total firing the fleet warning",
		115: "Loaded firing a:8000 critical, Total firing the fleet warning",
		120: "Loaded firing a:8000 critical, Total resolved the fleet warning",
		135: "Loaded firing a:8000 critical, Total resolved the fleet warning", // kept
		150: "Loaded resolved a:8000 critical, Total resolved the fleet warning",
	} {
		if said[second] != want {
			t.Errorf("at %d s: %s, want %s", second, said[second], want)
		}
	}
}

// states are the user's findings in words.
func states(r *diagnose.Report) string {
	var all []string
	for _, f := range r.Findings {
		if f.Rule.Expr != "" {
			all = append(all, strings.Join([]string{f.Rule.Name, f.State.String(), f.Subject.Name(), f.Severity.String()}, " "))
		}
	}
	return strings.Join(all, ", ")
}
