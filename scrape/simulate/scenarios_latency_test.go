package simulate

import (
	"testing"
	"time"
)

func TestMedia(t *testing.T) {
	before, s := phases(t, "media", 5*time.Minute)
	check(
		t,
		bound{"frontend gap", s.gap(), 1, 8},
		bound{"frontend gap before", before.gap(), 0, 0.2},
		bound{"CPU of the API process", s.rate("process_cpu_seconds_total"), 0.8, 1.1},
		bound{"most waiting", s.most(waiting), 0, 2},
		bound{"queue time", s.mean(queue), 0, 0.1},
		bound{"images of a request", s.rise("vllm:mm_cache_queries_total") / s.rise(ttft+"_count"), 2, 3.2},
		bound{"images found", s.rise("vllm:mm_cache_hits_total") / s.rise("vllm:mm_cache_queries_total"), 0, 0.1},
		bound{"GPU utilisation", s.device(gpuUtil), 10, 70},
	)
}

func TestLongPrompts(t *testing.T) {
	before, s := phases(t, "long-prompts", 5*time.Minute)
	// 70,000 tokens at 55 % of an H100: 2 x 8.03e9 x 7e4 FLOP, and 4 x 32 x 4096 x 7e4^2 / 2 of attention: 4.4 s.
	const physics = (2*8.03e9*7e4 + 2*32*4096*7e4*7e4) / (989e12 * 0.55)
	check(
		t,
		bound{"prefill by arithmetic", s.mean(prefilling) / physics, 0.8, 1.6},
		bound{"prefill of TTFT", s.mean(prefilling) / s.mean(ttft), 0.6, 1.05},
		bound{"waiting", average(s.gauge(waiting)), 0, 0.3},
		bound{"TTFT before", before.mean(ttft), 0.02, 0.2},
	)
}

func TestFewLongPrompts(t *testing.T) {
	before, s := phases(t, "few-long-prompts", 8*time.Minute)
	check(
		t,
		bound{"TTFT p50", s.quantile(ttft, 0.5), 0.02, 1},
		bound{"TTFT p99", s.quantile(ttft, 0.99), 5, 40},
		bound{"longest prompts by the median", s.quantile(promptSizes, 0.99) / s.quantile(promptSizes, 0.5), 10, 500},
		bound{"waiting", average(s.gauge(waiting)), 0, 1},
		bound{"TTFT p99 before", before.quantile(ttft, 0.99), 0.02, 0.25},
	)
}

func TestLongContexts(t *testing.T) {
	before, s := phases(t, "long-contexts", 5*time.Minute)
	check(
		t,
		bound{"ITL p50", s.quantile(itl, 0.5), 0.05, 0.15},
		bound{"ITL by before", s.mean(itl) / before.mean(itl), 4, 15},
		bound{"ITL p99 by p50", s.quantile(itl, 0.99) / s.quantile(itl, 0.5), 1, 2},
		bound{"memory activity", s.device(dram), 0.7, 0.87},
		bound{"tensor activity", s.device(tensor), 0, 0.2},
		bound{"computed prompt tokens by output tokens", s.rise("vllm:request_prefill_kv_computed_tokens_sum") / s.rise(generated), 0, 2},
		bound{"most waiting", s.most(waiting), 0, 3},
		bound{"most KV", s.most(kv), 0.4, 0.9},
	)
}
