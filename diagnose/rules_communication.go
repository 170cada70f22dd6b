package diagnose

import "time"

// communicationRules ask whether GPUs wait for each other.
var communicationRules = []Rule{
	{
		Code: "D9", Name: "COMM_BOUND", Title: "bound by the links between GPUs", Level: Replica, Severity: Warning, Hold: 3 * time.Minute,
		When: All{
			Is{"gpus", AtLeast, 2, InSource},
			Is{"moves", AtLeast, 1, Judgement},
			Is{"gpu_busy", AtLeast, 0.9, Judgement},
			Is{"tensor_active", Below, 0.15, Judgement},
			Is{"dram_active", Below, 0.35, Judgement},
			Is{"sm_active", Below, 0.5, Stated(dcgmGuide)},
			// One slow GPU makes the others spin (C6).
			Is{"gpu_clock_of_fastest", AtLeast, 0.9, Judgement},
			Any{Is{"pcie_share", AtLeast, 0.3, Judgement}, Is{"nvlink_share", AtLeast, 0.5, Judgement}},
		},
		Mild:     tokensInTime,
		Supports: []Is{{"p2p_missing", AtLeast, 1, Judgement}},
		Explains: map[Match][]string{SameReplica: {"D3", "D4", "E1", "E2", "E4", "E5", "I4"}, SameModel: {"E6"}, SameServer: {"D6", "F3", "I5"}},
		RuledOut: []Because{{"D8", "gpu_busy"}, {"C4", "pcie_width_share"}, {"C6", "gpu_clock_of_fastest"}, {"D7", "tensor_active"}},
		Cases: []Case{{
			If:       All{Is{"nvlink_share", AtLeast, 0.5, Judgement}},
			Sentence: "The GPUs wait for each other: {gpu_busy} busy, but {sm_active} of the multiprocessors and {dram_active} of the memory interface at work, with {nvlink_share} of NVLink's rate in use.",
		}},
		Sentence:   "The GPUs wait for each other: {gpu_busy} busy, but {sm_active} of the multiprocessors and {dram_active} of the memory interface at work, with {pcie_share} of the PCIe link in use. The all-reduces cross the slot.",
		Evidence:   []string{"gpus", "itl_average", "pcie_width", "pcie_generation", "gpu_clock_of_fastest", "gpu_power_share", "tokens_per_step"},
		Confidence: 0.65,
		Actions: []Action{
			{Now, "send shorter prompts, or fewer: what crosses the links grows with the tokens of a step", "sm_active"},
			{Restart, "less tensor parallelism and more replicas, or pipeline stages across slow links; keep a group inside one NVLink domain", "sm_active"},
			{Restart, "see whether peer access and vLLM's own all-reduce are on (the log says why not); batch more to spread the latency", "sm_active"},
		},
		Settle: "`nvidia-smi topo -m` and nccl-tests' all_reduce_perf on the host",
		Source: "NVIDIA DCGM feature overview; vLLM optimisation guide",
	},
}
