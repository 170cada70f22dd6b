package scrape

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// save writes files into a folder, the last of them last modified at the epoch of the tests plus some seconds.
func save(t *testing.T, folder string, modified float64, files map[string]string) string {
	t.Helper()
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := epoch.Add(time.Duration(modified * float64(time.Second)))
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestReadFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "gpu-a")
	save(t, folder, 103.5, map[string]string{
		"page-2.prom":    "vllm:x 2\n",
		"page-10.txt":    "vllm:x 4\n",
		"page-1.prom.gz": string(pack(t, []byte("vllm:x 1\n"))),
		"page-9.err":     "ConnectionRefusedError: [Errno 111] Connection refused\n",
		"readme.md":      "no page",
	})
	store := ring(t, 0)
	targets, err := ReadFolder(store, []string{folder}, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) != 1 || targets[0].Instance != "gpu-a" || targets[0].URL != folder {
		t.Errorf("targets %+v", targets)
	}
	want := map[string]string{
		`{__name__="vllm:x"}`:                                                   "85:1 90:2 95:stale 100:4",
		`{__name__="up"}`:                                                       "85:1 90:1 95:0 100:1",
		`{__name__="scrape_samples_scraped"}`:                                   "85:1 90:1 95:0 100:1",
		`{__name__="scrape_samples_post_metric_relabeling"}`:                    "85:1 90:1 95:0 100:1",
		`{__name__="scrape_series_added"}`:                                      "85:1 90:0 95:0 100:0",
		`{__name__="scrape_body_size_bytes"}`:                                   "85:9 90:9 95:0 100:9",
		`{__name__="vllmscope_bad_lines"}`:                                      "85:0 90:0 95:stale 100:0",
		`{__name__="vllmscope_target_info", kind="vllm", url="` + folder + `"}`: "85:1 90:1 95:1 100:1",
		`{__name__="vllmscope_scrape_error", class="refused", error="ConnectionRefusedError: [Errno 111] Connection refused"}`: "95:1 100:stale",
	}
	if diff := cmp.Diff(want, timeline(t, store, ".+")); diff != "" {
		t.Error(diff)
	}
}

