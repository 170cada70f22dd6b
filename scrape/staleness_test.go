package scrape

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// down stands for a failed scrape among pages.
const down = "down"

// writeAll writes pages 5 s apart.
func writeAll(t testing.TB, w *Writer, pages ...string) (last Outcome) {
	t.Helper()
	for i, page := range pages {
		s := Scrape{At: epoch.Add(time.Duration(i) * 5 * time.Second), Duration: time.Second, Timeout: 4 * time.Second, Page: []byte(page)}
		if page == down {
			s.Page, s.Err = nil, newFailure(ClassRefused, "connection refused")
		}
		var err error
		if last, err = w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

func TestStaleMarkers(t *testing.T) {
	for _, row := range []struct {
		name  string
		pages []string
		want  map[string]string // of the series a and b
		up    string
	}{
		{"all stay", []string{"a 1\nb 2\n", "a 3\nb 4\n"}, map[string]string{"a": "0:1 5:3", "b": "0:2 5:4"}, "0:1 5:1"},
		{"one vanishes", []string{"a 1\nb 2\n", "a 3\n", "a 4\n"}, map[string]string{"a": "0:1 5:3 10:4", "b": "0:2 5:stale"}, "0:1 5:1 10:1"},
		{"one comes back", []string{"a 1\nb 2\n", "a 3\n", "a 4\nb 5\n"}, map[string]string{"a": "0:1 5:3 10:4", "b": "0:2 5:stale 10:5"}, "0:1 5:1 10:1"},
		{"failure", []string{"a 1\nb 2\n", down, down, "a 4\n"}, map[string]string{"a": "0:1 5:stale 15:4", "b": "0:2 5:stale"}, "0:1 5:0 10:0 15:1"},
		{"failure first", []string{down, "a 1\n"}, map[string]string{"a": "5:1"}, "0:0 5:1"},
		{"empty page", []string{"a 1\n", "", "a 2\n"}, map[string]string{"a": "0:1 5:stale 10:2"}, "0:1 5:1 10:1"},
		{"only comments", []string{"a 1\n", "# HELP a x\n", "a 2\n"}, map[string]string{"a": "0:1 5:stale 10:2"}, "0:1 5:1 10:1"},
		{"HTML", []string{"a 1\n", "<html></html>", "a 2\n"}, map[string]string{"a": "0:1 5:stale 10:2"}, "0:1 5:0 10:1"},
		{"bad line", []string{"a 1\nb 2\n", "a 3\nb two\n"}, map[string]string{"a": "0:1 5:3", "b": "0:2 5:stale"}, "0:1 5:1"},
		{"other order of labels", []string{`a{x="1",y="2"} 1`, `a{y="2",x="1"} 2`}, map[string]string{`a`: "0:1 5:2"}, "0:1 5:1"},
		{"duplicate", []string{"a 1\na 2\na{} 3\n", "a 4\n"}, map[string]string{"a": "0:1 5:4"}, "0:1 5:1"},
		{"value NaN is no marker", []string{"a NaN\n", "a 1\n"}, map[string]string{"a": "0:NaN 5:1"}, "0:1 5:1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			store := ring(t, time.Hour)
			writeAll(t, NewWriter(store, Target{Job: "j", Instance: "i"}), row.pages...)
			got := map[string]string{}
			for name, line := range timeline(t, store, "a|b") {
				got[strings.Split(name, `"`)[1]] = line
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
			if up := timeline(t, store, "up")[`{__name__="up"}`]; up != row.up {
				t.Errorf("up: got %s, want %s", up, row.up)
			}
		})
	}
}

// comparedPages is what both scrape loops were shown: the cases of the table above in a row, and what is odd about
// labels.
var comparedPages = []string{
	"a 1\nb 2\n", "a 3\n", "a 4\nb 5\n", down, down, "a 6\n", "", "a 7\nb 8\n", "# HELP a x\n", "a 9\nb 1\n", "<html></html>", "a 2\n",
	"a{x=\"1\",y=\"2\"} 1\n", "a{y=\"2\",x=\"1\"} 2\n", "a 1\na 2\n", "a{job=\"mine\",instance=\"other\",empty=\"\"} 1\n",
	"a{job=\"mine\",exported_job=\"theirs\"} 1\n", "# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\n", "a 1 1700000000000\n", "a NaN\n", "a 1\n",
}

// prometheus is what the scrape loop of Prometheus 3.16 (module v0.316.0, honor_timestamps off) wrote of these pages
// served over HTTP, as the number of the scrape and the value.
var prometheus = map[string]string{
	`{__name__="a", exported_exported_job="mine", exported_job="theirs"}`: "16:1 17:stale",
	`{__name__="a", exported_instance="other", exported_job="mine"}`:      "15:1 16:stale",
	`{__name__="a", x="1", y="2"}`:                                        "12:1 13:2 14:stale",
	`{__name__="a"}`:                                                      "0:1 1:3 2:4 3:stale 5:6 6:stale 7:7 8:stale 9:9 10:stale 11:2 12:stale 14:1 15:stale 18:1 19:NaN 20:1",
	`{__name__="b"}`:                                                      "0:2 1:stale 2:5 3:stale 7:8 8:stale 9:1 10:stale",
	`{__name__="h_bucket", le="+Inf"}`:                                    "17:2 18:stale",
	`{__name__="h_bucket", le="1.0"}`:                                     "17:1 18:stale",
	`{__name__="scrape_samples_post_metric_relabeling"}`:                  "0:2 1:1 2:2 3:0 4:0 5:1 6:0 7:2 8:0 9:2 10:0 11:1 12:1 13:1 14:2 15:1 16:1 17:2 18:1 19:1 20:1",
	`{__name__="scrape_samples_scraped"}`:                                 "0:2 1:1 2:2 3:0 4:0 5:1 6:0 7:2 8:0 9:2 10:0 11:1 12:1 13:1 14:2 15:1 16:1 17:2 18:1 19:1 20:1",
	`{__name__="scrape_series_added"}`:                                    "0:2 1:0 2:1 3:0 4:0 5:0 6:0 7:1 8:0 9:2 10:0 11:0 12:1 13:1 14:1 15:1 16:1 17:2 18:1 19:0 20:0",
	`{__name__="up"}`:                                                     "0:1 1:1 2:1 3:0 4:0 5:1 6:1 7:1 8:1 9:1 10:0 11:1 12:1 13:1 14:1 15:1 16:1 17:1 18:1 19:1 20:1",
}

// onPurpose is where we differ: a counter born during the observation gets its zero, and a series whose labels come in
// another order is not a new one.
var onPurpose = map[string]string{
	`{__name__="h_bucket", le="+Inf"}`: "16:0 17:2 18:stale",
	`{__name__="h_bucket", le="1.0"}`:  "16:0 17:1 18:stale",
	`{__name__="scrape_series_added"}`: "0:2 1:0 2:1 3:0 4:0 5:0 6:0 7:1 8:0 9:2 10:0 11:0 12:1 13:0 14:1 15:1 16:1 17:2 18:1 19:0 20:0",
}

func TestAsPrometheus(t *testing.T) {
	store := ring(t, time.Hour)
	writeAll(t, NewWriter(store, Target{Job: "j", Instance: "i"}), comparedPages...)
	want := maps.Clone(prometheus)
	maps.Copy(want, onPurpose)
	got := map[string]string{}
	for name, line := range timeline(t, store, "a|b|h_bucket|up|scrape_samples.*|scrape_series_added") {
		got[name] = byScrape(line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// byScrape gives samples written every 5 s by the number of their scrape.
func byScrape(line string) string {
	var numbered []string
	for sample := range strings.FieldsSeq(line) {
		at, v, _ := strings.Cut(sample, ":")
		seconds, _ := strconv.Atoi(at)
		numbered = append(numbered, fmt.Sprintf("%d:%s", seconds/5, v))
	}
	return strings.Join(numbered, " ")
}
