package diagnose

import "time"

// hardwareRules ask whether the GPUs are well.
var hardwareRules = []Rule{
	{
		Code: "C1", Name: "GPU_THERMAL", Title: "GPU thermal limit", Level: GPU, Severity: Warning, Hold: time.Minute, CriticalHold: time.Minute,
		When: Any{
			Is{"gpu_slowdown", Above, 0.01, Judgement},
			All{Is{"gpu_temperature", AtLeast, 83, Stated(communitySet)}, Is{"gpu_clock_share", Below, 0.9, Judgement}, Is{"gpu_busy", AtLeast, 0.1, Judgement}},
		},
		Critical:   Any{Is{"gpu_hardware_slowdown", AtLeast, 1, Stated("NVML clock event reasons")}},
		Explains:   map[Match][]string{ServedGPU: {"D3", "D4", "D7", "E1", "E2", "E4", "E5", "E6"}},
		Sentence:   "Heat holds the clock at {gpu_clock} ({gpu_clock_share} of its highest) at {gpu_temperature}.",
		Evidence:   []string{"gpu_clock", "gpu_temperature", "gpu_power", "gpu_busy"},
		Confidence: 0.85,
		Actions: []Action{
			{Now, "move traffic away; look at airflow, fans and inlet temperature", "gpu_clock_share"},
			{Now, "set a lower power limit that it can hold (nvidia-smi -pl), and file a hardware ticket", "gpu_temperature"},
		},
		Settle: "the inlet temperature at the board's management controller",
		Source: "NVML clock event reasons; DCGM health checks",
	},
	{
		Code: "C3", Name: "GPU_FAULT", Title: "GPU fault", Level: GPU, Severity: Warning,
		When: Any{
			All{Is{"xid_changes", AtLeast, 1, Stated("dcgm-exporter #500")}, Is{"xid_severity", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Is{"row_remap_failed", AtLeast, 1, Stated("NVIDIA XID catalogue")},
		},
		Critical: Any{
			All{Is{"xid_changes", AtLeast, 1, Stated("dcgm-exporter #500")}, Is{"xid_severity", AtLeast, 2, Stated("NVIDIA XID catalogue")}},
			Is{"row_remap_failed", AtLeast, 1, Stated("NVIDIA XID catalogue")},
		},
		Explains: map[Match][]string{ServedGPU: {"B1", "B4", "B5", "D7", "E1", "E4", "E6", "F4"}},
		Cases: []Case{{
			If:       All{Is{"xid_changes", AtLeast, 1, Stated("dcgm-exporter #500")}, Is{"xid_severity", AtLeast, 1, Stated("NVIDIA XID catalogue")}},
			Name:     "new XID",
			Sentence: "The driver reported XID {xid} within the last hour.",
			Actions: []Action{
				{Now, "drain the server; read the kernel log (dmesg -T | grep -i xid) and follow NVIDIA's action for this XID: restart the program, reset the GPU, or reboot", "xid_changes"},
			},
		}},
		Sentence:   "A bad row of the GPU's memory could not be replaced by a spare one.",
		Evidence:   []string{"xid", "row_remap_failed", "gpu_busy"},
		Confidence: 0.9,
		Actions: []Action{
			{Now, "drain the server and have the GPU replaced; nvidia-smi -q -d ROW_REMAPPER shows what failed", "row_remap_failed"},
		},
		Settle: "the kernel log; dcgmi diag -r 2 on the drained GPU",
		Source: "NVIDIA XID catalogue",
	},
}
