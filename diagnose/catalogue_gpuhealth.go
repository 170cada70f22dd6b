package diagnose

import "time"

// gpuHealthRows are about what holds a GPU back and what became of its memory: power, clocks beside those of others, faults.
var gpuHealthRows = []Signal{
	{
		ID: "gpu_power_brake", Title: "power brake", Unit: YesNo, Level: GPU, Across: Highest,
		Formula: `floor(gpu_clock_reasons / 128) % 2`,
		Help:    "1 when the power supply or the chassis asks the GPU to draw less at once (0x80): the clock is halved at least.",
	},
	{
		ID: "gpu_power_capped", Title: "power cap", Unit: YesNo, Level: GPU, Across: Highest,
		Formula: `floor(gpu_clock_reasons / 4) % 2`,
		Help:    "1 when the power limit holds the clock down (0x4). Alone, at full load, it is ordinary.",
	},
	{
		ID: "gpu_power_held_share", Title: "time held down by power", Unit: Share, Level: GPU, Across: Highest,
		Expr: `clamp_max(max by ($gpu) (rate(DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL[$window])), 1)`,
		Help: "The part of the time in which power held the clock down.",
	},
	{
		ID: "gpu_power_held", Title: "held down by power", Unit: Share, Level: GPU, Across: Highest,
		Formula: `gpu_power_held_share or gpu_power_capped`,
		Help:    "The part of the time in which power held the clock down; where the exporter does not tell it, 1 when the power cap is a reason now.",
	},
	{
		ID: "gpu_power_peak", Title: "power, highest of its limit", Unit: Share, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (max_over_time(DCGM_FI_DEV_BOARD_POWER_WATTS[$window])) / max by ($gpu) (DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS)`,
		Help: "The highest reading in the window: between two steps a GPU draws less, so that the mean stays below the limit that holds it.",
	},
	{
		ID: "gpu_power_limit_usual", Title: "usual power limit", Unit: Watts, Level: GPU, Window: time.Hour, Every: SlowInterval,
		Expr: `max by ($gpu) (DCGM_FI_DEV_BOARD_POWER_LIMIT_DEFAULT_WATTS)
		       or 0 * max by ($gpu) (DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS{modelName!=""}) + on(modelName) group_left max by (modelName) (max_over_time(DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS[$window]))
		       or max by ($gpu) (max_over_time(DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS[$window]))`,
		Help: "The limit by default; where it is not exported, the highest of the last hour among the watched GPUs of the product.",
	},
	{
		ID: "gpu_power_limit_kept", Title: "power limit of its usual", Unit: Share, Level: GPU, Across: Lowest,
		Formula: `gpu_power_limit / gpu_power_limit_usual`,
		Help:    "Below 1 somebody has lowered the limit.",
	},
	{
		ID: "gpu_other_reasons", Title: "reasons for a low clock", Unit: Count, Level: GPU, Across: Highest,
		Formula: `floor(gpu_clock_reasons / 4)`,
		Help:    "0 when no reason is given but rest (0x1) and set application clocks (0x2).",
	},
	{
		ID: "gpu_clock_highest", Title: "highest SM clock among them", Unit: Hertz, Level: GPU, Across: Highest,
		Formula: `gpu_clock`,
		Help:    "Of the GPUs of a server, the clock of the fastest.",
	},
	{
		ID: "gpu_clock_of_fastest", Title: "slowest clock of the fastest", Unit: Share, Level: Server,
		Formula: `gpu_clock / gpu_clock_highest`,
		Help:    "1 when all GPUs of the server have the same clock: the slowest sets the pace of a group.",
	},
	{
		ID: "gpu_least_busy", Title: "GPU busy, least", Unit: Share, Level: GPU, Across: Lowest,
		Formula: `gpu_busy`,
		Help:    "Of the GPUs of a server, the one that rests most.",
	},
	{
		ID: "gpu_memory_clock", Title: "memory clock", Unit: Hertz, Level: GPU, Across: Lowest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_MEMORY_CLOCK_HERTZ)`,
		Help: "The clock of the memory now.",
	},
	{
		ID: "gpu_memory_clock_best", Title: "memory clock of such GPUs, highest in 30 minutes", Unit: Hertz, Level: GPU, Window: 30 * time.Minute, Across: Lowest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_MEMORY_CLOCK_HERTZ{modelName!=""}) * 0 + on(modelName) group_left max by (modelName) (max_over_time(DCGM_FI_DEV_MEMORY_CLOCK_HERTZ[$window]))`,
		Help: "Of all watched GPUs of the product, itself included.",
	},
	{
		ID: "gpu_memory_clock_share", Title: "memory clock of its highest", Unit: Share, Level: GPU, Across: Lowest,
		Formula: `gpu_memory_clock / gpu_memory_clock_best`,
		Help:    "Below 1 under load, bytes come more slowly, and the interface is busy with fewer of them. It falls at rest.",
	},
	{
		ID: "memory_utilization_told", Title: "--gpu-memory-utilization", Unit: Share, Level: Server, Label: "gpu_memory_utilization",
		Expr: `max by ($server, gpu_memory_utilization) (vllm:cache_config_info{kv_cache_memory_bytes=~"|None"})`,
		Help: "The part of the memory that the server may take. Absent where --kv-cache-memory-bytes was set, which replaces it.",
	},
	{
		ID: "gpu_memory_of_others", Title: "GPU memory above the server's share", Unit: Share, Level: GPU, Across: Highest,
		Formula: `gpu_memory_share - memory_utilization_told`,
		Help:    "What is in use beyond --gpu-memory-utilization. Contexts and captured graphs take a few percent beside it.",
	},
	{
		ID: "gpu_memory_stranger", Title: "GPU memory of others", Unit: Bytes, Level: GPU, Across: Highest,
		Formula: `gpu_memory_of_others * gpu_memory_size`,
		Help:    "The same in bytes.",
	},
	{
		ID: "ecc_uncorrectable", Title: "uncorrectable memory errors", Unit: Count, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_ECC_DBE_VOL_TOTAL < 1e6)`,
		Help: "Double-bit errors since the driver was loaded or the GPU was reset.",
	},
	{
		ID: "ecc_uncorrectable_new", Title: "uncorrectable memory errors in an hour", Unit: Count, Level: GPU, Across: Highest, Window: time.Hour,
		Expr: `max by ($gpu) (increase(DCGM_FI_DEV_ECC_DBE_VOL_TOTAL[$window]))`,
		Help: "Double-bit errors in the last hour.",
	},
	{
		ID: "gpu_recovery_action", Title: "recovery action", Unit: Code, Level: GPU, Across: Highest,
		Words: map[int]string{0: "none", 1: "reset the GPU", 2: "reboot the node", 3: "drain its peers", 4: "drain and reset"},
		Expr:  `max by ($gpu) (DCGM_FI_DEV_GPU_RECOVERY_ACTION < 1e6)`,
		Help:  "What the driver says has to be done before the GPU can be used again.",
	},
	{
		ID: "gpu_health", Title: "DCGM health", Unit: Code, Level: GPU, Across: Highest,
		Words: map[int]string{0: "pass", 10: "warn", 20: "fail"},
		Expr:  `max by ($gpu) (DCGM_EXP_GPU_HEALTH_STATUS{health_watch!~"PCIE|NVLINK|THERMAL|POWER"})`,
		Help:  "The worst of DCGM's own checks of memory, multiprocessors, driver and the whole GPU.",
	},
	{
		ID: "gpu_gone", Title: "gone from its exporter", Unit: YesNo, Level: GPU, Across: Highest,
		Expr: `(group by ($gpu) (last_over_time(DCGM_FI_DEV_GPU_TEMP_CELSIUS[1h]))
		         unless on (cluster, job, instance, UUID) (last_over_time(DCGM_FI_DEV_GPU_TEMP_CELSIUS[2m]) or ` + gpuRowsNow + `)
		         and on (cluster, job, instance) (min_over_time(up[2m]) == 1))
		       or 0 * max by ($gpu) ` + gpuRowsNow,
		Help: "1 when its rows ended more than two minutes and less than an hour ago, while its exporter answers and shows other GPUs of the host.",
		Trap: "Slices are not judged: they come and go with how their device is divided.",
	},
	{
		ID: "gpu_gone_unproved", Title: "gone, and no XID before", Unit: YesNo, Level: GPU, Across: Highest,
		Formula: `gpu_gone * (1 - clamp_max(xid_turns or 0 * gpu_gone, 1))`,
		Help:    "1 when nothing but the missing rows speaks for a fault.",
	},
	{
		ID: "gpu_gone_served", Title: "gone, and its server goes on", Unit: PerSecond, Level: GPU, Across: Highest,
		Formula: `gpu_gone_unproved * served_anything`,
		Help:    "What its server serves all the same: it could not without the GPU.",
	},
	{
		ID: "gpu_gone_restarted", Title: "gone, and its exporter was away", Unit: YesNo, Level: GPU, Across: Highest,
		Formula: `gpu_gone_unproved * (1 - never_down)`,
		Help:    "1 when the exporter did not answer within the hour: it may have come back with other devices.",
	},
	{
		ID: "xid_lately", Title: "last XID of the hour", Unit: Code, Level: GPU, Across: Highest, Window: time.Hour, Every: SlowInterval, Words: xidWords,
		Expr: `max by ($gpu) (last_over_time(DCGM_FI_DEV_XID_ERROR[$window]))`,
		Help: "The last error the driver reported, also of a GPU that is gone.",
	},
}
