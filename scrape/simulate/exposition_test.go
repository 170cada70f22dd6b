package simulate

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumbersAsPythonPrintsThem(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0.0", 4: "4.0", 0.25: "0.25", 999999: "999999.0", 1e6: "1e+06", 1234567: "1.234567e+06", 1795958765.44: "1.79595876544e+09",
		1.5e-5: "1.5e-05", 0.0001: "0.0001", math.Inf(1): "+Inf",
	} {
		if got := string(appendNumber(nil, value)); got != want {
			t.Errorf("%v is printed as %s, want %s", value, got, want)
		}
	}
}

func TestLabelsAreSortedAndEscaped(t *testing.T) {
	got := labels{"reason", "a\"b\\c\nd", "engine", "0"}.String()
	if want := `{engine="0",reason="a\"b\\c\nd"}`; got != want {
		t.Errorf("labels are %s, want %s", got, want)
	}
}

// TestPageOfATinyServer is a whole page: two requests, one engine.
func TestPageOfATinyServer(t *testing.T) {
	s, tr := bench(t, "0.32.0", flags{maxSeqs: 8, batchedTokens: 512, maxModelLen: 64, blockSize: 16, gpuBlocks: 100, memoryUtilization: 0.92})
	s.epoch = 1.8e9
	s.ask(tr, 40, 3)
	s.ask(tr, 20, 1)
	s.agenda.runTo(10)
	golden(t, "page.txt", s.page(10))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("page differs (UPDATE_GOLDEN=1 writes it): %s", diff)
	}
}

// TestPageHasWhatARealServerHas compares series, and the names of their labels, with pages of real servers.
func TestPageHasWhatARealServerHas(t *testing.T) {
	for _, test := range []struct {
		release, page string
		processes     int
	}{
		{"0.32.0", "real-vllm/01-idle/pages/000.prom", 1},
		{"0.32.0", "real-vllm/14-api-server-count-2/pages/010.prom", 2},
		{"0.11.0", "vllm/v0.11-fresh-zero.txt", 1},
		{"0.9.2", "real-vllm/61-v0.9.2-light/pages/010.prom", 1},
	} {
		t.Run(test.page, func(t *testing.T) {
			real, err := os.ReadFile(filepath.Join(shared, test.page))
			if err != nil {
				t.Skipf("no recordings: %v", err)
			}
			f := roomy
			f.apiServers = test.processes
			s, tr := bench(t, test.release, f)
			s.ask(tr, 40, 3)
			s.agenda.runTo(10)
			if diff := cmp.Diff(names(real), names(s.page(10))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// names are the series of a page without the values of their labels, in order, repetitions left out. A fresh server has no
// children of the route yet, and buckets of token counts depend on a flag.
func names(page []byte) []string {
	values := regexp.MustCompile(`="[^"]*"`)
	var all []string
	for line := range strings.Lines(string(page)) {
		series, _, _ := cutLast(strings.TrimSpace(line))
		if strings.HasPrefix(series, "# HELP") || strings.HasPrefix(series, "http_") || strings.HasPrefix(line, "# TYPE http_") {
			continue
		}
		series = values.ReplaceAllString(series, "")
		if !slices.Contains(all, series) {
			all = append(all, series)
		}
	}
	return all
}

// releases of vLLM that the simulator speaks.
var releases = []string{"0.8.5", "0.9.2", "0.11.0", "0.19.0", "0.32.0"}

// TestPromtoolAccepts: promtool has nothing to say but what it says of every vLLM and every dcgm-exporter.
func TestPromtoolAccepts(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool")
	}
	ordinary := []string{
		"should not contain ':'", `vllm:iteration_tokens_total non-counter metrics should not have "_total" suffix`,
		"should be written in 'snake_case' not 'camelCase'", `counter metrics should have "_total" suffix`, "should not include type 'counter'",
	}
	for _, release := range releases {
		s := scenario(t, "stuck-engine")
		s.Release = release
		s.Exporter = map[string]string{"0.8.5": "3.1", "0.11.0": "4.8", "0.19.0": "4.9"}[release]
		f := build(t, s, 1)
		for _, target := range f.Targets() {
			answer, err := f.Get(target.Name)
			if err != nil {
				t.Fatal(err)
			}
			check := exec.CommandContext(t.Context(), promtool, "check", "metrics")
			check.Stdin = strings.NewReader(string(answer.Page))
			said, _ := check.CombinedOutput() // its status counts the ordinary remarks too
			for line := range strings.Lines(string(said)) {
				if !slices.ContainsFunc(ordinary, func(o string) bool { return strings.Contains(line, o) }) {
					t.Errorf("%s, %s: %s", release, target.Name, line)
				}
			}
		}
	}
}
