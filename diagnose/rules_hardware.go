package diagnose

import "time"

// slowed are the findings that a slow GPU makes for the servers that use it.
var slowed = []string{"C6", "D3", "D4", "D7", "D9", "E1", "E2", "E4", "E5", "E6", "I4", "I5"}

// goneActions tell a GPU that fell off the bus from one that its exporter does not show.
var goneActions = []Action{
	{Now, "`nvidia-smi -L` on the host: where the GPU is missing or said to be lost, drain the server, read the kernel log (`dmesg -T | grep -i xid`), and reset the GPU or reboot", "gpu_gone"},
	{Now, "where nvidia-smi shows it well, restart dcgm-exporter, and look at the devices that it is given and at the MIG setting", "gpu_gone"},
}

// hardwareRules ask whether the GPUs are well.
var hardwareRules = []Rule{
	{
		Code: "C1", Name: "GPU_THERMAL", Title: "GPU thermal limit", Level: GPU, Severity: Warning, Hold: time.Minute, CriticalHold: time.Minute,
		When: Any{
			Also{Is{"gpu_slowdown", Above, 0.01, Judgement}},
			All{Is{"gpu_temperature", AtLeast, 83, Stated(communitySet)}, Is{"gpu_clock_share", Below, 0.9, Judgement}, Is{"gpu_busy", AtLeast, 0.1, Judgement}},
		},
		Critical:   Any{Is{"gpu_hardware_slowdown", AtLeast, 1, Stated("NVML clock event reasons")}},
		Explains:   map[Match][]string{ServedGPU: slowed},
		RuledOut:   []Because{{"C2", "gpu_power_brake"}, {"C5", "gpu_other_reasons"}},
		Sentence:   "Heat holds the clock at {gpu_clock} ({gpu_clock_share} of its highest) at {gpu_temperature}.",
		Evidence:   []string{"gpu_clock", "gpu_temperature", "gpu_power", "gpu_busy"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "move traffic away; look at airflow, fans and inlet temperature", "gpu_clock_share"},
			{Now, "set a lower power limit that it can hold, where it draws {gpu_power} now (`nvidia-smi -i {gpu} -pl WATTS`), and file a hardware ticket", "gpu_temperature"},
		},
		Settle: "the inlet temperature at the board's management controller",
		Source: "NVML clock event reasons; DCGM health checks",
	},
	{
		Code: "C3", Name: "GPU_FAULT", Title: "GPU fault", Level: GPU, Severity: Warning,
		When: Any{
			All{Is{"xid_changes", AtLeast, 1, Stated("dcgm-exporter #500")}, Is{"xid_severity", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Also{Is{"row_remap_failed", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Also{Is{"ecc_uncorrectable", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Also{Is{"gpu_recovery_action", AtLeast, 1, Stated("NVML GPU recovery action")}},
			Also{Is{"gpu_health", AtLeast, 20, Stated("DCGM health checks")}},
			Is{"gpu_gone", AtLeast, 1, Judgement},
		},
		// A server that goes on serving has its GPU, whatever the exporter shows.
		Mild:    All{Is{"gpu_gone_served", Above, 0, Judgement}},
		Against: []Is{{"gpu_gone_unproved", AtLeast, 1, Judgement}, {"gpu_gone_served", Above, 0, Judgement}, {"gpu_gone_restarted", AtLeast, 1, Judgement}},
		Critical: Any{
			All{Is{"xid_changes", AtLeast, 1, Stated("dcgm-exporter #500")}, Is{"xid_severity", AtLeast, 2, Stated("NVIDIA XID catalogue")}},
			Is{"row_remap_failed", AtLeast, 1, Stated("NVIDIA XID catalogue")},
			// An old one waits for a reset at a quiet hour.
			Is{"ecc_uncorrectable_new", AtLeast, 1, Judgement},
			Is{"gpu_recovery_action", AtLeast, 1, Stated("NVML GPU recovery action")},
			Is{"gpu_health", AtLeast, 20, Stated("DCGM health checks")},
		},
		Explains: map[Match][]string{ServedGPU: {"B1", "B4", "B5", "C6", "D7", "E1", "E4", "E5", "E6", "F4", "I4"}},
		Cases: []Case{{
			If:       All{Is{"gpu_gone_unproved", AtLeast, 1, Judgement}, Is{"gpu_gone_served", Above, 0, Judgement}},
			Name:     "or lost by its exporter",
			Sentence: "Its rows have ended, while its exporter answers and shows the other GPUs of the host. Its server goes on serving ({served_anything}), which it could not without the GPU: rather the exporter has lost it.",
			Actions:  goneActions,
		}, {
			If:       All{Is{"gpu_gone_unproved", AtLeast, 1, Judgement}, Is{"gpu_gone_restarted", AtLeast, 1, Judgement}},
			Name:     "or an exporter with other devices",
			Sentence: "Its rows have ended, and its exporter, which was away within the hour, shows the other GPUs of the host: the GPU fell off the bus, or the exporter came back with fewer devices (its options, MIG set up anew, a pod that moved).",
			Actions:  goneActions,
		}, {
			If:       All{Is{"gpu_gone_unproved", AtLeast, 1, Judgement}},
			Name:     "or taken from its exporter",
			Sentence: "Its rows have ended, while its exporter answers and shows the other GPUs of the host: the GPU fell off the bus (XID 79), or was taken from the exporter (MIG set up anew, other devices, a pod that moved). Metrics cannot tell which.",
			Actions:  goneActions,
		}, {
			If:       All{Is{"gpu_gone", AtLeast, 1, Judgement}},
			Name:     "gone after an XID",
			Sentence: "Its rows have ended after the driver reported XID {xid_lately}, while its exporter answers and shows the other GPUs of the host.",
			Actions:  goneActions,
		}, {
			If:       All{Is{"xid_changes", AtLeast, 1, Stated("dcgm-exporter #500")}, Is{"xid_severity", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Name:     "new XID",
			Sentence: "The driver reported XID {xid} within the last hour.",
			Actions: []Action{
				{Now, "drain the server; read the kernel log (`dmesg -T | grep -i xid`) and follow NVIDIA's action for this XID: restart the program, reset the GPU, or reboot", "xid_changes"},
			},
		}, {
			If:       All{Also{Is{"row_remap_failed", Below, 1, Judgement}}, Is{"gpu_recovery_action", AtLeast, 1, Stated("NVML GPU recovery action")}},
			Name:     "recovery wanted",
			Sentence: "The driver wants the GPU recovered: {gpu_recovery_action}.",
			Actions: []Action{
				{Now, "drain the server and do what the driver asks; the kernel log has the XID behind it", "gpu_recovery_action"},
			},
		}, {
			If:       All{Also{Is{"row_remap_failed", Below, 1, Judgement}}, Is{"ecc_uncorrectable", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Name:     "uncorrectable memory errors",
			Sentence: "The GPU's memory had {ecc_uncorrectable} uncorrectable errors since its last reset.",
			Actions: []Action{
				{Now, "drain the server and reset the GPU (`nvidia-smi --gpu-reset -i {gpu}`), which remaps the row; have it replaced when they come back", "ecc_uncorrectable"},
			},
		}, {
			If:       All{Also{Is{"row_remap_failed", Below, 1, Judgement}}, Is{"gpu_health", AtLeast, 20, Stated("DCGM health checks")}},
			Name:     "health check failed",
			Sentence: "DCGM's own health check of the GPU fails.",
			Actions: []Action{
				{Now, "drain the server; `dcgmi health -c` says which check failed", "gpu_health"},
			},
		}},
		Sentence:   "A bad row of the GPU's memory could not be replaced by a spare one.",
		Evidence:   []string{"xid", "row_remap_failed", "ecc_uncorrectable", "gpu_recovery_action", "gpu_health", "gpu_busy"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "drain the server and have the GPU replaced; `nvidia-smi -i {gpu} -q -d ROW_REMAPPER` shows what failed", "row_remap_failed"},
		},
		Settle: "the kernel log, and nvidia-smi on the host; `dcgmi diag -r 2` on the drained GPU",
		Source: "NVIDIA XID catalogue",
	},
	{
		Code: "C2", Name: "GPU_POWER", Title: "GPU held down by power", Level: GPU, Severity: Information, Hold: 2 * time.Minute, CriticalHold: 30 * time.Second,
		When: Any{
			Is{"gpu_power_brake", AtLeast, 1, Stated("NVML clock event reasons")},
			All{
				Is{"gpu_clock_share", Below, 0.85, Judgement},
				Any{
					Is{"gpu_power_held", Above, 0.2, Judgement},
					All{Is{"gpu_power_capped", AtLeast, 1, Stated("NVML clock event reasons")}, Is{"gpu_power_peak", AtLeast, 0.95, Judgement}},
				},
				// Dense arithmetic at the board's own limit lowers the clock of a healthy GPU: that is compute (D7).
				Any{Is{"tensor_active", Below, 0.4, Judgement}, Is{"gpu_power_limit_kept", Below, 0.9, Judgement}},
			},
		},
		Critical: Any{Is{"gpu_power_brake", AtLeast, 1, Stated("NVML clock event reasons")}},
		Explains: map[Match][]string{ServedGPU: slowed},
		RuledOut: []Because{{"C1", "gpu_temperature"}, {"C5", "gpu_other_reasons"}},
		Cases: []Case{{
			If:       All{Is{"gpu_power_brake", AtLeast, 1, Stated("NVML clock event reasons")}},
			Name:     "power brake",
			Sentence: "The power supply or the chassis brakes the GPU: its clock is {gpu_clock} ({gpu_clock_share} of its highest) at {gpu_power} (limit {gpu_power_limit}).",
			Actions: []Action{
				{Now, "look at power supplies, the rack's power budget and the management controller's log: one of them asserts the brake", "gpu_power_brake"},
				{Now, "move traffic away until it is released", "gpu_clock_share"},
			},
		}, {
			If:       All{Is{"gpu_power_limit_kept", Below, 0.9, Judgement}},
			Name:     "lowered power limit",
			Sentence: "The power limit is {gpu_power_limit}, where {gpu_power_limit_usual} is usual: under load the clock falls to {gpu_clock} ({gpu_clock_share} of its highest).",
			Actions: []Action{
				{Now, "set the limit back to {gpu_power_limit_usual} (`nvidia-smi -i {gpu} -pl {gpu_power_limit_usual}`), unless the rack cannot feed it", "gpu_clock_share"},
			},
		}},
		Sentence:   "The power limit ({gpu_power_limit}) holds the clock at {gpu_clock} ({gpu_clock_share} of its highest), without dense arithmetic ({gpu_power_held} of the time).",
		Evidence:   []string{"gpu_power", "gpu_power_share", "gpu_power_limit", "tensor_active", "gpu_temperature", "gpu_busy"},
		Confidence: 0.75,
		Actions: []Action{
			{Now, "compare the limit in force over the fleet (`nvidia-smi -q -d POWER`), and set back what is lower", "gpu_power_limit"},
		},
		Settle: "`nvidia-smi -i {gpu} -q -d POWER,PERFORMANCE` on the host",
		Source: "NVML clock event reasons",
	},
	{
		Code: "C5", Name: "CLOCK_LOCKED", Title: "clock locked low", Level: GPU, Severity: Warning, Hold: 5 * time.Minute,
		When: All{
			Is{"gpu_busy", AtLeast, 0.5, Judgement},
			Is{"gpu_clock_share", Below, 0.8, Judgement},
			Is{"gpu_other_reasons", AtMost, 0, Stated("NVML clock event reasons")},
		},
		Mild:       serverInTime,
		Explains:   map[Match][]string{ServedGPU: slowed},
		RuledOut:   []Because{{"C1", "gpu_temperature"}, {"C2", "gpu_power_brake"}},
		Sentence:   "The clock stays at {gpu_clock} ({gpu_clock_share} of its highest) while the GPU is {gpu_busy} busy, and neither heat nor power is the reason: somebody has locked it.",
		Evidence:   []string{"gpu_clock_reasons", "gpu_temperature", "gpu_power_share"},
		Confidence: 0.75,
		Actions: []Action{
			{Now, "`nvidia-smi -i {gpu} -q -d CLOCK` shows locked and application clocks; take them back: `nvidia-smi -i {gpu} -rgc; nvidia-smi -i {gpu} -rac`", "gpu_clock_share"},
			{Now, "look for a power profile or a MIG setting that an experiment left behind", "gpu_clock_share"},
		},
		Settle: "`nvidia-smi -i {gpu} -q -d CLOCK,PERFORMANCE` on the host",
		Source: "NVML clock event reasons",
	},
	{
		Code: "C7", Name: "FOREIGN_LOAD", Title: "somebody else on the GPU", Level: GPU, Severity: Warning, Hold: 5 * time.Minute,
		When: Any{
			All{
				Is{"gpu_busy", Above, 0.2, Judgement},
				// A busy minute may lie before the first scrape.
				Is{"watched_seconds", AtLeast, 60, Judgement},
				Is{"in_engine_highest", AtMost, 0, InSource},
				Is{"served_anything", AtMost, 0, InSource},
				// Requests that are stuck before the scheduler are the engine's trouble (B4).
				Also{Is{"hidden", Below, 3, Measured}},
				// The ranks of a mixture of experts compute along while another has requests (H4).
				Is{"ranks_running", AtMost, 0, InSource},
			},
			// Contexts and captured graphs come on top of the server's share: some gigabytes, whatever the size of the GPU.
			All{Is{"gpu_memory_of_others", Above, 0.05, Judgement}, Is{"gpu_memory_stranger", AtLeast, 3 << 30, Judgement}},
		},
		Mild:     serverInTime,
		Explains: map[Match][]string{ServedGPU: slowed},
		Cases: []Case{{
			If:       All{Is{"gpu_memory_of_others", Above, 0.05, Judgement}, Is{"gpu_memory_stranger", AtLeast, 3 << 30, Judgement}},
			Name:     "memory of another program",
			Sentence: "{gpu_memory_share} of the GPU's memory is in use, where the server may take {memory_utilization_told}: about {gpu_memory_stranger} belong to somebody else, who may compute there too ({gpu_busy} busy).",
		}},
		Sentence:   "The GPU is {gpu_busy} busy while its server has had no request for a minute: another program computes there.",
		Evidence:   []string{"gpu_memory_used", "gpu_power_share", "sm_active", "in_engine"},
		Confidence: 0.6,
		Actions: []Action{
			{Now, "`nvidia-smi --query-compute-apps=gpu_uuid,pid,name,used_memory --format=csv` lists who is there; move one of them", "gpu_memory_used"},
			{Restart, "give the server the GPU alone: exclusive compute mode (`nvidia-smi -i {gpu} -c 3`), or a MIG slice for each", "gpu_busy"},
		},
		Settle: "`nvidia-smi pmon -c 1` on the host",
		Source: "NVML process list; vLLM's source: memory is taken at the start",
	},
}
