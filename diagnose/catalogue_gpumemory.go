package diagnose

import "time"

// gpuMemoryRows are about the memory of one GPU. vLLM takes nearly all of it when it starts, so that it says how far a start has come,
// and nothing of the load.
var gpuMemoryRows = []Signal{
	{
		ID: "gpu_memory_used", Title: "GPU memory used", Unit: Bytes, Level: GPU,
		Expr: `max by ($gpu) (DCGM_FI_DEV_FB_USED_BYTES < 1e15)`,
		Help: "By all processes on the GPU.",
		Trap: "vLLM takes its share at the start: it says nothing of the load.",
	},
	{
		ID: "gpu_memory_size", Title: "GPU memory", Unit: Bytes, Level: GPU,
		Expr: `max by ($gpu) (DCGM_FI_DEV_FB_CAPACITY_BYTES < 1e15) or max by ($gpu) (DCGM_FI_DEV_FB_USED_BYTES < 1e15) + max by ($gpu) (DCGM_FI_DEV_FB_FREE_BYTES < 1e15) + (max by ($gpu) (DCGM_FI_DEV_FB_RESERVED_BYTES < 1e15) or 0 * max by ($gpu) (DCGM_FI_DEV_FB_USED_BYTES < 1e15))`,
		Help: "All of it, what the driver keeps included.",
	},
	{
		ID: "gpu_memory_share", Title: "GPU memory used of all", Unit: Share, Level: GPU,
		Formula: `gpu_memory_used / gpu_memory_size`,
		Help:    "By all processes on the GPU.",
	},
	{
		ID: "gpu_memory_taken_for", Title: "GPU memory taken for", Unit: Seconds, Level: GPU, Across: Lowest, Window: time.Hour,
		Expr: `time() - max by ($gpu) (max_over_time(timestamp(DCGM_FI_DEV_FB_USED_BYTES < 1.6e9)[$window:15s]))`,
		Help: "How long ago no more was in use than a driver and a context take; absent when that was not within the hour.",
	},
	{
		// The medians of two minutes that begin two minutes apart: an exporter repeats a reading for half a minute.
		ID: "gpu_memory_growth", Title: "growth of GPU memory, a second", Unit: Bytes, Level: GPU, Window: 3 * time.Minute,
		Expr: `(max by ($gpu) (quantile_over_time(0.5, DCGM_FI_DEV_FB_USED_BYTES[1m])) - max by ($gpu) (quantile_over_time(0.5, DCGM_FI_DEV_FB_USED_BYTES[1m] offset 2m))) / 120`,
		Help: "Bytes a second by which the memory in use grows: while weights are read, how fast the storage gives them.",
	},
}
