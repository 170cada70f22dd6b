package scrape

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// standIn writes a script that stands in for nvidia-smi.
func standIn(t *testing.T, script string) Target {
	t.Helper()
	file := filepath.Join(t.TempDir(), "nvidia-smi")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return mustTarget(t, file)
}

const smiTable = `0, GPU-aaaa, NVIDIA H100 80GB HBM3, 97, 41, 70234, 10870, 612.44, 700.00, 1755, 1980, 2619, 71, 84, 0x0000000000000004, 5, 5, 16, 16, 0
1, GPU-bbbb, NVIDIA H100 80GB HBM3, [N/A], [Not Supported], 2, 81081, 66.10, 700.00, 345, 1980, 2619, 30, [N/A], 0x0000000000000001, 5, 5, 16, 16, [Unknown Error]
`

func TestNvidiaSMI(t *testing.T) {
	store := ring(t, time.Hour)
	target := standIn(t, "cat <<'END'\n"+smiTable+"END\n")
	page, _, failure := getPage(t, target)
	if failure != nil {
		t.Fatal(failure)
	}
	if kind := writeAll(t, NewWriter(store, target), page).Kind; kind != KindNvidiaSMI {
		t.Errorf("kind %q", kind)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	lines := timeline(t, store, "DCGM_.*")
	for metric, want := range map[string][2]string{
		"GPU_UTIL": {"97", ""}, "MEM_COPY_UTIL": {"41", ""}, "FB_USED": {"70234", "2"}, "FB_FREE": {"10870", "81081"},
		"POWER_USAGE": {"612.44", "66.1"}, "ENFORCED_POWER_LIMIT": {"700", "700"}, "SM_CLOCK": {"1755", "345"},
		"MAX_SM_CLOCK": {"1980", "1980"}, "GPU_TEMP": {"71", "30"}, "MEMORY_TEMP": {"84", ""},
		"CLOCK_THROTTLE_REASONS": {"4", "1"}, "PCIE_LINK_GEN": {"5", "5"}, "ECC_DBE_VOL_TOTAL": {"0", ""},
	} {
		for gpu, uuid := range []string{"GPU-aaaa", "GPU-bbbb"} {
			name := fmt.Sprintf(`{Hostname=%q, UUID=%q, __name__="DCGM_FI_DEV_%s", device="nvidia%d", gpu="%d", modelName="NVIDIA H100 80GB HBM3"}`, host, uuid, metric, gpu, gpu)
			if got := strings.TrimPrefix(lines[name], "0:"); got != want[gpu] {
				t.Errorf("%s: got %q, want %q", name, got, want[gpu])
			}
		}
	}
}

func TestNvidiaSMIFailures(t *testing.T) {
	for _, row := range []struct {
		script   string
		class    Class
		sentence string
	}{
		{"echo 'Failed to initialize NVML: Driver/library version mismatch' >&2; exit 18", ClassStatus, "nvidia-smi failed (Failed to initialize NVML: Driver/library ver…): check the driver"},
		{"exec sleep 5", ClassTimeout, "nvidia-smi did not end within 200ms: the driver may hang; persistence mode makes it faster"},
		{"sleep 5", ClassTimeout, "nvidia-smi did not end within 200ms: the driver may hang; persistence mode makes it faster"},
		{"echo hello world", ClassNotMetrics, "nvidia-smi printed no table (hello world): is it the real one?"},
	} {
		begun := time.Now()
		_, _, failure := getPage(t, standIn(t, row.script))
		want := &Failure{Class: row.class, Sentence: row.sentence}
		if diff := cmp.Diff(want, failure); diff != "" {
			t.Errorf("%s: %s", row.script, diff)
		}
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("%s: took %v", row.script, took)
		}
	}
	_, _, failure := getPage(t, mustTarget(t, "/no/such/nvidia-smi"))
	if failure == nil || failure.Class != ClassNotFound {
		t.Errorf("missing program: %v", failure)
	}
}

func TestNvidiaSMIKeepsWhatItCan(t *testing.T) {
	page, _, failure := getPage(t, standIn(t, "echo 'Unable to determine the device handle for GPU 1: GPU is lost'\ncat <<'END'\n"+smiTable+"END\nexit 15\n"))
	if failure != nil || !strings.Contains(page, `DCGM_FI_DEV_GPU_UTIL{gpu="0"`) {
		t.Errorf("one lost GPU: %v\n%s", failure, page)
	}
	page, _, failure = getPage(t, standIn(t, `case $1 in *ecc*) echo 'Field "ecc.errors.uncorrected.volatile.total" is not a valid field to query.'; exit 2;; esac
echo '0, GPU-aaaa, T4, 97, 41, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x4, 1, 1, 1, 1'`))
	if failure != nil || !strings.Contains(page, "DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH{") || strings.Contains(page, "ECC") {
		t.Errorf("unknown field: %v\n%s", failure, page)
	}
}

func FuzzNvidiaSMI(f *testing.F) {
	f.Add([]byte(smiTable))
	f.Add([]byte("\"a\nb\", \"\\\",\xff,\r\n"))
	f.Add([]byte(strings.Repeat("1e999,", 19) + "0x\n"))
	f.Fuzz(func(t *testing.T, table []byte) {
		var page bytes.Buffer
		(&smiSource{fields: smiFields}).writePage(&page, table, "gpu-a")
		lines := strings.Count(page.String(), "\n")
		texts, d := readSamples(page.String(), false)
		if comments := strings.Count(page.String(), "# HELP"); d.lines != 0 || len(texts)+2*comments != lines {
			t.Errorf("%q makes a page with bad lines: %q", table, page.String())
		}
	})
}
