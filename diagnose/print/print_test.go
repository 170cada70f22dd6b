package print

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

var update = flag.Bool("update", false, "write the golden files")

// thrash is a server whose KV cache is full, with its GPU, and a second one that is down.
const thrash = `
load 5s
  up{job="vllm", instance="gpu-a:8000"} 1x60
  up{job="vllm", instance="gpu-b:8000"} 1x20 0x40
  up{job="dcgm", instance="gpu-a:9400"} 1x60
  scrape_duration_seconds{job="vllm", instance="gpu-a:8000"} 0.012x60
  scrape_samples_scraped{job="vllm", instance="gpu-a:8000"} 502x60
  vllmscope_bad_lines{job="vllm", instance="gpu-a:8000"} 1x60
  vllmscope_note{job="vllm", instance="gpu-a:8000", note="bad_line", detail="line 7: \"vllm:x{\""} 1x60
  vllmscope_target_info{job="vllm", instance="gpu-a:8000", kind="vllm", url="http://gpu-a:8000/metrics", version="0.32.0"} 1x60
  vllmscope_target_info{job="vllm", instance="gpu-b:8000", kind="vllm", url="http://gpu-b:8000/metrics"} 1x60
  vllmscope_scrape_error{job="vllm", instance="gpu-b:8000", class="refused", error="connection refused"} _x21 1x39
  vllm:num_requests_running{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 32x60
  vllm:num_requests_waiting{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 57x60
  vllm:kv_cache_usage_perc{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 0.98x60
  vllm:cache_config_info{job="vllm", instance="gpu-a:8000", engine="0", kv_cache_size_tokens="412000"} 1x60
  vllm:num_preemptions_total{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 0+3x60
  vllm:generation_tokens_total{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 0+6000x60
  vllm:request_success_total{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b", finished_reason="stop"} 0+5x60
  vllm:time_to_first_token_seconds_count{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 0+5x60
  vllm:time_to_first_token_seconds_sum{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 0+40x60
  vllm:time_to_first_token_seconds_bucket{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b", le="2.5"} 0+2x60
  vllm:time_to_first_token_seconds_bucket{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b", le="5"} 0+3x60
  vllm:time_to_first_token_seconds_bucket{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b", le="20"} 0+5x60
  vllm:time_to_first_token_seconds_bucket{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b", le="+Inf"} 0+5x60
  DCGM_FI_DEV_GPU_UTIL{job="dcgm", instance="gpu-a:9400", gpu="0", UUID="GPU-1", Hostname="gpu-a", modelName="NVIDIA H100"} 45x60
  DCGM_FI_DEV_GPU_TEMP{job="dcgm", instance="gpu-a:9400", gpu="0", UUID="GPU-1", Hostname="gpu-a", modelName="NVIDIA H100"} 61x60
  DCGM_FI_DEV_SM_CLOCK{job="dcgm", instance="gpu-a:9400", gpu="0", UUID="GPU-1", Hostname="gpu-a", modelName="NVIDIA H100"} 1980x60
`

type loaded struct{ storage.Queryable }

func (loaded) Span() (first, last int64, ok bool) { return 0, (5 * time.Minute).Milliseconds(), true }

func thrashReport(t *testing.T) *diagnose.Report {
	t.Helper()
	r, _ := reportOf(t, thrash, 4*time.Minute)
	return r
}

// reportOf is the report of a moment of some series, and what they are read from.
func reportOf(t *testing.T, series string, at time.Duration) (*diagnose.Report, diagnose.Source) {
	t.Helper()
	set := diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0], MaxNumSeqs: 64}
	source := prom.NewEngine(loaded{promqltest.LoadedStorage(t, series)}, set.Step)
	r, err := diagnose.JudgeAt(t.Context(), source, diagnose.Default(), set, time.UnixMilli(at.Milliseconds()))
	if err != nil {
		t.Fatal(err)
	}
	return r, source
}

func TestPrintersSayTheSame(t *testing.T) {
	r := thrashReport(t)
	for name, printer := range map[string]func(*bytes.Buffer) error{
		"thrash.txt":  func(b *bytes.Buffer) error { return Text(b, r) },
		"thrash.json": func(b *bytes.Buffer) error { return JSON(b, r) },
		"thrash.md":   func(b *bytes.Buffer) error { return Markdown(b, r) },
		"targets.txt": func(b *bytes.Buffer) error { return Targets(b, r) },
		"rules.txt":   func(b *bytes.Buffer) error { return Rules(b, r.Book()) },
		"rule-D1.txt": func(b *bytes.Buffer) error { return Rule(b, r.Book(), r.Book().Rule("D1")) },
		"rule-D4.txt": func(b *bytes.Buffer) error { return Rule(b, r.Book(), r.Book().Rule("D4")) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := printer(&b); err != nil {
				t.Fatal(err)
			}
			if strings.ContainsRune(b.String(), '\x1b') {
				t.Error("an escape sequence")
			}
			golden(t, name, b.String())
		})
	}
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got; -update writes it):\n%s", file, diff)
	}
}

