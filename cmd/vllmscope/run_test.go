package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ran is what a run of the program left.
type ran struct {
	code     int
	out, err string
}

// program runs the program with arguments, without a terminal.
func program(t *testing.T, args ...string) ran {
	t.Helper()
	return programIn(t, t.Context(), []string{"HOME=" + t.TempDir()}, args...)
}

func programIn(t *testing.T, ctx context.Context, environment []string, args ...string) ran { //nolint:revive // t comes first in tests
	t.Helper()
	var out, errs bytes.Buffer
	code := run(ctx, args, environment, streams{out: &out, err: &errs})
	return ran{code, out.String(), errs.String()}
}

// pages writes saved pages into a folder and returns it.
func pages(t *testing.T, texts ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".prom"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWrongUseExitsWithTwoAndTheNearestRightOne(t *testing.T) {
	dir := pages(t, "vllm:num_requests_running 1\n")
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"chekc"}, `did you mean "check"?`},
		{[]string{"check", "--intervall", "3s"}, "did you mean --interval?"},
		{[]string{"check", "--nothing-like-it"}, "see vllmscope check --help"},
		{[]string{"rules", "list", "--nothing-like-it"}, "see vllmscope rules list --help"},
		{[]string{"check", "--interval", "5"}, "write a time like 500ms, 5s or 1m"},
		{[]string{"check", "--interval", "5"}, `--interval "5": write`},
		{[]string{"demo", "--seed", "x"}, `--seed "x": write a whole number, not below 0`},
		{[]string{"demo", "--seed", "-1"}, `--seed "-1": write a whole number, not below 0`},
		{[]string{"demo", "--seed", "99999999999999999999"}, "that number is too large"},
		{[]string{"check", "--max-num-seqs", "1.5"}, `--max-num-seqs "1.5": write a whole number`},
		{[]string{"check", "--fast=maybe"}, `--fast "maybe": write true or false`},
		{[]string{"check", "--gpu", `a"b`}, "write addresses or paths"},
		{[]string{"check", "--slo", "chatty"}, "choose one of chat, code, batch"},
		{[]string{"check", "--format", "xml"}, "choose text, json or markdown"},
		{[]string{"check", "--fail-on", "bad"}, "choose critical, warning, information or never"},
		{[]string{"check", "no-such-folder/"}, "no file or folder no-such-folder/"},
		{[]string{"check", "--max-num-seqs", "-3"}, "0 is not told"},
		{[]string{"check", "--model-config", "config.json"}, "write NAME=FILE"},
		{[]string{"check", "--model-config", "m=no-such-file"}, "--model-config m=no-such-file: open no-such-file"},
		{[]string{"check", "--model-config", "m=run_test.go"}, "it is no config.json"},
		{[]string{"check", "gpu a:8000"}, "gpu a:8000"},
		{[]string{"check", dir, "--at", "yesterday"}, "write a time like"},
		{[]string{"check", dir, "--at", "2001-01-01T00:00:00Z"}, "the data reaches from"},
		{[]string{"check", dir, "localhost:8000"}, "cannot be judged together"},
		{[]string{"check", "localhost:1", "--gpu", dir}, "go with saved pages of servers"},
		{[]string{"check", "--gpu", dir}, "go with saved pages of servers"},
		{[]string{"check", "localhost:1", "--interval", "1s"}, "--fast allows it"},
		{[]string{"rules", "show", "D77"}, `did you mean "D7"?`},
		{[]string{"rules", "show", "KV_TRASH"}, `did you mean "KV_THRASH"?`},
		{[]string{"demo", "seedcase"}, "did you mean seed-case?"},
		{[]string{"demo", "KV-THRASH"}, "did you mean kv-thrash"},
		{[]string{"demo", "d4"}, "did you mean token-budget?"},
		{[]string{"demo", "healthy", "--onset", "-5s"}, "it must be at least 1ms"},
		{[]string{"demo", "healthy", "--gpu", "gpu-a:9400"}, "has GPUs of its own"},
		{[]string{"demo", "stuck"}, "did you mean stuck-engine or stuck-host?"},
		{[]string{"demo", "nope"}, "choose one of tour, seed-case, kv-thrash"},
		{[]string{"demo", "kv"}, "did you mean kv-thrash or kv-bound?"},
		{[]string{"demo", "tuor"}, "did you mean tour"},
		{[]string{"demo", "healthy", "--speed", "0.5"}, "--speed 0.5: it must be 1 to 60"},
		{[]string{"demo", "healthy", "--speed", "NaN"}, "it must be 1 to 60"},
		{[]string{"demo", "healthy", "--speed", "fast"}, `--speed "fast": write a number`},
		{[]string{"demo", "healthy", "--replicas", "27"}, "--replicas 27: scenario healthy: number of replicas is 27, must be 2 to 26"},
		{[]string{"demo", "healthy", "--replicas", "-1"}, "must be 2 to 26"},
		{[]string{"demo", "healthy", "--onset", "1d"}, "--onset 1d: it must be at most 12h"},
		{[]string{"demo", "healthy", "--interval", "2m"}, "--interval 2m: in a demo it must be 1s to 1m"},
		{[]string{"demo", "healthy", "--serve", "--port", "-1"}, "--port -1: port is -1, must be 0 to 65532"},
		{[]string{"demo", "healthy", "--serve", "--port", "65535"}, "port is 65535, must be 0 to 65532"},
		{[]string{"demo", "healthy", "--port", "8000"}, "it goes with --serve"},
		{[]string{"demo", "tour", "--serve"}, "--serve goes with one scenario, not with the tour"},
		{[]string{"demo", "tour", "--replicas", "4"}, "--replicas goes with one scenario"},
		{[]string{"demo", "tour", "--onset", "1m"}, "--onset goes with one scenario"},
		{[]string{"demo", "tour"}, "needs a terminal"},
		{[]string{"demo", "healthy", "more"}, "too many"},
		{[]string{"rules", "shw"}, `unknown argument "shw"`},
		{[]string{"rules", "show"}, "the code of a rule is missing"},
		{[]string{"rules", "export"}, "choose one of alertmanager, grafana, keda, markdown, prometheus, prometheus-adapter"},
		{[]string{"rules", "export", "--format", "prometheus", "--job", "("}, "it is no regular expression"},
		{[]string{"query"}, "an expression is missing"},
		{[]string{"check", "/no/such/folder"}, "no file or folder /no/such/folder"},
		{[]string{"query", "sum(", "--from", dir}, "parse error"},
		{[]string{"check", "--config", "/no/such/file"}, "no such file"},
		{[]string{dir}, "needs a terminal"},
	}
	for _, tt := range tests {
		got := program(t, tt.args...)
		if got.code != exitUsage || !strings.Contains(got.err, tt.want) || got.out != "" || strings.Contains(got.err, "strconv") {
			t.Errorf("%s: exit %d, wants 2\n%s%s", strings.Join(tt.args, " "), got.code, got.out, got.err)
		}
	}
}

