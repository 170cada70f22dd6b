package simulate

import (
	"math"
	"strconv"
)

// gpuFamily is a row of what dcgm-exporter shows, with the names and units of its releases up to 4.8. Fractions and watts
// are printed with six decimals, everything else as whole numbers.
type gpuFamily struct {
	name, help, kind string
	decimals         bool
	value            func(*gpu) float64
}

// gpuFamilies is the exporter's default set, and behind it rows that careful operators switch on.
func gpuFamilies() []gpuFamily {
	zero := func(*gpu) float64 { return 0 }
	percent := func(x float64) float64 { return math.Round(100 * x) }
	return []gpuFamily{
		{"DCGM_FI_DEV_SM_CLOCK", "SM clock (in MHz).", "gauge", false, func(g *gpu) float64 { return g.reading.clock }},
		{"DCGM_FI_DEV_MEM_CLOCK", "Memory clock (in MHz).", "gauge", false, func(*gpu) float64 { return 2619 }},
		{"DCGM_FI_DEV_MEMORY_TEMP", "Memory temperature (in C).", "gauge", false, func(g *gpu) float64 { return math.Round(g.reading.temperature + 9) }},
		{"DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", "gauge", false, func(g *gpu) float64 { return math.Round(g.reading.temperature) }},
		{"DCGM_FI_DEV_POWER_USAGE", "Power drawn (in W).", "gauge", true, func(g *gpu) float64 { return g.reading.power }},
		{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "Energy since boot (in mJ).", "counter", false, func(g *gpu) float64 { return math.Floor(g.reading.energy) }},
		{"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "PCIe retries.", "counter", false, zero},
		{"DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", "gauge", false, func(g *gpu) float64 { return percent(g.reading.share.busy) }},
		{"DCGM_FI_DEV_MEM_COPY_UTIL", "Memory utilization (in %).", "gauge", false, func(g *gpu) float64 { return percent(g.reading.share.memory) }},
		{"DCGM_FI_DEV_ENC_UTIL", "Encoder utilization (in %).", "gauge", false, zero},
		{"DCGM_FI_DEV_DEC_UTIL", "Decoder utilization (in %).", "gauge", false, zero},
		{"DCGM_FI_DEV_XID_ERRORS", "The last XID error.", "gauge", false, zero},
		{"DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB).", "gauge", false, func(g *gpu) float64 { return float64(g.memory-reservedMemory) - g.taken() }},
		{"DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", "gauge", false, func(g *gpu) float64 { return g.taken() }},
		{"DCGM_FI_DEV_FB_RESERVED", "Framebuffer memory reserved (in MiB).", "gauge", false, func(*gpu) float64 { return reservedMemory }},
		{"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "NVLink bandwidth of all lanes (in MB/s).", "counter", false, func(g *gpu) float64 { return math.Floor(g.reading.share.link / 1e6) }},
		{"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "Rows remapped for uncorrectable errors.", "counter", false, zero},
		{"DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", "Rows remapped for correctable errors.", "counter", false, zero},
		{"DCGM_FI_DEV_ROW_REMAP_FAILURE", "Whether remapping has failed.", "gauge", false, zero},
		{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Ratio of time the graphics engine is active.", "gauge", true, func(g *gpu) float64 { return g.reading.share.busy }},
		{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "Ratio of cycles the tensor pipe is active.", "gauge", true, func(g *gpu) float64 { return g.reading.share.tensor }},
		{"DCGM_FI_PROF_DRAM_ACTIVE", "Ratio of cycles the memory interface is active.", "gauge", true, func(g *gpu) float64 { return g.reading.share.memory }},
		{"DCGM_FI_PROF_PCIE_TX_BYTES", "PCIe bytes sent a second.", "gauge", false, func(g *gpu) float64 { return 1e6 + math.Floor(2e7*g.reading.share.busy+g.reading.share.pcie) }},
		{"DCGM_FI_PROF_PCIE_RX_BYTES", "PCIe bytes received a second.", "gauge", false, func(g *gpu) float64 { return 1e6 + math.Floor(4e7*g.reading.share.busy+g.reading.share.pcie) }},
		// Not in the default set:
		{"DCGM_FI_PROF_SM_ACTIVE", "Ratio of cycles an SM has a warp.", "gauge", true, func(g *gpu) float64 { return g.reading.share.sm }},
		{"DCGM_FI_PROF_SM_OCCUPANCY", "Ratio of resident warps.", "gauge", true, func(g *gpu) float64 { return 0.3 * g.reading.share.sm }},
		{"DCGM_FI_PROF_NVLINK_TX_BYTES", "NVLink bytes sent a second.", "gauge", false, func(g *gpu) float64 { return math.Floor(g.reading.share.link) }},
		{"DCGM_FI_PROF_NVLINK_RX_BYTES", "NVLink bytes received a second.", "gauge", false, func(g *gpu) float64 { return math.Floor(g.reading.share.link) }},
		{"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "Power limit in force (in W).", "gauge", true, func(g *gpu) float64 { return g.power }},
		{"DCGM_FI_DEV_MAX_SM_CLOCK", "Highest SM clock (in MHz).", "gauge", false, func(g *gpu) float64 { return g.clock }},
		{"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "Why the clock is lowered, as a bitmask.", "gauge", false, throttleReasons},
	}
}

// reservedMemory is what the driver keeps of a device's memory, in MiB.
const reservedMemory = 614

// throttleReasons is 0x1 for an idle device and 0x4 for one at its software power cap.
func throttleReasons(g *gpu) float64 {
	switch {
	case g.reading.share.busy < 0.01:
		return 1
	case g.reading.power > 0.97*g.power:
		return 4
	}
	return 0
}

// get is the answer of the exporter to GET /metrics.
func (h *host) get() Answer {
	if h.gone {
		return Answer{Refused: true}
	}
	return Answer{Page: h.page()}
}

// page is what the exporter's page says. It writes labels in an order of its own, and no ".0".
func (h *host) page() []byte {
	var text []byte
	for _, row := range gpuFamilies() {
		text = append(text, "# HELP "+row.name+" "+row.help+"\n# TYPE "+row.name+" "+row.kind+"\n"...)
		for i, g := range h.gpus {
			index := strconv.Itoa(i)
			text = append(text, row.name+`{gpu="`+index+`",UUID="`+g.uuid+`",pci_bus_id="`+g.bus+`",device="nvidia`+index+
				`",modelName="`+g.name+`",Hostname="`+h.name+`",DCGM_FI_DRIVER_VERSION="580.105.08"} `...)
			precision := 0
			if row.decimals {
				precision = 6
			}
			text = strconv.AppendFloat(text, row.value(g), 'f', precision, 64)
			text = append(text, '\n')
		}
	}
	return text
}
