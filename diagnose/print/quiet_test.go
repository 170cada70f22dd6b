package print

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// well is a vLLM server that serves one request after another.
const well = `
load 5s
  up{job="vllm", instance="gpu-a:8000"} 1x60
  scrape_samples_scraped{job="vllm", instance="gpu-a:8000"} 502x60
  vllmscope_target_info{job="vllm", instance="gpu-a:8000", kind="vllm", url="http://gpu-a:8000/metrics"} 1x60
  vllm:num_requests_running{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 1x60
  vllm:num_requests_waiting{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 0x60
  vllm:kv_cache_usage_perc{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 0.1+0.01x60
`

// odd is a vLLM server whose page says hardly anything.
const odd = `
load 5s
  up{job="vllm", instance="gpu-a:8000"} 1x60
  scrape_samples_scraped{job="vllm", instance="gpu-a:8000"} 502x60
  vllmscope_target_info{job="vllm", instance="gpu-a:8000", kind="vllm", url="http://gpu-a:8000/metrics"} 1x60
  vllm:num_requests_running{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} 1x60
`

// queue is a server of three engines, seen for an instant.
const queue = `
load 5s
  up{job="vllm", instance="gpu-a:8000"} _x48 1
  scrape_samples_scraped{job="vllm", instance="gpu-a:8000"} _x48 502
  vllmscope_target_info{job="vllm", instance="gpu-a:8000", kind="vllm", url="http://gpu-a:8000/metrics"} _x48 1
  vllm:num_requests_running{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} _x48 51
  vllm:num_requests_running{job="vllm", instance="gpu-a:8000", engine="1", model_name="llama-70b"} _x48 31
  vllm:num_requests_running{job="vllm", instance="gpu-a:8000", engine="2", model_name="llama-70b"} _x48 12
  vllm:num_requests_waiting{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} _x48 117
  vllm:num_requests_waiting{job="vllm", instance="gpu-a:8000", engine="1", model_name="llama-70b"} _x48 108
  vllm:num_requests_waiting{job="vllm", instance="gpu-a:8000", engine="2", model_name="llama-70b"} _x48 0
  vllm:kv_cache_usage_perc{job="vllm", instance="gpu-a:8000", engine="0", model_name="llama-70b"} _x48 1
  vllm:kv_cache_usage_perc{job="vllm", instance="gpu-a:8000", engine="1", model_name="llama-70b"} _x48 0.99
  vllm:kv_cache_usage_perc{job="vllm", instance="gpu-a:8000", engine="2", model_name="llama-70b"} _x48 0.31
`

// strangers are targets that answer and are no vLLM server.
const strangers = `
load 5s
  up{job="vllm", instance="empty:1"} 1x60
  scrape_samples_scraped{job="vllm", instance="empty:1"} 0x60
  vllmscope_target_info{job="vllm", instance="empty:1", kind="other"} 1x60
  up{job="vllm", instance="node:2"} 1x60
  scrape_samples_scraped{job="vllm", instance="node:2"} 7x60
  vllmscope_target_info{job="vllm", instance="node:2", kind="other"} 1x60
  up{job="vllm", instance="router:3"} 1x60
  scrape_samples_scraped{job="vllm", instance="router:3"} 7x60
  up{job="vllm", instance="gpu:4"} 1x60
  scrape_samples_scraped{job="vllm", instance="gpu:4"} 7x60
  vllmscope_target_info{job="vllm", instance="gpu:4", kind="dcgm"} 1x60
`

// emptied is the same server, and another one of its model that had no requests when it stopped.
const emptied = well + `  up{job="vllm", instance="gpu-b:8000"} 1x24 0x35
  scrape_samples_scraped{job="vllm", instance="gpu-b:8000"} 502x24 0x35
  vllmscope_target_info{job="vllm", instance="gpu-b:8000", kind="vllm", url="http://gpu-b:8000/metrics"} 1x60
  vllmscope_scrape_error{job="vllm", instance="gpu-b:8000", class="refused", error="connection refused"} _x25 1x35
  vllm:num_requests_running{job="vllm", instance="gpu-b:8000", engine="0", model_name="llama-70b"} 0x24 stale
  vllm:num_requests_waiting{job="vllm", instance="gpu-b:8000", engine="0", model_name="llama-70b"} 0x24 stale
`