func TestCheckExitsByWhatItFinds(t *testing.T) {
	fine := pages(t, "vllm:num_requests_running{engine=\"0\"} 1\n", "vllm:num_requests_running{engine=\"0\"} 1\n")
	blind := pages(t,
		"vllm:kv_cache_usage_perc{pid=\"1\"} 0.5\nvllm:kv_cache_usage_perc{pid=\"2\"} 0\n",
		"vllm:kv_cache_usage_perc{pid=\"1\"} 0.5\nvllm:kv_cache_usage_perc{pid=\"2\"} 0\n")
	other, empty := pages(t, "node_load1 2\n"), pages(t, "")
	html := pages(t, "<html><title>Sign in</title></html>")
	for _, tt := range []struct {
		name string
		args []string
		code int
	}{
		{"nothing found", []string{"check", fine}, exitFine},
		{"a warning that was true all the time", []string{"check", blind}, exitFindings},
		{"below the level that counts", []string{"check", blind, "--fail-on", "critical"}, exitFine},
		{"never", []string{"check", blind, "--fail-on", "never"}, exitFine},
		{"information counts when asked to", []string{"check", fine, "--fail-on", "information"}, exitFindings},
		{"no metrics page", []string{"check", html}, exitCouldNotRun},
		{"nothing listens", []string{"check", "localhost:1"}, exitCouldNotRun},
		{"another exporter", []string{"check", other}, exitCouldNotRun},
		{"an empty page", []string{"check", empty}, exitCouldNotRun},
		{"another exporter beside vLLM", []string{"check", fine, "--gpu", other}, exitFine},
		{"a listing of another exporter", []string{"targets", other}, exitFine},
	} {
		if got := program(t, tt.args...); got.code != tt.code {
			t.Errorf("%s: exit %d, want %d\n%s%s", tt.name, got.code, tt.code, got.out, got.err)
		}
	}
}

