package diagnose

import "time"

// gpuRows are about one GPU; a server reads them over all of its GPUs.
var gpuRows = []Signal{
	{
		ID: "gpu_busy", Title: "GPU busy", Unit: Share, Level: GPU,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO[$window])) or max by ($gpu) (avg_over_time(DCGM_FI_DEV_GPU_UTIL_RATIO[$window]))`,
		Help: "The part of the time in which anything ran on the GPU.",
		Trap: "A duty cycle: one request and a full batch both read near 100 %, and so does a hang in a collective.",
	},
	{
		ID: "sm_active", Title: "SM active", Unit: Share, Level: GPU,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_PROF_SM_UTIL_RATIO[$window]))`,
		Help: "The part of the multiprocessors with a warp resident; one that waits for memory counts.",
	},
	{
		ID: "tensor_active", Title: "tensor pipe", Unit: Share, Level: GPU,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_PROF_TENSOR_UTIL_RATIO[$window]))`,
		Help: "The part of the cycles in which the tensor pipe worked: high in prefill, below 0.2 in decode.",
	},
	{
		ID: "dram_active", Title: "memory interface", Unit: Share, Level: GPU,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_PROF_DRAM_UTIL_RATIO[$window]))`,
		Help: "The part of the cycles in which the memory interface moved data; about 0.8 is the practical peak.",
	},
	{
		ID: "gpu_power", Title: "power", Unit: Watts, Level: GPU,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_DEV_BOARD_POWER_WATTS[$window]))`,
		Help: "What the board draws.",
	},
	{
		ID: "gpu_power_limit", Title: "power limit", Unit: Watts, Level: GPU,
		Expr: `max by ($gpu) (DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS)`,
		Help: "What the board may draw.",
	},
	{
		ID: "gpu_power_share", Title: "power of limit", Unit: Share, Level: GPU,
		Formula: `gpu_power / gpu_power_limit`,
		Help:    "Near 1 a GPU does dense arithmetic; spinning kernels do not heat.",
	},
	{
		ID: "gpu_clock", Title: "SM clock", Unit: Hertz, Level: GPU, Across: Lowest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_SM_CLOCK_HERTZ)`,
		Help: "The clock of the multiprocessors now. Low while idle is normal.",
	},
	{
		ID: "gpu_clock_max", Title: "highest SM clock", Unit: Hertz, Level: GPU, Across: Lowest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_MAX_SM_CLOCK_HERTZ)`,
		Help: "The clock that the GPU can have.",
	},
	{
		ID: "gpu_clock_best", Title: "SM clock, highest in 30 minutes", Unit: Hertz, Level: GPU, Window: 30 * time.Minute, Across: Lowest,
		Expr: `max by ($gpu) (max_over_time(DCGM_FI_DEV_SM_CLOCK_HERTZ[$window]))`,
		Help: "The clock that the GPU had lately, where its highest is not exported.",
	},
	{
		ID: "gpu_clock_share", Title: "clock of its highest", Unit: Share, Level: GPU, Across: Lowest,
		Formula: `gpu_clock / (gpu_clock_max or gpu_clock_best)`,
		Help:    "How much of its clock the GPU has now.",
	},
	{
		ID: "gpu_temperature", Title: "temperature", Unit: Celsius, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_GPU_TEMP_CELSIUS)`,
		Help: "Of the GPU's core.",
	},
	{
		ID: "gpu_clock_reasons", Title: "clock event reasons", Unit: Code, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (max_over_time(DCGM_FI_DEV_CLOCKS_EVENT_REASONS[$window]))`,
		Help: "NVML's bit mask of what holds the clock down.",
	},
	{
		ID: "gpu_thermal_reasons", Title: "thermal slowdown", Unit: Count, Level: GPU, Across: Highest,
		Formula: `gpu_hardware_slowdown + floor(gpu_clock_reasons / 32) % 2`,
		Help:    "How many of the reasons hardware slowdown (0x8, unless the power brake 0x80 asks for it), software thermal (0x20) and hardware thermal (0x40) are set.",
	},
	{
		ID: "gpu_thermal_share", Title: "time in thermal slowdown", Unit: Share, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (rate(DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL[$window]))`,
		Help: "The part of the time in which heat held the clock down.",
	},
	{
		ID: "gpu_slowdown", Title: "held down by heat", Unit: Share, Level: GPU, Across: Highest,
		Formula: `clamp_max(gpu_thermal_reasons, 1) or gpu_thermal_share`,
		Help:    "1 when a thermal reason is set, else the part of the time in thermal slowdown.",
	},
	{
		ID: "gpu_hardware_slowdown", Title: "hardware slowdown", Unit: Count, Level: GPU, Across: Highest,
		Formula: `floor(gpu_clock_reasons / 8) % 2 * (1 - floor(gpu_clock_reasons / 128) % 2) + floor(gpu_clock_reasons / 64) % 2`,
		Help:    "How many of hardware slowdown (0x8) and hardware thermal (0x40) are set: the clock is halved at least. NVML sets 0x8 for the power brake (0x80) too, which is no heat.",
	},
	{
		ID: "xid", Title: "last XID", Unit: Code, Level: GPU, Across: Highest, Words: xidWords,
		Expr: `max by ($gpu) (DCGM_FI_DEV_XID_ERROR)`,
		Help: "The number of the last error the driver reported.",
		Trap: "It stays for ever: only a change is news. The same number again shows in DCGM_EXP_XID_ERRORS_TOTAL alone.",
	},
	{
		ID: "xid_changes", Title: "new XID in an hour", Unit: Count, Level: GPU, Across: Highest,
		Formula: `xid_turns + xid_first`,
		Help:    "How often the last error became another one, or the first.",
	},
	{
		ID: "xid_turns", Title: "changes of the XID in an hour", Unit: Count, Level: GPU, Across: Highest, Window: time.Hour,
		Expr: `max by ($gpu) (changes(DCGM_FI_DEV_XID_ERROR[$window]) or changes(DCGM_EXP_XID_ERRORS_TOTAL[$window]))`,
		Help: "How often the last error became another one, or came again where the exporter counts errors (4.8.3 or newer).",
	},
	{
		ID: "xid_first", Title: "first XID in an hour", Unit: YesNo, Level: GPU, Across: Highest, Window: time.Hour,
		Expr: `clamp_max((max by ($gpu) (DCGM_FI_DEV_XID_ERROR) unless max by ($gpu) (DCGM_FI_DEV_GPU_TEMP_CELSIUS or DCGM_FI_DEV_BOARD_POWER_WATTS))
		         and max by ($gpu) (last_over_time(DCGM_FI_DEV_GPU_TEMP_CELSIUS[$window]) or last_over_time(DCGM_FI_DEV_BOARD_POWER_WATTS[$window])), 1)
		       or clamp_max(clamp_min(max by ($gpu) (count_over_time(DCGM_FI_DEV_GPU_TEMP_CELSIUS[$window])) - max by ($gpu) (count_over_time(DCGM_FI_DEV_XID_ERROR[$window])) - 3, 0), 1)
		       or 0 * max by ($gpu) (DCGM_FI_DEV_XID_ERROR)`,
		Help: "1 when the error came up on an exporter that shows none before the first, or is all that is left of the GPU.",
		Trap: "dcgm-exporter shows no XID before the first one since 4.8.",
	},
	{
		ID: "xid_severity", Title: "severity of the XID", Unit: Count, Level: GPU, Across: Highest, Table: xidSeverity,
		Formula: `xid`,
		Help:    "2 when the GPU or its link is at fault, 1 when it may be, 0 for clean-up noise.",
	},
	{
		ID: "xid_grave", Title: "last XID, time not known", Unit: Code, Level: GPU, Across: Highest, Words: xidWords, Table: graveXIDs,
		Formula: `xid`,
		Help:    "The last error the driver reported, where it is one that stops a GPU. It may be of today or of last month.",
		Trap:    "No proof of a fault now: the exporter keeps it until it is started anew. The kernel log has its time.",
	},
	{
		ID: "row_remap_failed", Title: "row remap failed", Unit: YesNo, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_ROW_REMAP_FAILED)`,
		Help: "1 when a bad memory row could not be replaced: the GPU wants replacing.",
	},
	{
		ID: "gpu_samples", Title: "fresh GPU samples", Unit: Count, Level: GPU, Across: Lowest, Window: 2 * time.Minute,
		Expr: `1 + max by ($gpu) (changes(DCGM_FI_DEV_BOARD_POWER_WATTS[$window]))
		       and max by ($gpu) (DCGM_FI_DEV_BOARD_POWER_WATTS offset 90s)`,
		Help: "How many different power readings the last two minutes had, once three intervals of the exporter have passed (30 s each by default).",
	},
	{
		ID: "gpu_unchanged_for", Title: "since the readings changed last", Unit: Seconds, Level: GPU, Across: Highest, Window: time.Hour,
		Expr: `time() - (max by ($gpu) (` + lastChange(`changes(DCGM_FI_DEV_BOARD_POWER_WATTS[$moment])`) +
			`) or min by ($gpu) (min_over_time(timestamp(DCGM_FI_DEV_BOARD_POWER_WATTS)[$window:15s])))`,
		Help: "How long ago the power of the GPU moved, to a quarter of a minute and an hour at most; where it did not, how long it has been watched.",
	},
}
