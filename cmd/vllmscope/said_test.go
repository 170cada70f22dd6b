package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is wrong in what the configuration says of rules is told with its line and the nearest right word.
func TestConfigurationOfRulesThatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"silences:\n- {code: D33, until: 2030-01-01T00:00:00Z}": `line 2: no rule "D33"; did you mean "D3"?`,
		"silences:\n- {code: D3}":                               `line 2: the silence of D3 has no end`,
		"silences:\n- {code: D3, until: tomorrow}":              `line 2: until: "tomorrow"`,
		"silences:\n- {code: D3, unto: 2030-01-01T00:00:00Z}":   `did you mean "until"?`,
		"rules:\n  D1:\n    thresholds:\n      kv_medain: 0.9":  `line 4: rule D1: it does not compare "kv_medain"`,
		"rules:\n  D1: {severity: critcal}":                     `line 2: severity: "critcal" is none; did you mean "critical"?`,
		"rules:\n  D1: {hodl: 2m}":                              `line 2: of a rule nothing is called "hodl"; did you mean "hold"?`,
		"rules:\n  D1: {hold: soon}":                            `line 2: hold: write a time`,
		"rules:\n  KV_THRAHS: {hold: 2m}":                       `did you mean "KV_THRASH"?`,
		"runbook: wiki":                                         `line 1: runbook: "wiki" is no address`,
		"runbook: {D1: https://wiki/d1, Z1: https://wiki/z1}":   `line 1: no rule "Z1"`,
		"rules:\n  D1: {thresholds: {kv_median: a lot}}":        `"a lot" is no number`,
		"rules:\n  D1: {thresholds: {kv_median: 95}}":           `kv_median: "95" is more than all, which is 100%: write a share like 0.95 or 95%`,
		"rules:\n  D1: {thresholds: {kv_median: 950%}}":         `kv_median: "950%" is more than all`,
		"rules:\n  D3: {thresholds: {waiting: -3}}":             `waiting: "-3" is less than none: write 0 or more`,
		"rules:\n  D1: {thresholds: {kv_median: -5%}}":          `kv_median: "-5%" is less than none, which is 0%`,
		"rules:\n  D1: {thresholds: {kv_median: .inf}}":         `kv_median: ".inf" is no number`,
		"rules:\n  D1: {thresholds: {kv_median: NaN}}":          `kv_median: "NaN" is no number`,
		"rules:\n  B3: {thresholds: {silence: -5}}":             `silence: "-5" is less than no time`,
		"rules:\n  B3: {thresholds: {answered_at_all: 2}}":      `answered_at_all: "2" is neither yes (1) nor no (0)`,
		"rule_files: [nothing/*.yml]":                           `: rule_files: `,
	} {
		file := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := program(t, "rules", "list", "--config", file)
		if got.code != exitUsage || !strings.Contains(got.err, want) || !strings.Contains(got.err, file) {
			t.Errorf("%s: exit %d, %s\nwant %s", text, got.code, got.err, want)
		}
	}
}

// A silence without an end is told a time that has not passed.
func TestTomorrow(t *testing.T) {
	if got := tomorrow(time.Date(2026, 12, 31, 23, 59, 1, 0, time.UTC)); got != "2027-01-01T23:00:00Z" {
		t.Error(got)
	}
	var s said
	err := strictly([]byte("silences: [{code: D3}]"), &s)
	if err == nil {
		t.Fatal("a silence without an end is taken")
	}
	_, text, _ := strings.Cut(err.Error(), "write until: ")
	if until, wrong := time.Parse(time.RFC3339, text); wrong != nil || !until.After(time.Now()) {
		t.Errorf("%s: %v", err, wrong)
	}
}

// Of a file that is not there nobody is told to choose a profile.
func TestObjectivesOfNoFile(t *testing.T) {
	dir := t.TempDir()
	for slo, want := range map[string]string{
		"nofile.yaml": "there is no such file", dir + "/nofile": "there is no such file", "chatty": "choose one of chat", dir: "--slo: ",
	} {
		if got := program(t, "check", "--slo", slo, "localhost:1"); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit %d: %s", slo, got.code, got.err)
		}
	}
}