// The numbers are part of the interface: scripts ask for them.
func TestExitCodesAreTheseNumbers(t *testing.T) {
	blind := "vllm:kv_cache_usage_perc{pid=\"1\"} 0.5\nvllm:kv_cache_usage_perc{pid=\"2\"} 0\n"
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx  context.Context
		args []string
		code int
	}{
		{t.Context(), []string{"rules", "list"}, 0},
		{t.Context(), []string{"check", "localhost:1", "--interval", "100ms", "--fast"}, 1},
		{t.Context(), []string{"check", "--format", "xml"}, 2},
		{t.Context(), []string{"check", pages(t, blind, blind)}, 3},
		{interrupted, []string{"check", "localhost:1"}, 130},
	} {
		if got := programIn(t, tt.ctx, nil, tt.args...); got.code != tt.code {
			t.Errorf("%v: exit %d, want %d\n%s", tt.args, got.code, tt.code, got.err)
		}
	}
}

func TestWhatCannotBeReadIsNoWrongUse(t *testing.T) {
	damaged, folder := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "1.prom.gz"), []byte("\x1f\x8b no gzip"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "1.prom"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"check", damaged}, exitCouldNotRun, "damaged gzip"},
		{[]string{"check", folder}, exitCouldNotRun, "is a directory"},
		{[]string{"check", t.TempDir()}, exitUsage, "has no saved pages"},
		{[]string{"check", damaged, damaged}, exitUsage, "name them once"},
		{[]string{"check", damaged, "--interval", "50ms"}, exitUsage, "is below 100ms"},
	} {
		if got := program(t, tt.args...); got.code != tt.code || !strings.Contains(got.err, tt.want) {
			t.Errorf("%v: exit %d, want %d\n%s", tt.args, got.code, tt.code, got.err)
		}
	}
}

func TestAnInterruptedCheckExitsWith130(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := programIn(t, ctx, nil, "check", server.URL); got.code != exitInterrupted {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
}

func TestFlagBeatsEnvironmentBeatsFile(t *testing.T) {
	dir := pages(t, "vllm:num_requests_running{engine=\"0\"} 1\n")
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("flags: {window: 5m, slo: batch}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name        string
		environment []string
		args        []string
		window      float64
	}{
		{"the file", nil, nil, 300},
		{"the environment", []string{"VLLMSCOPE_WINDOW=2m"}, nil, 120},
		{"the flag", []string{"VLLMSCOPE_WINDOW=2m"}, []string{"--window", "3m"}, 180},
	} {
		got := programIn(t, t.Context(), tt.environment, append([]string{"check", dir, "--config", file, "--format", "json"}, tt.args...)...)
		var report struct {
			WindowSeconds float64 `json:"window_seconds"`
		}
		if err := json.Unmarshal([]byte(got.out), &report); err != nil {
			t.Fatalf("%s: %v\n%s", tt.name, err, got.err)
		}
		if report.WindowSeconds != tt.window {
			t.Errorf("%s: window %v, want %v", tt.name, report.WindowSeconds, tt.window)
		}
	}
	got := programIn(t, t.Context(), []string{"VLLMSCOPE_INTERVAL=often"}, "check", dir)
	if got.code != exitUsage || !strings.Contains(got.err, `VLLMSCOPE_INTERVAL="often": write a time like`) {
		t.Errorf("a wrong variable: exit %d, %s", got.code, got.err)
	}
}

func TestConfigurationNamesWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"scrape_confgs: []":                                   `unknown key "scrape_confgs"`,
		"flags: {intervl: 5s}":                                `did you mean "interval"?`,
		"flags:\n\tinterval: 5s":                              "YAML takes no tabs: indent with spaces",
		"flags: {zzz: 5s}":                                    `unknown flag "zzz"; known are`,
		"flags: {keep: 10m}":                                  "--keep 10m: rules look back for an hour",
		"flags: {interval: often}":                            `interval: "often": write a time like`,
		"flags: {max_num_seqs: many}":                         `max-num-seqs: "many": write a whole number`,
		"servers: [{max_num_seqs: 4}]":                        "lacks its instance",
		"servers: [{instance: a, gpu_model: H100}]":           "no data sheet of the GPU \"H100\" of a is known here; those of GB200,",
		"models: [{name: m}]":                                 "line 1: an entry of models wants its name and config",
		"\nmodels: {m: {config: c.json}}":                     "line 2: a mapping stands where a list belongs",
		"servers:\n- 12":                                      "line 2: a number stands where a mapping belongs",
		"servers: [{instance: a, max_num_seqs: [4]}]":         "line 1: max_num_seqs: write a whole number above 0",
		"servers:\n- {instance: a, gpu_count: four}":          "line 2: gpu_count: write a whole number above 0",
		"models: [{name: m, config: config.yaml}]":            "model m: it is no config.json",
		"scrape_configs: [{static_configs: []}]":              "lacks job_name",
		"servers: [{instance: a, max_num_seqs: -4}]":          "line 1: max_num_seqs: write a whole number above 0",
		"servers: [{instance: a, max_num_batched_tokens: 0}]": "line 1: max_num_batched_tokens: write a whole number above 0",
	} {
		file := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := program(t, "check", "--config", file); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit %d, %s", text, got.code, got.err)
		}
	}
}

