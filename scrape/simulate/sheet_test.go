package simulate

import (
	"bufio"
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// Names of series.
const (
	running        = "vllm:num_requests_running"
	waiting        = "vllm:num_requests_waiting"
	kv             = "vllm:kv_cache_usage_perc"
	evictions      = "vllm:num_preemptions_total"
	generated      = "vllm:generation_tokens_total"
	ttft           = "vllm:time_to_first_token_seconds"
	itl            = "vllm:inter_token_latency_seconds"
	e2e            = "vllm:e2e_request_latency_seconds"
	queue          = "vllm:request_queue_time_seconds"
	inference      = "vllm:request_inference_time_seconds"
	started        = "process_start_time_seconds"
	openFiles      = "process_open_fds"
	answers        = "http_requests_total"
	finished       = "vllm:request_success_total"
	outputs        = "vllm:request_generation_tokens"
	promptSizes    = "vllm:request_prompt_tokens"
	prefixHits     = "vllm:prefix_cache_hits_total"
	prefixAsked    = "vllm:prefix_cache_queries_total"
	outsideFound   = "vllm:external_prefix_cache_hits_total"
	outsideAsked   = "vllm:external_prefix_cache_queries_total"
	drafts         = "vllm:spec_decode_num_drafts_total"
	proposals      = "vllm:spec_decode_num_draft_tokens_total"
	accepted       = "vllm:spec_decode_num_accepted_tokens_total"
	tpot           = "vllm:request_time_per_output_token_seconds"
	transferTime   = "vllm:nixl_xfer_time_seconds"
	transferFailed = "vllm:nixl_num_failed_transfers_total"
	readTooLate    = "vllm:nixl_num_kv_expired_reqs_total"
	deferred       = `vllm:num_requests_waiting_by_reason{engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct",reason="deferred"}`
	rejections     = "vllm:admission_rejections_total"
	prefilling     = "vllm:request_prefill_time_seconds"

	gpuUtil    = "DCGM_FI_DEV_GPU_UTIL"
	gpuPower   = "DCGM_FI_DEV_POWER_USAGE"
	tensor     = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"
	dram       = "DCGM_FI_PROF_DRAM_ACTIVE"
	memoryUsed = "DCGM_FI_DEV_FB_USED"
	smActive   = "DCGM_FI_PROF_SM_ACTIVE"
	smClock    = "DCGM_FI_DEV_SM_CLOCK"
	gpuHeat    = "DCGM_FI_DEV_GPU_TEMP"
	reasons    = "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS"
	lastXID    = "DCGM_FI_DEV_XID_ERRORS"
	gpuBusy    = "DCGM_FI_PROF_GR_ENGINE_ACTIVE"
	pcieNow    = "DCGM_FI_DEV_PCIE_LINK_WIDTH"
	pcieMost   = "DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH"
)

// sheet is a page read: series to value.
type sheet map[string]float64

// read takes a target's page.
func read(t *testing.T, f *Fleet, target string) sheet {
	t.Helper()
	answer, err := f.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	s := sheet{}
	lines := bufio.NewScanner(bytes.NewReader(answer.Page))
	for lines.Scan() {
		series, number, found := cutLast(lines.Text())
		if !found || strings.HasPrefix(series, "#") {
			continue
		}
		value, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatalf("line %q: %v", lines.Text(), err)
		}
		if _, twice := s[series]; twice {
			t.Fatalf("series %s is on the page twice", series)
		}
		s[series] = value
	}
	return s
}

func cutLast(line string) (before, after string, found bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return line, "", false
	}
	return line[:i], line[i+1:], true
}

// sum adds up all series of a name.
func (s sheet) sum(name string) (total float64) {
	for series, value := range s {
		if base, _, _ := strings.Cut(series, "{"); base == name {
			total += value
		}
	}
	return total
}

// span is a stretch of time of one server and its first GPU, seen through their pages every few seconds.
type span struct {
	seconds     float64
	first, last sheet
	samples     []sheet
	gpu         []sheet
}

// watch lets a fleet run and looks at it every five seconds.
func watch(t *testing.T, f *Fleet, from, to time.Time) span {
	t.Helper()
	if underRace {
		t.Skip("a fleet is the work of one goroutine, and minutes of it take long")
	}
	return watchEvery(t, f, from, to, 5*time.Second)
}

func watchEvery(t *testing.T, f *Fleet, from, to time.Time, step time.Duration) span {
	t.Helper()
	f.AdvanceTo(from)
	s := span{seconds: to.Sub(from).Seconds(), first: read(t, f, "gpu-a:8000")}
	for at := from; !at.After(to); at = at.Add(step) {
		f.AdvanceTo(at)
		s.samples = append(s.samples, read(t, f, "gpu-a:8000"))
		s.gpu = append(s.gpu, read(t, f, "gpu-a:9400"))
	}
	s.last = s.samples[len(s.samples)-1]
	return s
}

// rise is how much a counter grew.
func (s span) rise(name string) float64 { return s.last.sum(name) - s.first.sum(name) }

// rate is its growth a second.
func (s span) rate(name string) float64 { return s.rise(name) / s.seconds }

// mean is the mean of a histogram's observations.
func (s span) mean(name string) float64 { return s.rise(name+"_sum") / s.rise(name+"_count") }

// gauge are a gauge's samples in order of size.
func (s span) gauge(name string) []float64 {
	var values []float64
	for _, sample := range s.samples {
		values = append(values, sample.sum(name))
	}
	slices.Sort(values)
	return values
}

// most is a gauge's highest sample.
func (s span) most(name string) float64 { return slices.Max(s.gauge(name)) }

// device is the mean of an exporter's family over samples and devices.
func (s span) device(name string) float64 {
	total, n := 0.0, 0
	for _, sample := range s.gpu {
		for series, value := range sample {
			if strings.HasPrefix(series, name+"{") {
				total += value
				n++
			}
		}
	}
	return total / float64(n)
}

// quantile is the upper edge of the bucket that holds it.
func (s span) quantile(name string, q float64) float64 {
	type bucket struct{ edge, count float64 }
	var buckets []bucket
	for series := range s.last {
		if rest, found := strings.CutPrefix(series, name+"_bucket{"); found {
			_, rest, _ = strings.Cut(rest, `le="`)
			text, _, _ := strings.Cut(rest, `"`)
			edge, _ := strconv.ParseFloat(text, 64)
			buckets = append(buckets, bucket{edge, s.last[series] - s.first[series]})
		}
	}
	slices.SortFunc(buckets, func(a, b bucket) int { return cmp.Compare(a.edge, b.edge) })
	for _, b := range buckets {
		if b.count >= q*buckets[len(buckets)-1].count {
			return b.edge
		}
	}
	return 0
}

func median(sorted []float64) float64 { return sorted[len(sorted)/2] }

func average(values []float64) (mean float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean
}