func TestConfigurationOfRules(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	text := "runbook: https://wiki/{code}/{name}\nrules: {D1: {hold: 2m, thresholds: {kv_median: 95%}, runbook: \"https://wiki/own/{code}\"}}\n" +
		"silences: [{code: D2, instance: \"a:8000\", until: 2030-01-01T00:00:00Z, reason: known}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := program(t, "rules", "show", "D1", "--config", file)
	for _, want := range []string{"held for 2m", "≥ 95 %", "your threshold", "runbook: https://wiki/own/D1"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %s in\n%s", want, got.out)
		}
	}
	if got := program(t, "rules", "show", "D2", "--config", file); !strings.Contains(got.out, "https://wiki/D2/KV_BOUND") {
		t.Errorf("no runbook in\n%s", got.out)
	}
	c, err := loadConfiguration(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := c.said.silences(); len(s) != 1 || s[0].Reason != "known" || !s[0].Until.Equal(time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("silences %v", s)
	}
}

func TestObjectivesOfAFile(t *testing.T) {
	found, err := readObjectives([]byte("default: code\nmodels:\n  a: {like: chat, ttft: 2s, success: 99.5%, share: 0.95}\n  b: batch\n"))
	if err != nil {
		t.Fatal(err)
	}
	a := found.byModel["a"]
	if found.all.Name != "code" || a.Name != "" || a.TTFT != 2*time.Second || a.TPOT != 50*time.Millisecond || a.Feels != time.Second ||
		a.Success != 0.995 || a.Share != 0.95 || found.byModel["b"].Name != "batch" {
		t.Errorf("%+v", found)
	}
	for text, want := range map[string]string{
		"models:\n  a: {tfft: 2s}": `line 2: unknown key "tfft"; did you mean "ttft"?`,
		"modles: {}":               `unknown key "modles"`,
		"default: {share: 100%}":   "less than all",
		"default: {ttft: 2}":       "write a time",
		"default: chatty":          `no profile "chatty"`,
		"default: {}":              "nothing is wanted",
		"":                         "empty",
	} {
		if _, err := readObjectives([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What the page about it shows can be used as it stands.
func TestConfigurationPageIsTrue(t *testing.T) {
	page, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for i, part := range strings.Split(string(page), "```") {
		if text, ok := strings.CutPrefix(part, "yaml\n"); i%2 == 1 && ok {
			blocks = append(blocks, text)
		}
	}
	if len(blocks) != 3 {
		t.Fatalf("%d examples", len(blocks))
	}
	if found, err := readObjectives([]byte(blocks[0])); err != nil || len(found.byModel) != 2 {
		t.Errorf("objectives: %+v, %v", found, err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(file, []byte(blocks[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "rules"), 0o700); err != nil {
		t.Fatal(err)
	}
	rules := "groups: [{name: g, rules: [{alert: Mine, expr: up == 0}]}]"
	if err := os.WriteFile(filepath.Join(dir, "rules", "mine.yml"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	got := program(t, "rules", "list", "--config", file)
	if got.code != exitFine || !strings.Contains(got.out, "U1") || !strings.Contains(got.out, "Mine") {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.err)
	}
	shape := `{"hidden_size":4096,"intermediate_size":14336,"num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,"vocab_size":128256,"torch_dtype":"bfloat16","model_type":"llama","architectures":["LlamaForCausalLM"]}`
	if got := program(t, "rules", "show", "Mine", "--config", file); got.code != exitFine || !strings.Contains(got.out, "when up == 0\n") || strings.Contains(got.out, "settle") {
		t.Errorf("exit %d: %s%s", got.code, got.out, got.err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(shape), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(blocks[2]), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := program(t, "rules", "list", "--config", file); got.code != exitFine {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

// Rules of one's own that cannot run make no clean result: the rest is judged and printed, and the code says that something is wrong.
func TestWrongRulesOfOnesOwnAreNoCleanResult(t *testing.T) {
	dir := filepath.Join(fixtures(t), "real-vllm")
	wrong := filepath.Join(t.TempDir(), "mine.yml")
	text := "groups:\n- name: g\n  rules:\n  - alert: Mine\n    expr: up == 0\n    annotations: {summary: '{{ $value'}\n"
	if err := os.WriteFile(wrong, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		recording string
		code      int
	}{{"02-healthy-light", exitUsage}, {"04-kv-exhaustion-preemptions", exitFindings}} {
		got := program(t, "check", filepath.Join(dir, row.recording), "--rules", wrong)
		if got.code != row.code || !strings.Contains(got.err, "did not all run") || !strings.Contains(got.out, "REPLICA") || !strings.Contains(got.out, wrong+`: 6:28: group "g", rule 1, "Mine": annotation "summary"`) {
			t.Errorf("%s: exit %d, want %d: %s%s", row.recording, got.code, row.code, got.out, got.err)
		}
		if clean := program(t, "check", filepath.Join(dir, row.recording)); clean.code == exitUsage {
			t.Errorf("%s without rules: exit %d: %s", row.recording, clean.code, clean.err)
		}
	}
}
