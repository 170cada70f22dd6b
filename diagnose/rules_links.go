package diagnose

import "time"

// linkRules ask whether the links of a GPU are what they could be.
var linkRules = []Rule{
	{
		Code: "C4", Name: "LINK_DEGRADED", Title: "link degraded", Level: GPU, Severity: Warning, Hold: 2 * time.Minute,
		When: Any{
			// At rest a link saves power.
			All{
				Is{"gpu_busy", AtLeast, 0.3, Judgement},
				Any{Is{"pcie_width_share", Below, 1, Stated("DCGM health checks")}, Is{"pcie_generation_share", Below, 1, Stated("DCGM health checks")}},
			},
			Also{Is{"pcie_replays_over", Above, 1, Stated("DCGM health checks")}},
			Also{Is{"nvlink_crc_errors", AtLeast, 100, Stated("DCGM health checks")}},
			Also{Is{"nvlink_replays", Above, 0, Stated("DCGM health checks")}},
			Also{Is{"fabric_health", AtLeast, 2, Stated("NVML fabric health")}},
			Also{Is{"link_health", AtLeast, 20, Stated("DCGM health checks")}},
		},
		// Lanes that are missing hurt no more than they do today; errors on a link do not stay what they are.
		Mild: append(All{
			Also{Is{"pcie_replays_over", AtMost, 1, Stated("DCGM health checks")}},
			Also{Is{"nvlink_crc_errors", Below, 100, Stated("DCGM health checks")}},
			Also{Is{"nvlink_replays", AtMost, 0, Stated("DCGM health checks")}},
			Also{Is{"fabric_health", Below, 2, Stated("NVML fabric health")}},
			Also{Is{"link_health", Below, 20, Stated("DCGM health checks")}},
		}, serverInTime...),
		Explains: map[Match][]string{ServedGPU: slowed},
		Cases: []Case{{
			If:       All{Is{"gpu_busy", AtLeast, 0.3, Judgement}, Is{"pcie_width_share", Below, 1, Stated("DCGM health checks")}},
			Name:     "lanes are missing",
			Sentence: "The PCIe link has {pcie_width} lanes, {pcie_width_share} of what GPU and slot have: every exchange over it waits.",
		}, {
			If:       All{Is{"gpu_busy", AtLeast, 0.3, Judgement}, Is{"pcie_generation_share", Below, 1, Stated("DCGM health checks")}},
			Name:     "a lower PCIe generation",
			Sentence: "The PCIe link runs at generation {pcie_generation} under load, {pcie_generation_share} of what GPU and slot have.",
		}, {
			If:       All{Is{"pcie_replays_over", Above, 1, Stated("DCGM health checks")}},
			Name:     "PCIe replays",
			Sentence: "Packets are sent again over PCIe: {pcie_replays}, {pcie_replays_over} times what is ordinary.",
		}},
		Sentence:   "NVLink is not well: {nvlink_crc_errors} CRC errors, {nvlink_replays} replays and recoveries in five minutes, fabric {fabric_health}.",
		Evidence:   []string{"pcie_width", "pcie_generation", "pcie_replays", "pcie_share", "p2p_missing", "gpu_busy"},
		Confidence: 0.8,
		Actions: []Action{
			{Now, "move the tensor-parallel group off this GPU", "gpu_busy"},
			{Now, "drain it, reset the GPU, reseat card or cable; have it replaced when the link comes up short again; look at ACS and IOMMU settings", "pcie_width_share"},
		},
		Settle: "`nvidia-smi -i {gpu} --query-gpu=pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max --format=csv; nvidia-smi nvlink -e`, and what the slot can do against what it does: `lspci -vv | grep -e NVIDIA -e LnkCap: -e LnkSta:`",
		Source: "DCGM health checks",
	},
}
