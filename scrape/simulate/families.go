package simulate

// family is a row of what an engine exposes: the name, from which release to which (0 is open), and where the number is.
type family struct {
	name        string
	help        string
	from, until version // until is the first release without it

	counter func(*engineMetrics, string) float64 // one of these three; the text is the extra label's value
	gauge   func(*engineMetrics, string) float64
	shape   func(*engineMetrics) *histogram

	label   string // an extra label, and its values
	values  []labelValue
	needs   func(flags) bool // without them there is no such family; nil for one that is always there
	byModel bool             // one child for a model, without the engine label
}

// labelValue is a value of an extra label and the release that brought it.
type labelValue struct {
	text string
	from version
}

func (f family) kind() string {
	switch {
	case f.counter != nil:
		return "counter"
	case f.shape != nil:
		return "histogram"
	}
	return "gauge"
}

// engineFamilies is the table, in the order in which vLLM registers them. Sources: pages of 0.8.5, 0.9.2, 0.11.0 and 0.32.0
// servers, and the release notes and deprecations of those in between, 0.19 among them. Hidden families are not shown.
func engineFamilies() []family {
	return append(schedulerFamilies(), append(tokenFamilies(), latencyFamilies()...)...)
}

func schedulerFamilies() []family {
	return []family{
		{name: "vllm:estimated_flops_per_gpu_total", help: "Estimated floating point operations of each GPU.", from: 17000, counter: none},
		{name: "vllm:estimated_read_bytes_per_gpu_total", help: "Estimated bytes read from the memory of each GPU.", from: 17000, counter: none},
		{name: "vllm:estimated_write_bytes_per_gpu_total", help: "Estimated bytes written to the memory of each GPU.", from: 17000, counter: none},
		{
			name: "vllm:num_requests_running", help: "Requests in the running batch.",
			gauge: func(m *engineMetrics, _ string) float64 { return m.running },
		},
		{
			name: "vllm:num_requests_waiting", help: "Requests waiting to be scheduled.",
			gauge: func(m *engineMetrics, _ string) float64 { return m.waiting },
		},
		{
			name: "vllm:num_requests_waiting_by_reason", help: "Waiting requests by reason; the reasons sum to vllm:num_requests_waiting.", from: 20000,
			label: "reason", values: []labelValue{{"capacity", 0}, {"deferred", 0}},
			gauge: func(m *engineMetrics, reason string) float64 {
				if reason == "capacity" {
					return m.waiting - m.deferred
				}
				return m.deferred
			},
		},
		{
			name: "vllm:num_requests_kv_fetch_by_stage", help: "Waiting requests by the stage of their KV load.", from: release0320,
			label: "stage", values: []labelValue{{"waiting_to_start", 0}, {"in_progress", 0}, {"completed_waiting", 0}},
			gauge: stage, needs: func(f flags) bool { return f.transfers || f.external > 0 },
		},
		{
			name: "vllm:engine_sleep_state", help: "1 for the sleep state that the engine is in.", from: 11001,
			label: "sleep_state", values: []labelValue{{"awake", 0}, {"weights_offloaded", 0}, {"discard_all", 0}},
			gauge: func(m *engineMetrics, state string) float64 {
				if state == m.sleep.state() {
					return 1
				}
				return 0
			},
		},
		{name: "vllm:gpu_cache_usage_perc", help: "KV cache usage, 1 is full.", until: 11000, gauge: usage},
		{name: "vllm:gpu_prefix_cache_queries_total", help: "Prefix cache queries, in blocks.", until: prefixInTokens, counter: queriesInBlocks},
		{name: "vllm:gpu_prefix_cache_hits_total", help: "Prefix cache hits, in blocks.", until: prefixInTokens, counter: hitsInBlocks},
		{name: "vllm:gpu_prefix_cache_queries_total", help: "Prefix cache queries, in tokens.", from: prefixInTokens, until: 11000, counter: queries},
		{name: "vllm:gpu_prefix_cache_hits_total", help: "Prefix cache hits, in tokens.", from: prefixInTokens, until: 11000, counter: hits},
		{name: "vllm:kv_cache_usage_perc", help: "KV cache usage, 1 is full.", from: 9002, gauge: usage},
		{name: "vllm:prefix_cache_queries_total", help: "Prefix cache queries, in tokens.", from: 9002, counter: queries},
		{name: "vllm:prefix_cache_hits_total", help: "Prefix cache hits, in tokens.", from: 9002, counter: hits},
		{name: "vllm:external_prefix_cache_queries_total", help: "Queries of KV caches outside this engine, in tokens.", from: 11001, counter: outsideQueries},
		{name: "vllm:external_prefix_cache_hits_total", help: "Hits in KV caches outside this engine, in tokens.", from: 11001, counter: outsideHits},
		{name: "vllm:mm_cache_queries_total", help: "Queries of the cache of media inputs, in items.", from: 11001, counter: mediaQueries},
		{name: "vllm:mm_cache_hits_total", help: "Hits in the cache of media inputs, in items.", from: 11001, counter: mediaHits},
		{
			name: "vllm:num_preemptions_total", help: "Preemptions so far.",
			counter: func(m *engineMetrics, _ string) float64 { return m.preemptions },
		},
	}
}

