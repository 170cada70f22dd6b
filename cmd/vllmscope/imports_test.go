package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/vllmscope/vllmscope/"

// mayImport is the table of packages in docs/design.md: which of ours each may use.
var mayImport = map[string][]string{
	"internal/yamlwords": {},
	"scrape":             {"internal/yamlwords"},
	"scrape/simulate":    {},
	"diagnose":           {},
	"diagnose/prom":      {"diagnose", "internal/yamlwords"},
	"diagnose/print":     {"diagnose"},
	"ui":                 {"diagnose"},
	"cmd/vllmscope":      {"internal/yamlwords", "scrape", "scrape/simulate", "diagnose", "diagnose/prom", "diagnose/print", "ui"},
}

// mayNotLink are packages that must not even be linked into a package's tests: the engine costs a second at every build.
var mayNotLink = map[string][]string{
	"diagnose":       {"github.com/prometheus/prometheus/promql", "github.com/prometheus/prometheus/tsdb"},
	"diagnose/print": {"github.com/prometheus/prometheus/promql", "github.com/prometheus/prometheus/tsdb"},
	"ui":             {"github.com/prometheus/prometheus/promql", "github.com/prometheus/prometheus/tsdb"},
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestPackagesImportWhatTheTableAllows(t *testing.T) {
	for _, line := range goList(t, "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...") {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module)
		allowed, listed := mayImport[name]
		if !listed {
			t.Errorf("package %s is not in the table", name)
		}
		for _, imported := range fields[1:] {
			if ours, ok := strings.CutPrefix(imported, module); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s", name, ours)
			}
		}
	}
}

func TestPackagesStayLight(t *testing.T) {
	for name, heavy := range mayNotLink {
		for _, linked := range goList(t, "-deps", module+name) {
			if slices.Contains(heavy, linked) {
				t.Errorf("%s links %s", name, linked)
			}
		}
	}
}
