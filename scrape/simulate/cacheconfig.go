package simulate

import (
	"fmt"
	"strconv"
)

// cacheLabel is a label of vllm:cache_config_info: vLLM prints every field of its cache configuration as text, so the set
// changes with the release. A value of "" is filled in from the engine.
type cacheLabel struct {
	name        string
	from, until version
	value       string
}

func cacheLabels() []cacheLabel {
	return []cacheLabel{
		{"_block_size_resolved", 20000, 0, "True"},
		{"block_size", 0, 0, ""},
		{"cache_dtype", 0, 0, "auto"},
		{"cache_hit_alignment_tokens", 30000, 0, "None"},
		{"calculate_kv_scales", 0, 30000, "False"},
		{"cpu_kvcache_space_bytes", 0, 20000, "None"},
		{"cpu_offload_gb", 0, 9000, "0"},
		{"cpu_offload_gb", 9000, 20000, "0.0"},
		{"effective_attention_block_size", 30000, 0, ""},
		{"enable_mamba_shared_prefix_checkpoint", 30000, 0, "False"},
		{"enable_prefix_caching", 0, 0, "True"},
		{"engine", 9000, 0, ""},
		{"gpu_memory_utilization", 0, 0, ""},
		{"hash_block_size", 20000, 0, "None"},
		{"is_attention_free", 0, 0, "False"},
		{"kv_cache_dtype_skip_layers", 20000, 0, "[]"},
		{"kv_cache_layout", 30000, 0, "None"},
		{"kv_cache_max_concurrency", 24000, 0, ""},
		{"kv_cache_memory_bytes", 11000, 0, "None"},
		{"kv_cache_size_tokens", 24000, 0, ""},
		{"kv_offloading_backend", 20000, 0, "native"},
		{"kv_offloading_size", 20000, 0, "None"},
		{"kv_sharing_fast_prefill", 11000, 0, "False"},
		{"mamba_block_size", 20000, 0, "None"},
		{"mamba_cache_dtype", 11000, 0, "auto"},
		{"mamba_cache_mode", 20000, 0, "none"},
		{"mamba_page_size_padded", 11000, 0, "None"},
		{"mamba_ssm_cache_dtype", 11000, 0, "auto"},
		{"num_cpu_blocks", 0, 0, "None"},
		{"num_gpu_blocks", 0, 9000, "None"}, // a fault of 0.8
		{"num_gpu_blocks", 9000, 0, ""},
		{"num_gpu_blocks_override", 0, 0, ""},
		{"prefix_cache_retention_interval", 30000, 0, "0"},
		{"prefix_caching_hash_algo", 0, 11000, "builtin"},
		{"prefix_caching_hash_algo", 11000, 0, "sha256"},
		{"prefix_match_unit", 30000, 0, "None"},
		{"replayssm_buffer_len", 30000, 0, "16"},
		{"skip_page_size_padded", 30000, 0, "None"},
		{"sliding_window", 0, 0, "None"},
		{"swa_bounded_replay", 30000, 0, "True"},
		{"swap_space", 0, 9000, "4"},
		{"swap_space", 9000, 20000, "4.0"},
		{"swap_space_bytes", 0, 9000, "4294967296"},
		{"swap_space_bytes", 9000, 20000, "4294967296.0"},
		{"use_kda_recoverssm", 30000, 0, "False"},
		{"use_replayssm", 30000, 0, "False"},
		{"user_specified_block_size", 20000, 0, "True"},
	}
}

// cacheConfig is the labels of one engine. num_gpu_blocks is the sum over all engines, repeated on each of them, while
// kv_cache_size_tokens is the engine's own.
func (s *server) cacheConfig(e *engine) labels {
	override := "None"
	if s.flags.gpuBlocks > 0 {
		override = strconv.Itoa(s.flags.gpuBlocks)
	}
	blocks := e.scheduler.cache.blocks + 1
	tokens := blocks * s.flags.blockSize
	own := map[string]string{
		"block_size":                     strconv.Itoa(s.flags.blockSize),
		"effective_attention_block_size": strconv.Itoa(s.flags.blockSize),
		"engine":                         e.label,
		"gpu_memory_utilization":         fmt.Sprint(s.flags.memoryUtilization),
		"kv_cache_max_concurrency":       string(appendNumber(nil, float64(tokens)/float64(s.flags.maxModelLen))),
		"kv_cache_size_tokens":           strconv.Itoa(tokens),
		"num_gpu_blocks":                 strconv.Itoa(blocks * s.data),
		"num_gpu_blocks_override":        override,
	}
	var l labels
	for _, row := range cacheLabels() {
		if !s.version.within(row.from, row.until) {
			continue
		}
		value := row.value
		if value == "" {
			value = own[row.name]
		}
		l = append(l, row.name, value)
	}
	return l
}