func TestWhatIsSaidWhereNothingIsFound(t *testing.T) {
	for _, row := range []struct {
		name, series, text, markdown string
		onePage, silenced            bool
	}{
		{
			"a server that does well", well,
			"NO WARNING  {} rules judged,", "**No warning**: {} rules judged,", false, false,
		},
		{
			"one page of it", well,
			"NO WARNING  in what one page can show: rules that need two scrapes were not judged; {} rules judged,",
			"**No warning**: in what one page can show: rules that need two scrapes were not judged; {} rules judged,", true, false,
		},
		{
			"a page that says hardly anything", odd,
			"? NO WARNING  in what little can be judged; {} rules judged,", "**? no warning**: in what little can be judged; {} rules judged,", false, false,
		},
		{
			"one such page", odd,
			"? NO WARNING  in what little of one page can be judged; {} rules judged,",
			"**? no warning**: in what little of one page can be judged; {} rules judged,", true, false,
		},
		{
			"one page with a queue", queue,
			"NO VERDICT  one page: 225 wait on 2 of 3 replicas, KV cache 100 %: two scrapes are needed to say why; {} rules judged,",
			"**No verdict**: one page: 225 wait on 2 of 3 replicas, KV cache 100 %: two scrapes are needed to say why; {} rules judged,", true, false,
		},
		{
			"no server", strangers,
			"NO VLLM SERVER  what was scraped: empty:1: a page without samples, gpu:4: a GPU exporter, node:2: a page without vLLM metrics, router:3: a page without vLLM metrics\n",
			"**No vLLM server**: what was scraped: empty:1: a page without samples, gpu:4: a GPU exporter, node:2: a page without vLLM metrics, router:3: a page without vLLM metrics.\n", false, false,
		},
		{"something is found", thrash, "CRITICAL  A1", "## CRITICAL A1", false, false},
		{"all that is found is silenced", thrash, "NOTHING ELSE FOUND  {} rules judged", "**Nothing else found**: {} rules judged", false, true},
		{"a server was emptied and stopped", emptied, "NO WARNING  {} rules judged", "**No warning**: {} rules judged", false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, source := reportOf(t, row.series, 4*time.Minute)
			if row.onePage {
				if err := r.AddSinceStart(t.Context(), source); err != nil {
					t.Fatal(err)
				}
			}
			for i := range r.Findings {
				if row.silenced {
					r.Findings[i].Silenced = &diagnose.Silence{}
				}
			}
			var text, markdown bytes.Buffer
			if err := Text(&text, r); err != nil {
				t.Fatal(err)
			}
			if err := Markdown(&markdown, r); err != nil {
				t.Fatal(err)
			}
			for got, want := range map[string]string{text.String(): row.text, markdown.String(): row.markdown} {
				want = strings.ReplaceAll(want, "{}", strconv.Itoa(len(r.Judged)))
				if !strings.Contains(got, want) || strings.Count(strings.ToUpper(got), "NOTHING FOUND") > strings.Count(strings.ToUpper(want), "NOTHING FOUND") {
					t.Errorf("lacks %q:\n%s", want, got)
				}
			}
		})
	}
}

// A finding that was not true all the time does not make check fail while it is pending, and is said not to.
func TestPendingFindingsSayWhetherTheyCount(t *testing.T) {
	const late = "pending, does not count for the exit code yet"
	for _, row := range []struct {
		name, up string
		at       time.Duration
		want     bool
	}{
		{"true all the time", "0x60", 10 * time.Second, false},
		{"for the last 15 s only", "1x44 0x15", 4 * time.Minute, true},
		{"firing", "1x30 0x29", 4 * time.Minute, false},
		{"ended", "1x30 0x10 1x19", 4 * time.Minute, false},
	} {
		r, _ := reportOf(t, strings.Replace(well, "1x60", row.up, 1), row.at)
		var b bytes.Buffer
		if err := Text(&b, r); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), late); got != row.want || !strings.Contains(b.String(), "A1 scrape fails") {
			t.Errorf("%s: %v:\n%s", row.name, got, b.String())
		}
	}
}
