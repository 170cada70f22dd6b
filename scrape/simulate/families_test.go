package simulate

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFamiliesComeAndGo compares the table with what is known of each family's first and last release, for releases of which
// there is no recorded page as well. Families that a flag or another library brings are left out.
func TestFamiliesComeAndGo(t *testing.T) {
	file, err := os.Open(filepath.Join(shared, "..", "reference", "vllm-metrics.csv"))
	if err != nil {
		t.Skipf("no table of vLLM's metrics: %v", err)
	}
	defer file.Close() //nolint:errcheck // only read
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, row := range rows[1:] {
		name, added, removed := row[0], row[5], row[7]
		known[name] = true
		from := pinned(regexp.MustCompile(`V1 v([0-9.]+)|V0\+V1 v([0-9.]+)`), added)
		if from == 0 || !strings.HasPrefix(name, "vllm:") || slices.ContainsFunc(broughtByFlags, func(part string) bool { return strings.Contains(name, part) }) {
			continue
		}
		until := pinned(regexp.MustCompile(`^v([0-9.]+)`), removed)
		if hidden := pinned(regexp.MustCompile(`hidden v([0-9.]+)`), row[6]); hidden > 0 {
			until = hidden
		}
		for _, release := range releases {
			v, err := parseVersion(release)
			if err != nil {
				t.Fatal(err)
			}
			has := slices.ContainsFunc(engineFamilies(), func(f family) bool { return f.name == name && v.within(f.from, f.until) })
			if name != "vllm:cache_config_info" && has != v.within(from, until) {
				t.Errorf("%s on %s: %v, want %v", name, release, has, !has)
			}
		}
	}
	for _, f := range engineFamilies() {
		if !known[f.name] && f.name != youngerThanTheTable {
			t.Errorf("%s is not in the table of vLLM's metrics", f.name)
		}
	}
}

// youngerThanTheTable is in vLLM's documentation of its metrics, and not yet in the table.
const youngerThanTheTable = "vllm:num_requests_kv_fetch_by_stage"

var broughtByFlags = []string{
	"spec_decode", "nixl", "kv_offload", "lora", "kv_block_", "mooncake", "hf3fs", "ec_cpu", "diffusion", "websocket", "tool_call", "corrupted",
}

// pinned reads a release from a cell, 0 when it names none.
func pinned(release *regexp.Regexp, cell string) version {
	found := release.FindStringSubmatch(cell)
	if found == nil {
		return 0
	}
	number := version(0)
	parts := append(strings.Split(strings.Trim(strings.Join(found[1:], ""), "."), "."), "0", "0", "0")
	for _, part := range parts[:3] {
		n, err := strconv.Atoi(part)
		if err != nil {
			return 0
		}
		number = 1000*number + version(n)
	}
	return number
}
