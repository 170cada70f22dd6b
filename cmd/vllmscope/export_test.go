package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An export is of the book as the user has changed it, with the runbooks of the configuration; --runbook beats those.
func TestExportIsOfTheUsersBook(t *testing.T) {
	if underRace {
		t.Skip("nothing here that other tests do not do at once")
	}
	file := filepath.Join(t.TempDir(), "config.yaml")
	text := "runbook: https://wiki/{code}/{name}\nrules: {D1: {thresholds: {kv_median: 95%}, runbook: \"https://wiki/own\"}}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	export := func(more ...string) string {
		got := program(t, append([]string{"rules", "export", "--format", "prometheus", "--config", file}, more...)...)
		if got.code != exitFine {
			t.Fatalf("exit code %d: %s", got.code, got.err)
		}
		return got.out
	}
	whole := export()
	for _, want := range []string{"runbook_url: https://wiki/own\n", "runbook_url: https://wiki/D2/KV_BOUND\n", "vllmscope:replica:kv_median >= 0.95"} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in the export", want)
		}
	}
	whole = export("--runbook", "https://other/{name}")
	if !strings.Contains(whole, "runbook_url: https://other/KV_THRASH\n") || strings.Contains(whole, "https://wiki") {
		t.Error("--runbook does not beat the configuration")
	}
	if got := program(t, "rules", "export", "--format", "prometheus", "--runbook", "wiki"); got.code != exitUsage || !strings.Contains(got.err, "--runbook") {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
}

// What a baseline says is in the export as numbers, and without one the head says what is missing.
func TestExportSaysTheBaseline(t *testing.T) {
	if underRace {
		t.Skip("nothing here that other tests do not do at once")
	}
	const series = "record: vllmscope:model:answer_tokens_recorded"
	got := program(t, "rules", "export", "--format", "prometheus", "--baseline", answering(t, "m", 100))
	if !strings.Contains(got.out, series) || !strings.Contains(got.out, `vllmscope:model:present{model_name="m"} * 100`) {
		t.Errorf("exit code %d, no usual length of answers in the export: %s", got.code, got.err)
	}
	got = program(t, "rules", "export", "--format", "prometheus")
	if strings.Contains(got.out, series) || !strings.Contains(got.out, "what is not given (--baseline): ") {
		t.Error("without a baseline the head does not say so")
	}
}