func TestReadFolderTimes(t *testing.T) {
	root := t.TempDir()
	named := save(t, filepath.Join(root, "named"), 0, map[string]string{"1800000003.prom": "a 1\n", "1800000007.prom": "a 2\n"})
	millis := save(t, filepath.Join(root, "millis"), 0, map[string]string{"1800000003500.txt": "a 1\n"})
	numbered := save(t, filepath.Join(root, "scenario", "pages"), 900, map[string]string{"000.prom": "a 1\n", "001.prom": "a 2\n"})
	late := save(t, filepath.Join(root, "late"), 50, map[string]string{"0.prom": "a 1\n", "1.prom": "a 2\n"})
	for _, row := range []struct {
		name  string
		paths []string
		want  map[string]string
	}{
		{"named", []string{named, millis}, map[string]string{"named": "3:1 7:1", "millis": "3.5:1"}},
		{"numbered", []string{numbered}, map[string]string{"scenario": "898:1 900:1"}},
		{"inside", []string{filepath.Dir(numbered)}, map[string]string{"scenario": "898:1 900:1"}},
		{"end together", []string{numbered, late}, map[string]string{"scenario": "898:1 900:1", "late": "898:1 900:1"}},
		{"end with the named", []string{late, named}, map[string]string{"late": "4:1 6:1", "named": "3:1 7:1"}},
		{"one file", []string{filepath.Join(late, "1.prom")}, map[string]string{"1.prom": "50:1"}},
	} {
		store := ring(t, 0)
		targets, err := ReadFolder(store, row.paths, 2*time.Second)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		got := map[string]string{}
		for _, target := range targets {
			got[target.Instance] = timelineOf(t, store, "up", target.Instance)[`{__name__="up"}`]
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
	}
}

func TestPathNames(t *testing.T) {
	for _, row := range []struct{ paths, want string }{
		{"/x/a/run /x/b/run", "a/run b/run"},
		{"/x/a/run /y/a/run /y/b/run /y/b/other", "x/a/run y/a/run b/run other"},
		{"/run /a/run", "/run a/run"},
		{"/x/run /x/my-run", "run my-run"},
		{"/x/a/pages /x/b/pages /x/c/a", "x/a b c/a"},
		{"/x/a/1.prom /x/b/1.prom", "a/1.prom b/1.prom"},
	} {
		names, err := pathNames(strings.Fields(row.paths))
		if got := strings.Join(names, " "); got != row.want || err != nil {
			t.Errorf("%s: got %s, %v", row.paths, got, err)
		}
	}
	if _, err := pathNames([]string{"/x/a", "/x/a/pages"}); err == nil || !strings.Contains(err.Error(), "name them once") {
		t.Errorf("twice: %v", err)
	}
}

func TestReadFoldersOfOneName(t *testing.T) {
	root := t.TempDir()
	a := save(t, filepath.Join(root, "a", "run"), 0, map[string]string{"1.prom": "x 1\n"})
	b := save(t, filepath.Join(root, "b", "run"), 0, map[string]string{"1.prom": "x 2\n"})
	store := ring(t, 0)
	targets, err := ReadFolder(store, []string{a, b}, time.Second)
	if err != nil || len(targets) != 2 {
		t.Fatalf("got %v, %v", targets, err)
	}
	for instance, want := range map[string]string{"a/run": "0:1", "b/run": "0:2"} {
		if got := timelineOf(t, store, "x", instance)[`{__name__="x"}`]; got != want {
			t.Errorf("%s: got %q", instance, got)
		}
	}
}

func TestReadFolderErrors(t *testing.T) {
	root := t.TempDir()
	broken := save(t, filepath.Join(root, "broken"), 0, map[string]string{"1.prom.gz": "\x1f\x8b no gzip"})
	packed := pack(t, []byte("x 1\n"))
	for i := 10; i < 14; i++ {
		packed[i] = 0xff // behind the header
	}
	corrupt := save(t, filepath.Join(root, "corrupt"), 0, map[string]string{"2.prom.gz": string(packed)})
	for path, want := range map[string]string{
		root: "has no saved pages", filepath.Join(root, "none"): "no such file", broken: "damaged gzip",
		corrupt: "2.prom.gz is a damaged gzip file",
	} {
		if _, err := ReadFolder(ring(t, 0), []string{path}, time.Second); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

func TestCompareNames(t *testing.T) {
	names := []string{"page-10", "page-9", "page-009b", "page-2", "b", "a1x2", "a1x10", "a01x2"}
	slices.SortFunc(names, compareNames)
	if got := strings.Join(names, " "); got != "a01x2 a1x2 a1x10 b page-2 page-9 page-009b page-10" {
		t.Errorf("got %s", got)
	}
}

func TestSavedFailures(t *testing.T) {
	for text, want := range map[string]Class{
		"TimeoutError: timed out": ClassTimeout, "curl: (6) Could not resolve host: x": ClassDNS, "HTTP Error 401: Unauthorized": ClassUnauthorized,
		"http.client.RemoteDisconnected: Remote end closed connection": ClassClosed, "": ClassStatus, "certificate verify failed": ClassTLS,
	} {
		if got := savedFailure(text).Class; got != want {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

// TestRecordedScenario reads a recording of a real restart.
func TestRecordedScenario(t *testing.T) {
	store := ring(t, 0)
	if _, err := ReadFolder(store, []string{fixtures(t, "real-vllm", "11-restart")}, 2*time.Second); err != nil {
		t.Fatal(err)
	}
	up := timeline(t, store, "up")[`{__name__="up"}`]
	if good, bad := strings.Count(up, ":1"), strings.Count(up, ":0"); good != 23 || bad != 25 {
		t.Errorf("%d pages and %d failures", good, bad)
	}
	errors := timeline(t, store, "vllmscope_scrape_error")
	for name, line := range errors {
		if !strings.Contains(name, `class="refused"`) || strings.Count(line, ":1") != 25 || len(errors) != 1 {
			t.Errorf("%s %s", name, line)
		}
	}
}
