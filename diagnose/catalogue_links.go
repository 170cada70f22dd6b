package diagnose

import "time"

// linkRows are about the links of a GPU: its PCIe slot and NVLink.
var linkRows = []Signal{
	{
		ID: "pcie_width", Title: "PCIe lanes", Unit: Count, Level: GPU, Across: Lowest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_PCIE_LINK_WIDTH < 1e6)`,
		Help: "The lanes that the link has now.",
	},
	{
		ID: "pcie_width_share", Title: "PCIe lanes of its most", Unit: Share, Level: GPU, Across: Lowest,
		Expr: `max by ($gpu) (DCGM_FI_DEV_PCIE_LINK_WIDTH < 1e6) / max by ($gpu) (DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH < 1e6)`,
		Help: "Below 1 when the link was trained with fewer lanes than GPU and slot have.",
	},
	{
		ID: "pcie_generation", Title: "PCIe generation", Unit: Count, Level: GPU, Across: Lowest,
		Expr: `max by ($gpu) (max_over_time(DCGM_FI_DEV_PCIE_LINK_GEN[$window]))`,
		Help: "The generation at which the link runs.",
		Trap: "It falls at rest, to save power.",
	},
	{
		ID: "pcie_generation_share", Title: "PCIe generation of its highest", Unit: Share, Level: GPU, Across: Lowest,
		Expr: `max by ($gpu) (max_over_time(DCGM_FI_DEV_PCIE_LINK_GEN[$window])) / max by ($gpu) (DCGM_FI_DEV_PCIE_MAX_LINK_GEN < 1e6)`,
		Help: "Below 1 when the link runs at a lower generation than GPU and slot have; ordinary at rest only.",
	},
	{
		ID: "pcie_replays", Title: "PCIe replays a minute", Unit: PerMinute, Level: GPU, Across: Highest, Window: 2 * time.Minute,
		Expr: `60 * max by ($gpu) (rate(DCGM_FI_DEV_PCIE_REPLAY_TOTAL[$window]))`,
		Help: "Packets that had to be sent again over PCIe.",
	},
	{
		ID: "pcie_replays_per_lane", Title: "PCIe replays expected of a lane", Unit: PerMinute, Level: GPU, Across: Highest,
		Formula: `pcie_generation`,
		Table:   map[int]float64{1: 0.15, 2: 0.3, 3: 0.48, 4: 0.96, 5: 1.92, 6: 3.84},
		Help:    "What DCGM's health check takes for ordinary, by generation.",
	},
	{
		ID: "pcie_replays_over", Title: "PCIe replays of those expected", Unit: Ratio, Level: GPU, Across: Highest,
		Formula: `pcie_replays / ceil(pcie_replays_per_lane * pcie_width) or pcie_replays / 62`,
		Help:    "Above 1 when more is sent again than DCGM's health check takes for ordinary: by generation and lanes, where those are not exported by the most of all, sixteen lanes of the sixth.",
	},
	{
		ID: "nvlink_crc_errors", Title: "NVLink CRC errors", Unit: PerSecond, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (rate(DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL[$window]))`,
		Help: "Flow-control packets that arrived damaged over NVLink.",
	},
	{
		ID: "nvlink_replays", Title: "NVLink replays and recoveries in 5 minutes", Unit: Count, Level: GPU, Across: Highest, Window: 5 * time.Minute,
		Expr: `max by ($gpu) (increase(DCGM_FI_DEV_NVLINK_REPLAY_TOTAL[$window])) + (max by ($gpu) (increase(DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL[$window])) or 0 * max by ($gpu) (DCGM_FI_DEV_NVLINK_REPLAY_TOTAL))
		       or max by ($gpu) (increase(DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL[$window]))`,
		Help: "How often NVLink had to send again or to be trained anew.",
	},
	{
		ID: "fabric_health", Title: "fabric health", Unit: Code, Level: GPU, Across: Highest,
		Words: map[int]string{0: "not applicable", 1: "healthy", 2: "unhealthy", 3: "limited"},
		Expr:  `max by ($gpu) (DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY < 1e6)`,
		Help:  "What the fabric manager says of the NVLink fabric of the GPU.",
	},
	{
		ID: "link_health", Title: "DCGM health of the links", Unit: Code, Level: GPU, Across: Highest,
		Words: map[int]string{0: "pass", 10: "warn", 20: "fail"},
		Expr:  `max by ($gpu) (DCGM_EXP_GPU_HEALTH_STATUS{health_watch=~"PCIE|NVLINK"})`,
		Help:  "DCGM's own checks of PCIe and NVLink.",
	},
	{
		ID: "p2p_missing", Title: "peers without NVLink", Unit: Count, Level: GPU, Across: Highest,
		Expr: `count by ($gpu) (DCGM_EXP_P2P_STATUS > 0) or 0 * max by ($gpu) (DCGM_EXP_P2P_STATUS)`,
		Help: "To how many other GPUs of the host it has no direct way.",
		Trap: "Often that is what the board is like, and nothing is broken.",
	},
	{
		// The link's rate in one direction, as data sheets name it, and all bytes of both against it: that is what "TX + RX" of "the
		// link" says, and NVLink is counted so too. Of both directions it would be half, and an all-reduce, which reaches half of a
		// slot (15 of 32 GB/s), could fill a step and stay below the threshold.
		ID: "pcie_share", Title: "PCIe bytes of the link", Unit: Share, Level: GPU, Across: Highest,
		Formula: `pcie_bytes / (pcie_lane_rate * pcie_width)`,
		Help:    "Bytes sent and received, of what the link can carry in one direction.",
	},
	{
		ID: "pcie_bytes", Title: "PCIe bytes a second", Unit: Bytes, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_PROF_PCIE_TX_BYTES[$window])) + max by ($gpu) (avg_over_time(DCGM_FI_PROF_PCIE_RX_BYTES[$window]))`,
		Help: "Sent and received over PCIe, headers included.",
	},
	{
		ID: "pcie_lane_rate", Title: "PCIe bytes a second of a lane", Unit: Bytes, Level: GPU, Across: Lowest,
		Formula: `pcie_generation`,
		Table:   map[int]float64{1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.97e9, 5: 3.94e9, 6: 7.56e9},
		Help:    "What a lane of the generation carries in one direction.",
	},
	{
		ID: "nvlink_bytes", Title: "NVLink bytes a second", Unit: Bytes, Level: GPU, Across: Highest,
		Expr: `max by ($gpu) (avg_over_time(DCGM_FI_PROF_NVLINK_TX_BYTES[$window]))`,
		Help: "Sent over NVLink.",
	},
	{
		ID: "nvlink_share", Title: "NVLink bytes of its rate", Unit: Share, Level: Server,
		Formula: `nvlink_bytes / sheet_nvlink`,
		Help:    "Bytes sent, of what NVLink carries in one direction; 0.77 is its practical ceiling.",
	},
}
