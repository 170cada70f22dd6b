package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// asProgram makes the test's own binary run as vllmscope.
const asProgram = "VLLMSCOPE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// A lost SSH connection hangs up; a service manager terminates. Either way nothing is left behind.
func TestEveryEndRemovesTheStore(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			program := exec.CommandContext(t.Context(), os.Args[0], "check", "127.0.0.1:1", "--for", "1h", "--interval", "1h") //nolint:gosec // itself
			program.Env = []string{asProgram + "=1", "TMPDIR=" + dir}
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			for len(stores(t, dir)) == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			if err := program.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = program.Wait() // its exit code is looked at below
			if code := program.ProcessState.ExitCode(); code != exitInterrupted {
				t.Errorf("exit code %d, want %d", code, exitInterrupted)
			}
			if left := stores(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func stores(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "vllmscope-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