// One configuration serves all commands: flags of the dashboard are no mistake where another one runs.
func TestFlagsOfTheScreenMayBeConfigured(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("flags: {ascii: true, theme: dark}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := program(t, "rules", "list", "--config", file); got.code != exitFine {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
}

// One run tells all that is wrong with a configuration, each with its line where the file has one.
func TestAllThatIsWrongWithAConfigurationIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	text := `scrape_configs:
  - static_configs: []
  - job_name: a
    static_config: []
  - job_name: b
    max_num_seq: 4
flags: {intervall: 5s, keep: often}
servers: [{max_num_seqs: 4}]
models: [{name: m}]
silences:
- {code: D3}
- {code: D33, until: 2030-01-01T00:00:00Z}
rules:
  D1: {hodl: 2m, severity: critcal}
  D99: {hold: 2m}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := program(t, "rules", "list", "--config", file)
	want := `a scrape config lacks job_name
line 4: unknown key "static_config"; did you mean "static_configs"?
line 6: unknown key "max_num_seq"; did you mean "max_num_seqs"?
line 11: the silence of D3 has no end; write until: TOMORROW
line 8: an entry of servers lacks its instance (host:port)
line 7: unknown flag "intervall"; did you mean "interval"?
line 7: keep: "often": write a time like 500ms, 5s or 1m
line 14: of a rule nothing is called "hodl"; did you mean "hold"?
line 14: severity: "critcal" is none; did you mean "critical"?
line 15: no rule "D99"; did you mean "D9"?
line 12: no rule "D33"; did you mean "D3"?
line 9: an entry of models wants its name and config (a config.json)
`
	told := strings.ReplaceAll(strings.TrimPrefix(got.err, "vllmscope: "), "configuration "+file+": ", "")
	told = regexp.MustCompile(`until: \d\S+Z`).ReplaceAllString(told, "until: TOMORROW")
	if got.code != exitUsage || told != want {
		t.Errorf("exit code %d:\n%swant\n%s", got.code, told, want)
	}
}

// A name that no target has is what a query without a result is most often about.
func TestQueryWithoutAResultNamesTheNearestMetric(t *testing.T) {
	got := program(t, "query", "sum(vllm:num_request_waiting)", "--from", pages(t, "vllm:num_requests_waiting 1\n"))
	if want := "vllmscope: no result; no target has vllm:num_request_waiting; nearest: vllm:num_requests_waiting\n"; got.code != exitFine || got.err != want {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
}

// --window is the span of the figures, and of nothing that is judged.
func TestWindowIsOfTheFiguresAlone(t *testing.T) {
	var texts []string
	tokens := 10000
	for i := range 60 { // five minutes: 100 tokens a second, in the last minute 500
		texts = append(texts, fmt.Sprintf("vllm:num_requests_running{engine=\"0\",model_name=\"m\"} 1\nvllm:generation_tokens_total{engine=\"0\",model_name=\"m\"} %d\n", tokens))
		tokens += 500
		if i >= 47 {
			tokens += 2000
		}
	}
	dir := pages(t, texts...)
	figure := func(window string) (text string, unknown int) {
		got := program(t, "check", dir, "--interval", "5s", "--window", window, "--format", "json")
		var report struct {
			Replicas []struct {
				Figures map[string]struct{ Text string }
			}
			Unknown []any
		}
		if err := json.Unmarshal([]byte(got.out), &report); err != nil {
			t.Fatal(err)
		}
		return report.Replicas[0].Figures["generation_tokens_per_second"].Text, len(report.Unknown)
	}
	minute, judged := figure("1m")
	four, judgedToo := figure("4m")
	if minute != "500 tok/s" || four != "202 tok/s" || judged != judgedToo {
		t.Errorf("over 1m %s, over 4m %s; %d and %d could not be judged", minute, four, judged, judgedToo)
	}
}

// A server that serves another model now is judged by that one alone.
func TestModelsThatAreGoneAreNotJudged(t *testing.T) {
	served := func(model string) string {
		return "vllm:num_requests_running{engine=\"0\",model_name=\"" + model + "\"} 1\n"
	}
	before, now := served("before"), served("now")
	got := program(t, "check", pages(t, before, before, before, before, now, now, now, now), "--interval", "15s", "--format", "json")
	var report struct {
		Unknown []struct {
			Subject struct{ Model string }
		}
	}
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Unknown) == 0 {
		t.Error("nothing lacks: the page has one series")
	}
	for _, u := range report.Unknown {
		if u.Subject.Model == "before" {
			t.Fatalf("the model that is gone cannot be judged:\n%s", got.out)
		}
	}
}

// What the README shows as a configuration is one.
func TestReadmeConfiguration(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```yaml\n")
	text, _, found := strings.Cut(rest, "```")
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil || !found {
		t.Fatal(err)
	}
	c, err := loadConfiguration(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := c.targets()
	if err != nil || len(targets) != 3 || c.Servers[0].MaxNumSeqs != 64 || c.Flags["slo"] != "code" {
		t.Errorf("targets %v, servers %v, flags %v, error %v", targets, c.Servers, c.Flags, err)
	}
}

func TestConfigurationTellsWhatServersDoNot(t *testing.T) {
	full := "vllm:num_requests_running{engine=\"0\",model_name=\"m\"} 8\nvllm:num_requests_waiting{engine=\"0\",model_name=\"m\"} 5\n" +
		"vllm:kv_cache_usage_perc{engine=\"0\",model_name=\"m\"} 0.1\nvllm:num_preemptions_total{engine=\"0\",model_name=\"m\"} 0\n"
	dir := pages(t, full, full, full, full)
	instance := filepath.Base(dir)
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("servers: [{instance: \""+instance+"\", max_num_seqs: 8}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	told := program(t, "check", dir, "--config", file)
	if !strings.Contains(told.out, "D3 sequence cap") || !strings.Contains(told.out, "full at 8 sequences") {
		t.Errorf("the told cap is not used:\n%s%s", told.out, told.err)
	}
	if another := program(t, "check", dir, "--max-num-seqs", "64"); strings.Contains(another.out, "D3 sequence cap") {
		t.Errorf("a cap of 64 is not reached by 8:\n%s", another.out)
	}
}

func TestQueryPrintsWhatPrometheusPrints(t *testing.T) {
	dir := pages(t, "vllm:prompt_tokens_total{engine=\"0\"} 10\n", "vllm:prompt_tokens_total{engine=\"0\"} 20\n")
	got := program(t, "query", "sum(vllm:prompt_tokens_total)", "--from", dir, "--format", "json")
	var answer struct {
		Status string
		Data   struct {
			ResultType string
			Result     []struct{ Value [2]any }
		}
	}
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Status != "success" || answer.Data.ResultType != "vector" || len(answer.Data.Result) != 1 || answer.Data.Result[0].Value[1] != "20" {
		t.Errorf("got %s", got.out)
	}
	if got := program(t, "query", "rate(vllm:prompt_tokens_total[1m]) > 1000", "--from", dir); got.code != exitFine || !strings.Contains(got.err, "no result") {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}

func TestRulesAreListedAndShown(t *testing.T) {
	list := program(t, "rules", "list")
	if strings.Count(list.out, "\n") < 27 || !strings.Contains(list.out, "KV_THRASH") {
		t.Errorf("got\n%s", list.out)
	}
	var rules []map[string]any
	if err := json.Unmarshal([]byte(program(t, "rules", "list", "--format", "json").out), &rules); err != nil || rules[0]["code"] != "B2" {
		t.Errorf("%v: %v", err, rules)
	}
	if show := program(t, "rules", "show", "d1"); !strings.Contains(show.out, "preemptions_per_admission ≥ 0.05") {
		t.Errorf("got\n%s", show.out)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"check", "targets", "query", "rules", "demo"}
	for word, want := range map[string]string{"chekc": "check", "target": "targets", "rule": "rules", "dmeo": "demo", "llama": "", "gpu": ""} {
		if got := nearest(word, names); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

func TestCheckSaysWhatIsThereInsteadOfVLLM(t *testing.T) {
	dir := pages(t, "node_load1 2\n")
	got := program(t, "check", dir)
	if want := "no vLLM server among the targets: " + filepath.Base(dir) + ": a page without vLLM metrics; vLLM serves its metrics at /metrics on the port of its API"; !strings.Contains(got.err, want) || got.out == "" {
		t.Errorf("got %s%s", got.out, got.err)
	}
	if got := program(t, "check", pages(t, "")); !strings.Contains(got.err, "the page has no samples") {
		t.Errorf("got %s", got.err)
	}
}

func TestADumbTerminalIsCalledOne(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"localhost:1"}, []string{"TERM=dumb"}, streams{out: &out, err: &errs, terminal: true})
	if code != exitUsage || !strings.Contains(errs.String(), "this terminal is dumb") || !strings.Contains(errs.String(), "vllmscope check prints") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

func TestNumbersAreWrittenAsPrometheusDoes(t *testing.T) {
	for want, v := range map[string]float64{"+Inf": math.Inf(1), "-Inf": math.Inf(-1), "NaN": math.NaN(), "0.25": 0.25, "12345678": 12345678} {
		if got := number(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What an exporter shows in every one of several scrapes counts, whatever hold its rule asks for; in one page alone, or of a GPU that is
// well, there is nothing that counts and no server.
func TestFaultOfAnExporterCountsWhenItStandsInEveryScrape(t *testing.T) {
	page := func(remap string) string {
		return `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",Hostname="h"} 0` + "\n" + `DCGM_FI_DEV_ROW_REMAP_FAILURE{gpu="0",UUID="GPU-1",Hostname="h"} ` + remap + "\n"
	}
	for _, row := range []struct {
		name  string
		pages []string
		code  int
		say   string
	}{
		{"in every scrape", []string{page("1"), page("1"), page("1")}, exitFindings, "confirmed · held 10s\n"},
		{"in one page", []string{page("1")}, exitCouldNotRun, "confirmed · one page only, does not count for the exit code\n"},
		{"in the last scrape", []string{page("0"), page("0"), page("1")}, exitCouldNotRun, "held 0s · pending, does not count for the exit code yet\n"},
		{"nowhere", []string{page("0"), page("0"), page("0")}, exitCouldNotRun, "NO VLLM SERVER"},
	} {
		got := program(t, "check", pages(t, row.pages...))
		if got.code != row.code || !strings.Contains(got.out, row.say) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s%s", row.name, got.code, row.code, row.say, got.out, got.err)
		}
	}
}

func TestVersionIsACommandToo(t *testing.T) {
	want := program(t, "--version")
	if got := program(t, "version"); got != want || got.code != 0 || !strings.HasPrefix(got.out, "vllmscope version ") {
		t.Errorf("version: %+v, --version: %+v", got, want)
	}
}