func tokenFamilies() []family {
	return []family{
		{
			name: "vllm:prompt_tokens_total", help: "Prompt tokens processed.",
			counter: func(m *engineMetrics, _ string) float64 { return m.promptTokens },
		},
		{
			name: "vllm:prompt_tokens_by_source_total", help: "Prompt tokens by where their KV came from.", from: 16000,
			label: "source", values: []labelValue{{"local_compute", 0}, {"local_cache_hit", 0}, {"external_kv_transfer", 0}},
			counter: func(m *engineMetrics, source string) float64 {
				return map[string]float64{
					"local_compute": m.promptTokens - m.cachedTokens - m.outsideTokens, "local_cache_hit": m.cachedTokens, "external_kv_transfer": m.outsideTokens,
				}[source]
			},
		},
		{name: "vllm:prompt_tokens_cached_total", help: "Prompt tokens found in a cache.", from: 16000, counter: cached},
		{name: "vllm:prompt_tokens_recomputed_total", help: "Last tokens of wholly cached prompts, computed again.", from: 16000, until: 20000, counter: none},
		{
			name: "vllm:prompt_tokens_cached_by_source_total", help: "Prompt tokens found in a cache, by its tier.", from: release0320,
			label: "source", values: []labelValue{{"device", 0}, {"host", 0}, {"p2p", 0}, {"disk", 0}, {"external_unspecified", 0}},
			counter: func(m *engineMetrics, source string) float64 {
				return map[string]float64{"device": m.hits, "external_unspecified": m.outsideHits}[source]
			},
		},
		{
			name: "vllm:generation_tokens_total", help: "Tokens generated.",
			counter: func(m *engineMetrics, _ string) float64 { return m.generationTokens },
		},
		{
			name: "vllm:request_success_total", help: "Requests that ended, by reason.",
			label: "finished_reason", values: []labelValue{{"stop", 0}, {"length", 0}, {"abort", 0}, {"error", 13000}, {"repetition", 17000}},
			counter: func(m *engineMetrics, reason string) float64 { return m.success[reason] },
		},
		{
			name: "vllm:admission_rejections_total", help: "Requests refused by a queue limit, by reason.", from: release0320, byModel: true,
			label: "reason", values: []labelValue{{"max_num_queued_reqs", 0}, {"max_num_queued_tokens", 0}},
			counter: func(m *engineMetrics, reason string) float64 {
				if reason == "max_num_queued_reqs" {
					return m.rejections
				}
				return 0
			},
		},
		{name: "vllm:request_prompt_tokens", help: "Prompt tokens of a request.", shape: func(m *engineMetrics) *histogram { return m.prompt }},
		{name: "vllm:request_generation_tokens", help: "Tokens generated for a request.", shape: generation},
		{name: "vllm:iteration_tokens_total", help: "Tokens of an engine step.", shape: func(m *engineMetrics) *histogram { return m.iteration }},
		{name: "vllm:request_max_num_generation_tokens", help: "Most tokens generated among the answers of a request.", shape: func(m *engineMetrics) *histogram { return m.longest }},
		{name: "vllm:request_params_n", help: "Parameter n of a request.", shape: func(m *engineMetrics) *histogram { return m.samples }},
		{name: "vllm:request_params_max_tokens", help: "Parameter max_tokens of a request.", shape: func(m *engineMetrics) *histogram { return m.limit }},
	}
}

func latencyFamilies() []family {
	return []family{
		{name: "vllm:time_to_first_token_seconds", help: "Time to the first token.", shape: func(m *engineMetrics) *histogram { return m.firstToken }},
		{name: "vllm:time_per_output_token_seconds", help: "Time between two outputs.", until: 12000, shape: interToken},
		{name: "vllm:inter_token_latency_seconds", help: "Time between two outputs.", from: 10002, shape: interToken},
		{
			name: "vllm:request_time_per_output_token_seconds", help: "Mean time of an output token of a request.", from: 11000,
			shape: func(m *engineMetrics) *histogram { return m.perToken },
		},
		{name: "vllm:e2e_request_latency_seconds", help: "Latency of a request from end to end.", shape: func(m *engineMetrics) *histogram { return m.endToEnd }},
		{name: "vllm:request_queue_time_seconds", help: "Time of a request in the queue.", shape: func(m *engineMetrics) *histogram { return m.queue }},
		{name: "vllm:request_inference_time_seconds", help: "Time of a request in the running batch.", shape: func(m *engineMetrics) *histogram { return m.inference }},
		{name: "vllm:request_prefill_time_seconds", help: "Time of a request in prefill.", shape: func(m *engineMetrics) *histogram { return m.prefill }},
		{name: "vllm:request_decode_time_seconds", help: "Time of a request in decode.", shape: func(m *engineMetrics) *histogram { return m.decode }},
		{
			name: "vllm:request_num_preemptions", help: "Preemptions of a request.", from: 30000,
			shape: func(m *engineMetrics) *histogram { return m.evictions },
		},
		{
			name: "vllm:request_prefill_kv_computed_tokens", help: "Prompt tokens of a request that were not cached.", from: 13000,
			shape: func(m *engineMetrics) *histogram { return m.computed },
		},
	}
}

func none(*engineMetrics, string) float64                { return 0 }
func usage(m *engineMetrics, _ string) float64           { return m.usage }
func queries(m *engineMetrics, _ string) float64         { return m.queries }
func hits(m *engineMetrics, _ string) float64            { return m.hits }
func cached(m *engineMetrics, _ string) float64          { return m.cachedTokens + m.outsideTokens }
func outsideQueries(m *engineMetrics, _ string) float64  { return m.outsideQueries }
func outsideHits(m *engineMetrics, _ string) float64     { return m.outsideHits }
func mediaQueries(m *engineMetrics, _ string) float64    { return m.mediaQueries }
func mediaHits(m *engineMetrics, _ string) float64       { return m.mediaHits }
func generation(m *engineMetrics) *histogram             { return m.generation }
func interToken(m *engineMetrics) *histogram             { return m.interToken }
func queriesInBlocks(m *engineMetrics, _ string) float64 { return m.queries / m.blockSize }
func hitsInBlocks(m *engineMetrics, _ string) float64    { return m.hits / m.blockSize }
