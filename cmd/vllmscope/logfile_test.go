package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

func TestLogFileSaysWhatGoesWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	program(t, "check", "http://user:s3cret@127.0.0.1:1/?token=s3cret", "--interval", "100ms", "--fast", "--log-file", file)
	printers["odd"] = func(io.Writer, *diagnose.Report) error { panic("no such report") }
	defer delete(printers, "odd")
	program(t, "check", pages(t, "vllm:num_requests_running 1\n"), "--format", "odd", "--log-file", file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"level=WARN msg=\"scrapes fail\" target=http://127.0.0.1:1/metrics?xxxxx", "class=refused", "no target answered", "panic: no such report", "logfile_test.go",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(string(text), "level=") != 3 || strings.Contains(string(text), "s3cret") {
		t.Errorf("got\n%s", text)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	missing := filepath.Join(file, "log")
	if got := program(t, "check", "localhost:1", "--log-file", missing); got.code != exitUsage || !strings.Contains(got.err, "--log-file: open "+missing) {
		t.Errorf("exit %d: %s", got.code, got.err)
	}
}
