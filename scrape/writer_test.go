package scrape

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// written returns what the pages, 5 s apart, made of the series whose names match.
func written(t *testing.T, names string, pages ...string) map[string]string {
	t.Helper()
	store := ring(t, time.Hour)
	writeAll(t, NewWriter(store, mustTarget(t, "gpu-a:8000")), pages...)
	return timeline(t, store, names)
}

func TestSyntheticSeries(t *testing.T) {
	got := written(t, "up|scrape_.*", "a 1\nbad\nb 2\n", down, "<html>")
	want := map[string]string{
		`{__name__="up"}`:                                    "0:1 5:0 10:0",
		`{__name__="scrape_duration_seconds"}`:               "0:1 5:1 10:1",
		`{__name__="scrape_samples_scraped"}`:                "0:2 5:0 10:0",
		`{__name__="scrape_samples_post_metric_relabeling"}`: "0:2 5:0 10:0",
		`{__name__="scrape_series_added"}`:                   "0:2 5:0 10:0",
		`{__name__="scrape_timeout_seconds"}`:                "0:4 5:4 10:4",
		`{__name__="scrape_body_size_bytes"}`:                "0:12 5:0 10:6",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOwnSeriesOfFailures(t *testing.T) {
	got := written(t, "vllmscope_(scrape_error|bad_lines|target_info)", "vllm:x 1\nbad\n", down, "", "vllm:x 1\n")
	want := map[string]string{
		`{__name__="vllmscope_bad_lines"}`:                                                 "0:1 5:stale 10:0 15:0",
		`{__name__="vllmscope_scrape_error", class="refused", error="connection refused"}`: "5:1 10:stale",
		`{__name__="vllmscope_scrape_error", class="empty", error="the page has no samples: the exporter may be starting, or has nothing to show"}`: "10:1 15:stale",
		`{__name__="vllmscope_target_info", kind="vllm", url="http://gpu-a:8000/metrics"}`:                                                          "0:1 5:1 10:1 15:1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTooBigReportsSizeMinusOne(t *testing.T) {
	store := ring(t, time.Hour)
	w := NewWriter(store, mustTarget(t, "gpu-a:8000"))
	outcome, err := w.Write(Scrape{At: epoch, Err: newFailure(ClassTooBig, "too big")})
	if err != nil || outcome.Up || outcome.Err.Error() != "scrape http://gpu-a:8000/metrics: too big" {
		t.Errorf("%+v, %v", outcome, err)
	}
	if got := timeline(t, store, "scrape_body_size_bytes")[`{__name__="scrape_body_size_bytes"}`]; got != "0:-1" {
		t.Errorf("size %s", got)
	}
}

func TestFactsBecomeLabels(t *testing.T) {
	store := ring(t, time.Hour)
	w := NewWriter(store, mustTarget(t, "gpu-a:8000"))
	for i, f := range []facts{{}, {version: "0.24.0", models: "chat-8b,fox", maxModelLen: "4096", health: healthBad}, {version: "0.24.0", models: "chat-8b,fox", maxModelLen: "4096", health: healthGood}} {
		if _, err := w.Write(Scrape{At: epoch.Add(time.Duration(i) * time.Second), Page: []byte("vllm:x 1\n"), facts: f}); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{
		`{__name__="vllmscope_health"}`: "1:0 2:1",
		`{__name__="vllmscope_target_info", kind="vllm", url="http://gpu-a:8000/metrics"}`:                                                               "0:1 1:stale",
		`{__name__="vllmscope_target_info", kind="vllm", max_model_len="4096", models="chat-8b,fox", url="http://gpu-a:8000/metrics", version="0.24.0"}`: "1:1 2:1",
	}
	if diff := cmp.Diff(want, timeline(t, store, "vllmscope_(health|target_info)")); diff != "" {
		t.Error(diff)
	}
}

func TestNotes(t *testing.T) {
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "a{i=\"%d\"} 1\n", i)
		}
		return b.String()
	}
	const histogramType = "# TYPE h histogram\n"
	for _, row := range []struct{ page, note, detail string }{
		{"a 1\nb{c=\"\x1b[31m\n", "bad_line", `b{c=\"\\x1b[31m`},
		{"a{b=\"1\"} 1\na{b=\"1\"} 2\n", "duplicate_series", `a{b=\"1\"}`},
		{"up 0\na 1\n", "duplicate_series", `up (a name of vllmscope's own)`},
		{"vllmscope_health{x=\"1\"} 0\na 1\n", "duplicate_series", `vllmscope_health{x=\"1\"} (a name of vllmscope's own)`},
		{histogramType + "h_bucket{le=\"+Inf\"} 20\nh_bucket{le=\"1.0\"} 15\nh_bucket{le=\"0.5\"} 16\n", "broken_histogram", `h_bucket: fewer at le=1 than at le=0.5`},
		{histogramType + "h_bucket{le=\"0.5\"} 20\nh_count 20\n", "broken_histogram", `h_bucket: no le=+Inf`},
		{
			"# TYPE vllm:b gauge\nvllm:b{e=\"0\"} NaN\nvllm:b{e=\"1\"} +Inf\n# TYPE vllm:a gauge\nvllm:a -Inf\n# TYPE c gauge\nc NaN\n# TYPE vllm:d summary\nvllm:d_sum NaN\n",
			"no_number", "vllm:a, vllm:b: NaN or infinite on the page, so that nothing can be said of them",
		},
		{"a 1 1700000000000\n", "timestamps_ignored", "a"},
		{"a{b=\"" + strings.Repeat("x", maxLabelValue+1) + "\"} 1\n", "cut_label", "b of a"},
		{many(maxFamily + 1), "label_explosion", `a{i=\"10000\"}`},
		{many(maxSeries + 1), "series_limit", `over 100000 series, or 32 MiB of their labels, within the kept span: new ones are left out, the first is a{i=\"100000\"}`},
		{"a 1\n# EOF\nb 1\n# EOF\n", "", ""},
		{"a{b=\"1\",b=\"2\"} 1\nc 1\n", "bad_line", `a{b=\"1\",b=\"2\"} 1`},
		{histogramType + "h_bucket{le=\"1\"} 0\nh_bucket{le=\"+Inf\"} 0\nh_bucket{x=\"1\",le=\"+Inf\"} 0\n", "", ""},
	} {
		got := written(t, "vllmscope_note", row.page)
		want := map[string]string{}
		if row.note != "" {
			want[fmt.Sprintf(`{__name__="vllmscope_note", detail="%s", note="%s"}`, row.detail, row.note)] = "0:1"
		}
		if row.note == "series_limit" {
			want[`{__name__="vllmscope_note", detail="a{i=\"10000\"}", note="label_explosion"}`] = "0:1"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.40q: %s", row.page, diff)
		}
	}
}

func TestNoteKeepsItsFirstDetail(t *testing.T) {
	got := written(t, "vllmscope_note", "a 1\nb x17\n", "a 1\nb x18\n", "a 1\n", "a 1\nb x19\n")
	want := map[string]string{
		`{__name__="vllmscope_note", detail="b x17", note="bad_line"}`: "0:1 5:1 10:stale",
		`{__name__="vllmscope_note", detail="b x19", note="bad_line"}`: "15:1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBornCountersGetAZero(t *testing.T) {
	const (
		head  = "# TYPE finished_total counter\nfinished_total{reason=\"stop\"} 5\n"
		abort = "finished_total{reason=\"abort\"} 2\n"
	)
	want := map[string]string{
		`{__name__="finished_total", reason="stop"}`:  "0:5 5:5 10:5",
		`{__name__="finished_total", reason="abort"}`: "5:0 10:2",
	}
	if diff := cmp.Diff(want, written(t, "finished_total", head, head, head+abort)); diff != "" {
		t.Error(diff)
	}
	for _, row := range []struct{ name, pages, want string }{
		{"first page", "|" + head, "5:5"},
		{"first page with samples", "# HELP x y\n|" + head, "5:5"},
		{"after a failure", "a 1\n|down|" + head, "0:0 10:5"},
		{"comes back", head + "|a 1\n|" + head, "0:5 5:stale 10:5"},
		{"comes back late", head + "|a 1\n|a 1\n|" + head, "0:5 5:stale 15:5"},
		{"gauge", "a 1\n|" + strings.Replace(head, "counter", "gauge", 1), "5:5"},
		{"no type", "a 1\n|finished_total{reason=\"stop\"} 5\n", "5:5"},
		{"summary", "a 1\n|# TYPE finished_total summary\nfinished_total{quantile=\"0.5\",reason=\"stop\"} 5\n", "5:5"},
	} {
		for name, got := range written(t, "finished_total", strings.Split(row.pages, "|")...) {
			if got != row.want {
				t.Errorf("%s: %s is %s, want %s", row.name, name, got, row.want)
			}
		}
	}
	got := written(t, "h_.*|m_.*|DCGM.*", "a 1\n", "# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_sum 2\nh_count 1\n"+
		"# TYPE m counter\nm_total 7\nm_created 9\n# TYPE DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION counter\nDCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 1e9\n")
	want = map[string]string{
		`{__name__="h_bucket", le="+Inf"}`:                  "0:0 5:1",
		`{__name__="h_sum"}`:                                "0:0 5:2",
		`{__name__="h_count"}`:                              "0:0 5:1",
		`{__name__="m_total"}`:                              "0:0 5:7",
		`{__name__="m_created"}`:                            "5:9",
		`{__name__="DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION"}`: "5:1e+09",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnits(t *testing.T) {
	const (
		family = "DCGM_FI_DEV_GPU_UTIL_RATIO"
		help   = "# HELP " + family + " GPU utilization (in %).\n"
	)
	value := func(v string) string { return family + "{gpu=\"0\"} " + v + "\n" }
	percent := `{__name__="vllmscope_unit", family="` + family + `", unit="percent"}`
	ratio := `{__name__="vllmscope_unit", family="` + family + `", unit="ratio"}`
	for _, row := range []struct {
		name  string
		pages []string
		want  map[string]string
	}{
		{"undecided, then percent, then kept", []string{value("0"), value("57"), value("1")}, map[string]string{percent: "5:1 10:1"}},
		{"ratio", []string{value("0.57"), value("1"), value("0")}, map[string]string{ratio: "0:1 5:1 10:1"}},
		{"help", []string{help + value("0")}, map[string]string{percent: "0:1"}},
		{"values beat help", []string{help + value("0.5")}, map[string]string{ratio: "0:1"}},
		{"one GPU decides", []string{value("0.5") + family + "{gpu=\"1\"} 80\n" + family + "{gpu=\"2\"} 0.3\n"}, map[string]string{percent: "0:1"}},
		{"upgrade", []string{value("57"), value("0.57")}, map[string]string{percent: "0:1 5:stale", ratio: "5:1"}},
		{"blank", []string{value("140737488355328")}, map[string]string{}},
		{"gone", []string{value("57"), "a 1\n"}, map[string]string{percent: "0:1 5:stale"}},
		{"other families", []string{"DCGM_FI_DEV_GPU_UTIL 57\n"}, map[string]string{}},
	} {
		if diff := cmp.Diff(row.want, written(t, "vllmscope_unit", row.pages...)); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
	}
}

func TestKinds(t *testing.T) {
	for page, want := range map[string]Kind{
		"vllm:x 1\nDCGM_FI_DEV_GPU_UTIL 1\n": KindVLLM, "DCGM_FI_DEV_GPU_UTIL 1\na 1\n": KindDCGM, "a 1\n": KindOther, "": "", "a 1\nnvidia_smi_x 1\nDCGM_x 1\nvllm:x 1\n": KindVLLM, "nvidia_smi_x 1\n": KindNvidiaSMI,
		"http_requests_total 1\n": KindOther,
	} {
		w := NewWriter(ring(t, time.Hour), mustTarget(t, "gpu-a:8000"))
		if got := writeAll(t, w, page).Kind; got != want {
			t.Errorf("%q: got %q, want %q", page, got, want)
		}
		if got, failure := pageKind([]byte(page), ""); got != want && page != "" {
			t.Errorf("%q: got %q, want %q, %v", page, got, want, failure)
		}
	}
}

func TestTargetLabels(t *testing.T) {
	target := mustTarget(t, "gpu-a:8000")
	target.Job, target.Labels = "vllm", map[string]string{"cluster": "east"}
	store := ring(t, time.Hour)
	writeAll(t, NewWriter(store, target), "a{cluster=\"west\",job=\"x\"} 1\n")
	for name := range timeline(t, store, "a|up") {
		if name != `{__name__="up", cluster="east"}` && name != `{__name__="a", cluster="east", exported_cluster="west", exported_job="x"}` {
			t.Errorf("got %s", name)
		}
	}
}

func TestWriterRefusesOldTimes(t *testing.T) {
	w := NewWriter(ring(t, time.Hour), mustTarget(t, "gpu-a:8000"))
	writeAll(t, w, "a 1\n", "a 2\n")
	if _, err := w.Write(Scrape{At: epoch.Add(5 * time.Second), Page: []byte("a 3\n")}); err == nil {
		t.Error("no error")
	}
}

// TestOwnLabelsArePrintable sends control sequences wherever a page or a server can put text.
func TestOwnLabelsArePrintable(t *testing.T) {
	const evil = "\x1b]0;title\x07\u202e\x9b"
	store := ring(t, time.Hour)
	w := NewWriter(store, mustTarget(t, "gpu-a:8000"))
	for i, page := range []string{"a{b=\"" + "\x1b]0;title\x07" + "\"} 1\na{b=\"\x1b]0;title\x07\"} 1\nbad" + evil + "\n", "<title>" + evil + "</title>", "{\"" + evil + "\": 1}", "bad " + evil} {
		s := Scrape{At: epoch.Add(time.Duration(i) * time.Second), Page: []byte(page), facts: facts{version: printable(evil, maxQuote)}}
		if _, err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	lines := timeline(t, store, "vllmscope_.*")
	if len(lines) < 6 {
		t.Errorf("only %d series", len(lines))
	}
	for name := range lines {
		if strings.ContainsAny(name, "\x1b\x07\u202e") || strings.Contains(name, `\x1b`) && !strings.Contains(name, `\\x1b`) {
			t.Errorf("%q", name)
		}
	}
}

// A scrape that could not be written is no success.
func TestWriterDoesNotTellOfWhatItCouldNotWrite(t *testing.T) {
	var text bytes.Buffer
	store, err := OpenRing(t.TempDir(), time.Hour, slog.New(slog.NewTextHandler(&text, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	w := NewWriter(store, Target{URL: "u", Job: "j", Instance: "i"})
	writeAll(t, w, "a 1\n", down)
	w.own = seriesSet{} // into which nothing can be written
	if _, err := w.Write(Scrape{At: epoch.Add(time.Minute), Err: &Failure{Class: ClassRefused}}); err == nil {
		t.Error("no error")
	}
	if !strings.Contains(text.String(), "scrapes fail") || strings.Contains(text.String(), "succeed") {
		t.Error(text.String())
	}
}

func TestWriterLogsChangesOnly(t *testing.T) {
	var text bytes.Buffer
	store, err := OpenRing(t.TempDir(), time.Hour, slog.New(slog.NewTextHandler(&text, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	w := NewWriter(store, Target{URL: "u", Job: "j", Instance: "i"})
	writeAll(t, w, "a 1\n", down, down, "<html></html>", "a 2\n", "a 3\n")
	w.families = nil // into which a new name is to be written
	if _, err := w.Write(Scrape{At: epoch.Add(time.Minute), Page: []byte("b 1\n")}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(text.String()) {
		if _, rest, ours := strings.Cut(line, "msg=\"scrapes "); ours {
			got = append(got, rest[:min(len(rest), 60)])
		}
	}
	want := []string{
		`fail" target=u at=2027-01-15T08:00:05.000Z class=refused err`,
		`fail" target=u at=2027-01-15T08:00:15.000Z class=not_metrics`,
		`succeed again" target=u at=2027-01-15T08:00:20.000Z` + "\n",
		`fail" target=u at=2027-01-15T08:01:00.000Z class=internal er`,
	}
	if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(text.String(), "(*Writer).describe") {
		t.Errorf("%s\n%s", diff, text.String())
	}
}
