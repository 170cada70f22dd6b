package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// fixtures is the folder of real pages beside the checkout; tests that read it are skipped where it is not.
func fixtures(t testing.TB) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "fixtures")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no fixtures beside the checkout")
	}
	return dir
}

// judged reads saved pages and judges the moment, as check does.
func judged(t testing.TB, interval time.Duration, at string, paths ...string) *diagnose.Report {
	t.Helper()
	o := &options{config: &configuration{}, interval: duration(interval), window: duration(time.Minute), slo: "chat"}
	r, err := o.judge(t.Context(), paths, 0, at)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pageFigures is what a page says, in one line: kind, samples, bad lines, then running, waiting, KV cache and TTFT p95 of each engine.
func pageFigures(r *diagnose.Report) []string {
	target := r.Targets[0]
	got := []string{target.Kind, figure(target.Samples), figure(target.BadLines)}
	for _, id := range []string{"running", "waiting", "kv_usage", "ttft_p95"} {
		var values []string
		for _, replica := range r.Replicas {
			if f := r.Figure(id, replica); f.Known() {
				values = append(values, figure(f.Value))
			}
		}
		if len(values) == 0 {
			values = []string{"-"}
		}
		got = append(got, strings.Join(values, " "))
	}
	return got
}

func figure(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Every fixture page gives the values that were worked out apart from this program.
func TestFixturePagesGiveTheirValues(t *testing.T) {
	dir := fixtures(t)
	table, err := os.ReadFile("testdata/fixtures.tsv")
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if pages++; underRace && pages%10 > 0 {
			continue // they run the same code
		}
		t.Run(cells[0], func(t *testing.T) {
			got := pageFigures(judged(t, 5*time.Second, "", filepath.Join(dir, cells[0])))
			if fmt.Sprint(got) != fmt.Sprint(cells[1:]) {
				t.Errorf("got  %q\nwant %q", got, cells[1:])
			}
		})
	}
	if pages < 70 {
		t.Errorf("%d pages only", pages)
	}
}

// Small pages of the kinds that other tools read wrong.
func TestPagesGiveTheirValues(t *testing.T) {
	const ttft = "vllm:time_to_first_token_seconds_bucket{%s,le=\"1\"} 50\nvllm:time_to_first_token_seconds_bucket{%s,le=\"2\"} 100\n" +
		"vllm:time_to_first_token_seconds_bucket{%s,le=\"+Inf\"} 100\nvllm:time_to_first_token_seconds_count{%s} 100\n"
	m := `engine="0",model_name="m"`
	tests := []struct {
		name, page string
		want       string
	}{
		{
			"newest names", "vllm:num_requests_running{" + m + "} 3\nvllm:num_requests_waiting{" + m + "} 2\nvllm:kv_cache_usage_perc{" + m + "} 0.5\n" +
				strings.ReplaceAll(ttft, "%s", m), "vllm 7 0 3 2 0.5 1.9",
		},
		{"an old name", "vllm:num_requests_running 3\nvllm:gpu_cache_usage_perc 0.25\n", "vllm 2 0 3 - 0.25 -"},
		{"both names", "vllm:kv_cache_usage_perc{" + m + "} 0.5\nvllm:gpu_cache_usage_perc{" + m + "} 0.5\n", "vllm 2 0 - - 0.5 -"},
		{"Ray's prefix", "ray_vllm:num_requests_running{" + m + "} 3\n", "vllm 1 0 3 - - -"},
		{"Ray's later prefix", "ray_vllm_num_requests_running{" + m + "} 3\n", "vllm 1 0 3 - - -"},
		{"a copy for each process", "vllm:kv_cache_usage_perc{" + m + ",pid=\"1\"} 0\nvllm:kv_cache_usage_perc{" + m + ",pid=\"2\"} 0.6\n", "vllm 2 0 - - 0.6 -"},
		{"waiting by reason only", "vllm:num_requests_waiting_by_reason{" + m + ",reason=\"deferred\"} 41\nvllm:num_requests_waiting_by_reason{" + m + ",reason=\"capacity\"} 3\n", "vllm 2 0 - 44 - -"},
		{
			"two engines", "vllm:num_requests_running{engine=\"0\",model_name=\"m\"} 3\nvllm:num_requests_running{engine=\"1\",model_name=\"m\"} 5\n",
			"vllm 2 0 3 5 - - -",
		},
		{
			"two models", "vllm:num_requests_running{engine=\"0\",model_name=\"a\"} 3\nvllm:num_requests_running{engine=\"0\",model_name=\"b\"} 5\n",
			"vllm 2 0 3 5 - - -",
		},
		{"what is no number is no value", "vllm:num_requests_running NaN\nvllm:num_requests_waiting +Inf\nvllm:kv_cache_usage_perc -Inf\n", "vllm 3 0 - - - -"},
		{"a damaged line costs that line", "vllm:num_requests_running 3\nvllm:num_requests_waiting{model_name=\"m 2\n", "vllm 1 1 3 - - -"},
		{"BOM and carriage returns", "\ufeffvllm:num_requests_running 3\r\nvllm:num_requests_waiting 2\r\n", "vllm 2 0 3 2 - -"},
		{"no final newline", "vllm:num_requests_running 3\nvllm:num_requests_waiting 2", "vllm 2 0 3 2 - -"},
		{"twice the same series: the first counts", "vllm:num_requests_running 3\nvllm:num_requests_running 9\n", "vllm 2 0 3 - - -"},
		{"a histogram without +Inf has no total", "vllm:num_requests_running 0\nvllm:time_to_first_token_seconds_bucket{le=\"1\"} 5\n", "vllm 2 0 0 - - -"},
		{"OpenMetrics", "# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running 3\n# EOF\n", "vllm 1 0 3 - - -"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(pageFigures(judged(t, 5*time.Second, "", pages(t, tt.page))), " "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
