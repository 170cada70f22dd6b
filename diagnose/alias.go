package diagnose

// A spelling is one way in which an exporter writes a family that the catalogue names by its newest name.
type spelling struct {
	name string // family name, without _bucket, _sum or _count
	// scale turns its values into the catalogue's unit (value × scale); 0 means the unit is the same. It applies to gauges,
	// counters and _sum, never to _count; a family whose buckets would need it cannot be listed.
	scale float64
	// marker is a selector that is present on the targets for which this spelling holds, where the name alone cannot tell; it is
	// tried before the catalogue's own name.
	marker string
}

// spellings lists, newest first, the older names of a family (reference: vLLM's deprecation notes, dcgm-exporter 4.9.0 release
// notes). Where a target has several, the first counts and the others are ignored: two names of one signal are never added.
var spellings = map[string][]spelling{
	"vllm:kv_cache_usage_perc":         {{name: "vllm:gpu_cache_usage_perc"}},
	"vllm:inter_token_latency_seconds": {{name: "vllm:time_per_output_token_seconds"}},
	"vllm:prefix_cache_hits_total":     {{name: "vllm:prefix_cache_hits"}, {name: "vllm:gpu_prefix_cache_hits_total"}},
	"vllm:prefix_cache_queries_total":  {{name: "vllm:prefix_cache_queries"}, {name: "vllm:gpu_prefix_cache_queries_total"}},
	"vllm:request_queue_time_seconds":  {{name: "vllm:time_in_queue_requests"}},

	"DCGM_FI_DEV_GPU_UTIL_RATIO": {
		{name: "DCGM_FI_DEV_GPU_UTIL_RATIO", scale: 0.01, marker: `vllmscope_unit{family="DCGM_FI_DEV_GPU_UTIL_RATIO",unit="percent"}`},
		{name: "DCGM_FI_DEV_GPU_UTIL", scale: 0.01},
		{name: "nvidia_smi_utilization_gpu_ratio"},
	},
	"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO":              {{name: "DCGM_FI_PROF_GR_ENGINE_ACTIVE"}},
	"DCGM_FI_PROF_SM_UTIL_RATIO":                     {{name: "DCGM_FI_PROF_SM_ACTIVE"}},
	"DCGM_FI_PROF_TENSOR_UTIL_RATIO":                 {{name: "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"}},
	"DCGM_FI_PROF_DRAM_UTIL_RATIO":                   {{name: "DCGM_FI_PROF_DRAM_ACTIVE"}},
	"DCGM_FI_DEV_SM_CLOCK_HERTZ":                     {{name: "DCGM_FI_DEV_SM_CLOCK", scale: 1e6}, {name: "nvidia_smi_clocks_current_sm_clock_hz"}},
	"DCGM_FI_DEV_MAX_SM_CLOCK_HERTZ":                 {{name: "DCGM_FI_DEV_MAX_SM_CLOCK", scale: 1e6}, {name: "nvidia_smi_clocks_max_sm_clock_hz"}},
	"DCGM_FI_DEV_MEMORY_CLOCK_HERTZ":                 {{name: "DCGM_FI_DEV_MEM_CLOCK", scale: 1e6}, {name: "nvidia_smi_clocks_current_memory_clock_hz"}},
	"DCGM_FI_DEV_BOARD_POWER_WATTS":                  {{name: "DCGM_FI_DEV_POWER_USAGE"}, {name: "nvidia_smi_power_draw_watts"}},
	"DCGM_FI_DEV_GPU_TEMP_CELSIUS":                   {{name: "DCGM_FI_DEV_GPU_TEMP"}, {name: "nvidia_smi_temperature_gpu"}},
	"DCGM_FI_DEV_FB_USED_BYTES":                      {{name: "DCGM_FI_DEV_FB_USED", scale: 1 << 20}, {name: "nvidia_smi_memory_used_bytes"}},
	"DCGM_FI_DEV_FB_FREE_BYTES":                      {{name: "DCGM_FI_DEV_FB_FREE", scale: 1 << 20}, {name: "nvidia_smi_memory_free_bytes"}},
	"DCGM_FI_DEV_XID_ERROR":                          {{name: "DCGM_FI_DEV_XID_ERRORS"}},
	"DCGM_FI_DEV_ROW_REMAP_FAILED":                   {{name: "DCGM_FI_DEV_ROW_REMAP_FAILURE"}},
	"DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL": {{name: "DCGM_FI_DEV_THERMAL_VIOLATION", scale: 1e-9}},
	"DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL":   {{name: "DCGM_FI_DEV_POWER_VIOLATION", scale: 1e-9}},
	"DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS": {
		{name: "DCGM_FI_DEV_ENFORCED_POWER_LIMIT"},
		{name: "nvidia_smi_enforced_power_limit_watts"},
		{name: "DCGM_FI_DEV_POWER_MGMT_LIMIT"},
	},
	"DCGM_FI_DEV_BOARD_POWER_LIMIT_DEFAULT_WATTS": {{name: "DCGM_FI_DEV_POWER_MGMT_LIMIT_DEF"}, {name: "nvidia_smi_power_default_limit_watts"}},
	"DCGM_FI_DEV_FB_RESERVED_BYTES":               {{name: "DCGM_FI_DEV_FB_RESERVED", scale: 1 << 20}},
	"DCGM_FI_DEV_FB_CAPACITY_BYTES":               {{name: "DCGM_FI_DEV_FB_TOTAL", scale: 1 << 20}, {name: "nvidia_smi_memory_total_bytes"}},
	"DCGM_FI_DEV_GPU_RECOVERY_ACTION":             {{name: "DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION"}},
	"DCGM_FI_DEV_PCIE_REPLAY_TOTAL":               {{name: "DCGM_FI_DEV_PCIE_REPLAY_COUNTER"}},
	"DCGM_FI_DEV_PCIE_LINK_WIDTH":                 {{name: "nvidia_smi_pcie_link_width_current"}},
	"DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH":             {{name: "nvidia_smi_pcie_link_width_max"}},
	"DCGM_FI_DEV_PCIE_LINK_GEN":                   {{name: "nvidia_smi_pcie_link_gen_current"}},
	"DCGM_FI_DEV_PCIE_MAX_LINK_GEN":               {{name: "nvidia_smi_pcie_link_gen_max"}},
	"DCGM_FI_PROF_PCIE_TX_BYTES":                  {{name: "DCGM_FI_DEV_PCIE_TX_THROUGHPUT", scale: 1e3}},
	"DCGM_FI_PROF_PCIE_RX_BYTES":                  {{name: "DCGM_FI_DEV_PCIE_RX_THROUGHPUT", scale: 1e3}},
	"DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL":          {{name: "DCGM_FI_DEV_NVLINK_ERROR_DL_CRC"}, {name: "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL"}},
	"DCGM_FI_DEV_NVLINK_REPLAY_TOTAL":             {{name: "DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY"}, {name: "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL"}},
	"DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL":           {{name: "DCGM_FI_DEV_NVLINK_ERROR_DL_RECOVERY"}, {name: "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL"}},
	"DCGM_FI_DEV_CLOCKS_EVENT_REASONS": {
		{name: "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS"}, {name: "nvidia_smi_clocks_event_reasons_active"},
	},
}

// vllmPrefixes are the ways in which "vllm:" is written: by vLLM; by Ray Serve before and after 0.11; by OpenTelemetry and other
// sanitisers; by KServe.
var vllmPrefixes = []string{"vllm:", "ray_vllm:", "ray_vllm_", "vllm_", "kserve_vllm:", "kserve_vllm_"}

// A labelSpelling is an older name of a label, on every family with the prefix.
type labelSpelling struct{ prefix, old, name string }

// labelSpellings come with no metric name of their own: Triton's backend says model, llm-d's simulator finish_reason,
// dcgm-exporter 4.8.3 hostname and its old namespace mode uuid, nvidia_gpu_exporter uuid.
var labelSpellings = []labelSpelling{
	{"vllm:", "model", "model_name"},
	{"vllm:", "finish_reason", "finished_reason"},
	{"DCGM_", "hostname", "Hostname"},
	{"DCGM_", "uuid", "UUID"},
	{"DCGM_", "gpu_uuid", "UUID"},
}