// What scripts rely on in version 1 of the JSON.
func TestJSONKeepsItsContract(t *testing.T) {
	var b bytes.Buffer
	if err := JSON(&b, thrashReport(t)); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	has := func(where string, object any, names string) {
		t.Helper()
		for name := range strings.FieldsSeq(names) {
			if _, ok := object.(map[string]any)[name]; !ok {
				t.Errorf("%s lacks %s", where, name)
			}
		}
	}
	has("the report", got, "version time observed_seconds window_seconds targets findings unknown summary")
	has("a target", got["targets"].([]any)[0], "url kind up error age_seconds scrape_seconds samples bad_lines server_version")
	first := got["findings"].([]any)[0].(map[string]any)
	has("a finding", first, "code name title severity state since held_seconds hold_seconds throughout subject confidence certainty sentence "+
		"evidence explains explained_by ruled_out actions confirm_with")
	has("a subject", first["subject"], "level model server engine gpu")
	has("evidence", first["evidence"].([]any)[0], "signal title value low high unit op threshold n outcome expr")
	has("an action", first["actions"].([]any)[0], "when text watch")
	has("the summary", got["summary"], "critical warning information unknown first")
	if got["version"] != 1.0 {
		t.Errorf("version %v", got["version"])
	}
	for _, target := range got["targets"].([]any) {
		if target := target.(map[string]any); target["up"] == false && target["samples"] != nil {
			t.Errorf("a target that is down has %v samples", target["samples"])
		}
	}
}

// What has never answered has no age, and what went silent has the age of its last answer.
func TestATargetHasAnAgeSinceItAnswered(t *testing.T) {
	r, _ := reportOf(t, strings.TrimSpace(thrash)+`
  up{job="vllm", instance="gpu-c:8000"} 0x60
`, 4*time.Minute)
	var b, markdown bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := Markdown(&markdown, r); err != nil {
		t.Fatal(err)
	}
	var got jsonReport
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	ages := map[string]*float64{}
	for _, target := range got.Targets {
		ages[target.Instance] = target.AgeSeconds
	}
	if up, silent := ages["gpu-a:8000"], ages["gpu-b:8000"]; up == nil || *up != 0 || silent == nil || *silent != 140 || ages["gpu-c:8000"] != nil {
		t.Errorf("ages: %v of what answers, %v of what went silent, %v of what never answered", up, silent, ages["gpu-c:8000"])
	}
	if want := "| gpu-c:8000 |  | down | – |"; !strings.Contains(markdown.String(), want) {
		t.Errorf("lacks %q:\n%s", want, markdown.String())
	}
}

// A rule may leave out the hold of its critical form, which is then its own, and what to watch.
func TestARuleNeedNotSayEverything(t *testing.T) {
	book := diagnose.Default()
	test := diagnose.All{diagnose.Is{Signal: "up", Op: diagnose.Equals, Origin: diagnose.Judgement}}
	action := []diagnose.Action{{Text: "look at it"}}
	r := diagnose.Rule{
		Code: "Z1", Hold: 2 * time.Minute, When: test, Critical: test, Actions: action,
		Cases: []diagnose.Case{{If: test, Name: "again", Sentence: "It is down.", Actions: action}},
	}
	var b bytes.Buffer
	if err := Rule(&b, book, &r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\ncritical when, for 2m\n", "\nnow: look at it\n", "It is down.\n  now: look at it\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}

func TestNothingFromOutsideEndsATableCell(t *testing.T) {
	for text, want := range map[string]string{`a|b`: `a\|b`, `a\|b`: `a\\\|b`, `a\`: `a\\`, "`*_[<": "\\`\\*\\_\\[&lt;"} {
		if got := plain(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestWideCharactersStandInTwoCells(t *testing.T) {
	got := strings.Join(aligned([][]string{{"模型", "1"}, {"e\u0301", "2"}, {"four", "3"}}), "\n")
	if want := "模型  1\ne\u0301     2\nfour  3"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
