package diagnose

// How to get what a floor is worked out of.
const (
	noShape     = "no model size: give its config.json (--model-config NAME=FILE)"
	noSheet     = "no data sheet of its GPUs: name them in the configuration (servers: instance, gpu_model, gpu_count)"
	noEstimates = "no work estimates: start vLLM with --enable-mfu-metrics"
)

// sheetRows are what GPU and model could do: from the data sheet, the model's config.json, and vLLM's own estimates.
var sheetRows = []Signal{
	{ID: "sheet_flops16", Title: "peak of a GPU, 16 bits", Unit: Count, Level: Server, Setting: "sheet_flops16", Enable: noSheet, Help: "Dense bf16 operations a second of one GPU, by its data sheet."},
	{ID: "sheet_flops8", Title: "peak of a GPU, fp8", Unit: Count, Level: Server, Setting: "sheet_flops8", Enable: noSheet, Help: "Dense fp8 operations a second of one GPU, by its data sheet; those in 16 bits where it has no fp8."},
	{ID: "sheet_bandwidth", Title: "memory bandwidth a second", Unit: Bytes, Level: Server, Setting: "sheet_bandwidth", Enable: noSheet, Help: "Bytes a second of one GPU, by its data sheet. 85 % of it can be reached (judgement; DCGM's own kernel reaches 80 %)."},
	{ID: "sheet_nvlink", Title: "NVLink bandwidth", Unit: Bytes, Level: Server, Setting: "sheet_nvlink", Enable: noSheet, Help: "Bytes a second of one GPU in one direction, by its data sheet."},
	{ID: "told_gpus", Title: "GPUs of the server, as told", Unit: Count, Level: Server, Setting: "told_gpus", Help: "gpu_count in the configuration."},
	{
		ID: "gpu_busiest", Title: "busiest GPU", Unit: Share, Level: GPU, Across: Highest,
		Formula: `gpu_busy`,
		Help:    "The part of the time in which anything ran on the busiest GPU of the server.",
	},
	{
		ID: "gpus_in_use", Title: "GPUs that compute", Unit: Count, Level: Server,
		Formula: `told_gpus or floor(gpus * gpu_busy / gpu_busiest + 0.5)`,
		Help:    "As told, else the GPUs of the server without those that idle beside a busy one.",
	},
	{
		ID: "engine_gpus", Title: "GPUs of an engine", Unit: Count, Level: Replica,
		Formula: `gpus_in_use / engines`,
		Help:    "Tensor times pipeline parallel size, as far as it can be seen.",
	},
	{
		ID: "peak_flops", Title: "peak of a GPU for the model", Unit: Count, Level: Replica,
		Formula: `sheet_flops16 + (shape_eight_bit or 0 * sheet_flops16) * (sheet_flops8 - sheet_flops16)`,
		Help:    "In fp8 where the model's weights and activations are, else in 16 bits. 55 % of it can be reached in large products (judgement).",
	},
	{ID: "shape_parameters", Title: "parameters", Unit: Count, Level: Model, Setting: "shape_parameters", Enable: noShape, Help: "By its config.json."},
	{ID: "shape_active", Title: "parameters for a token", Unit: Count, Level: Model, Setting: "shape_active", Enable: noShape, Help: "Those that each token is multiplied with: of a mixture the experts that it is routed to."},
	{ID: "shape_bytes", Title: "bytes of a weight", Unit: Ratio, Level: Model, Setting: "shape_bytes", Enable: noShape, Help: "On average, by the model's quantization."},
	{ID: "shape_step_bytes", Title: "weights that each step reads", Unit: Bytes, Level: Model, Setting: "shape_step_bytes", Enable: noShape, Help: "All but the experts that tokens are routed to."},
	{ID: "shape_expert_bytes", Title: "weights of experts", Unit: Bytes, Level: Model, Setting: "shape_expert_bytes", Enable: noShape, Help: "Of all experts that tokens are routed to."},
	{ID: "shape_idle", Title: "experts past which a token is routed", Unit: Share, Level: Model, Setting: "shape_idle", Enable: noShape, Help: "0 without experts."},
	{ID: "shape_kv_bytes", Title: "KV of a token, 16 bits", Unit: Bytes, Level: Model, Setting: "shape_kv_bytes", Enable: noShape, Help: "Keys and values of all layers, or the latent that both are made of."},
	{ID: "shape_pair_flops", Title: "operations of a pair of tokens", Unit: Count, Level: Model, Setting: "shape_pair_flops", Enable: noShape, Help: "Of attention, over all layers and heads."},
	{ID: "shape_eight_bit", Title: "products in fp8", Unit: YesNo, Level: Model, Setting: "shape_eight_bit", Enable: noShape, Help: "Whether weights and activations are fp8. Weights alone make products no faster."},
	{
		ID: "flops_counted", Title: "operations by vLLM's estimate", Unit: PerSecond, Level: Replica, Enable: noEstimates,
		Expr: `sum by ($replica) (rate(vllm:estimated_flops_per_gpu_total[$window])) and sum by ($replica) (vllm:estimated_flops_per_gpu_total) > 0`,
		Help: "Floating point operations of one GPU.",
		Trap: "The counters are there and stay 0 without --enable-mfu-metrics; they are estimates from the model's shape.",
	},
	{
		ID: "memory_traffic", Title: "bytes by vLLM's estimate", Unit: PerSecond, Level: Replica, Enable: noEstimates,
		Expr: `sum by ($replica) (rate(vllm:estimated_read_bytes_per_gpu_total[$window])) + sum by ($replica) (rate(vllm:estimated_write_bytes_per_gpu_total[$window])) and sum by ($replica) (vllm:estimated_read_bytes_per_gpu_total) > 0`,
		Help: "Bytes that one GPU reads and writes.",
		Trap: "The counters are there and stay 0 without --enable-mfu-metrics; they are estimates from the model's shape.",
	},
	{
		ID: "kv_number_share", Title: "bytes of a KV number, of 16 bits", Unit: Share, Level: Server,
		Expr: `0.5 * max by ($server) (vllm:cache_config_info{cache_dtype=~"fp8.*"}) or max by ($server) (vllm:cache_config_info)`,
		Help: "50 % with an fp8 KV cache.",
	},
	{
		// With weights in the precision of the arithmetic it is also the batch from which on arithmetic is the limit of decode.
		ID: "gpu_ridge", Title: "arithmetic per byte of bandwidth", Unit: Ratio, Level: Server,
		Formula: `sheet_flops16 / sheet_bandwidth`,
		Help:    "FLOP a byte by the data sheet, dense bf16: below 210 the GPU is rich in bandwidth (A100, H200), from 370 on in arithmetic (L40S, H100 PCIe).",
	},
}
