package simulate

import (
	"fmt"
	"math"
)

// exporter is a release of dcgm-exporter as a number that can be compared: 4.6 is 4006. Its image is tagged with the release
// of DCGM before it: 4.4.1-4.6.0.
type exporter int

// The releases that the simulator speaks: 3.1 as an ordinary installation has it, the others with rows that careful
// operators switch on.
const (
	exporter31 exporter = 3001
	exporter46 exporter = 4006 // with the bus in the labels
	exporter48 exporter = 4008 // no XID series before the first XID (dcgm-exporter #700)
	exporter49 exporter = 4009 // other names, base units, and hostname instead of Hostname
)

// parseExporter reads one of the releases that the simulator speaks; "" is 4.6.
func parseExporter(text string) (exporter, error) {
	switch text {
	case "3.1":
		return exporter31, nil
	case "", "4.6":
		return exporter46, nil
	case "4.8":
		return exporter48, nil
	case "4.9":
		return exporter49, nil
	}
	return 0, fmt.Errorf("dcgm-exporter release %q is not simulated: take 3.1, 4.6, 4.8 or 4.9", text)
}

// gpuUnit is the unit of a row up to 4.8, the unit from 4.9 on, and how many of the new one the old one is.
type gpuUnit struct {
	old, new string
	factor   float64
	decimals bool // six of them are printed, otherwise whole numbers
}

var (
	noUnit      = gpuUnit{factor: 1}
	celsius     = gpuUnit{"C", "C", 1, false}
	watts       = gpuUnit{"W", "W", 1, true}
	megahertz   = gpuUnit{"MHz", "Hz", 1e6, false}
	millijoules = gpuUnit{"mJ", "J", 1e-3, false}
	percent     = gpuUnit{"%", "0 to 1", 0.01, false}
	fraction    = gpuUnit{factor: 1, decimals: true}
	mebibytes   = gpuUnit{"MiB", "bytes", 1 << 20, false}
	megabytes   = gpuUnit{"MB/s", "bytes/s", 1e6, false}
	nanoseconds = gpuUnit{"ns", "s", 1e-9, false}
)

// gpuFamily is a row of what dcgm-exporter shows: its name up to 4.8 and from 4.9 on.
type gpuFamily struct {
	name, later, help, kind string
	unit                    gpuUnit
	slices                  bool // shown for MIG slices too, the board's figure where they have none of their own
	value                   func(*gpu) float64
}

// ofRelease is a row's name, its help and what its value is multiplied with.
func (f gpuFamily) ofRelease(e exporter) (name, help string, factor float64, decimals bool) {
	unit, factor, decimals, name := f.unit.old, 1.0, f.unit.decimals, f.name
	if e >= exporter49 {
		unit, factor, name = f.unit.new, f.unit.factor, f.later
		decimals = decimals || factor < 1
	}
	help = f.help
	if unit != "" {
		help += " (in " + unit + ")"
	}
	return name, help + ".", factor, decimals
}

// gpuFamilies are the rows of a release: the default set, and behind it rows that careful operators switch on. The names of
// 4.9 are those of its release notes; which rows a slice has is as recorded of an A100.
func gpuFamilies(e exporter) []gpuFamily {
	families := defaultFamilies(e)
	if e > exporter31 {
		families = append(families, optionalFamilies()...)
	}
	return families
}

func zero(*gpu) float64 { return 0 }

func percentage(x float64) float64 { return math.Round(100 * x) }

func defaultFamilies(e exporter) []gpuFamily {
	return []gpuFamily{
		{"DCGM_FI_DEV_SM_CLOCK", "DCGM_FI_DEV_SM_CLOCK_HERTZ", "SM clock", "gauge", megahertz, true, func(g *gpu) float64 { return g.reading.clock }},
		{"DCGM_FI_DEV_MEM_CLOCK", "DCGM_FI_DEV_MEMORY_CLOCK_HERTZ", "Memory clock", "gauge", megahertz, true, func(g *gpu) float64 { return g.reading.memoryClock }},
		{"DCGM_FI_DEV_MEMORY_TEMP", "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS", "Memory temperature", "gauge", celsius, true, func(g *gpu) float64 { return math.Round(g.reading.temperature + 9) }},
		{"DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_TEMP_CELSIUS", "GPU temperature", "gauge", celsius, true, func(g *gpu) float64 { return math.Round(g.reading.temperature) }},
		{"DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_BOARD_POWER_WATTS", "Power drawn", "gauge", watts, true, func(g *gpu) float64 { return g.reading.power }},
		{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL", "Energy since boot", "counter", millijoules, true, func(g *gpu) float64 { return g.reading.energy }},
		{"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "DCGM_FI_DEV_PCIE_REPLAY_TOTAL", "PCIe retries", "counter", noUnit, true, zero},
		{"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_GPU_UTIL_RATIO", "GPU utilization", "gauge", percent, false, func(g *gpu) float64 { return percentage(g.reading.second.busy) }},
		{"DCGM_FI_DEV_MEM_COPY_UTIL", "DCGM_FI_DEV_MEMORY_UTIL_RATIO", "Memory utilization", "gauge", percent, false, func(g *gpu) float64 { return percentage(min(1, g.reading.second.memory)) }},
		{"DCGM_FI_DEV_ENC_UTIL", "DCGM_FI_DEV_ENC_UTIL_RATIO", "Encoder utilization", "gauge", percent, false, zero},
		{"DCGM_FI_DEV_DEC_UTIL", "DCGM_FI_DEV_DEC_UTIL_RATIO", "Decoder utilization", "gauge", percent, false, zero},
		{"DCGM_FI_DEV_XID_ERRORS", "DCGM_FI_DEV_XID_ERROR", "The last XID error", "gauge", noUnit, true, func(g *gpu) float64 { return g.lastXID(e) }},
		{"DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_FB_FREE_BYTES", "Framebuffer memory free", "gauge", mebibytes, true, func(g *gpu) float64 { return g.size() - g.reserved() - g.reading.taken }},
		{"DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_USED_BYTES", "Framebuffer memory used", "gauge", mebibytes, true, func(g *gpu) float64 { return g.reading.taken }},
		{"DCGM_FI_DEV_FB_RESERVED", "DCGM_FI_DEV_FB_RESERVED_BYTES", "Framebuffer memory reserved", "gauge", mebibytes, true, func(g *gpu) float64 { return g.reservedSince(e) }},
		{"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "DCGM_FI_DEV_NVLINK_THROUGHPUT_BYTES_PER_SECOND", "NVLink bandwidth of all lanes", "counter", megabytes, true, func(g *gpu) float64 { return math.Floor(g.reading.share.nvlink / 1e6) }},
		{"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", "Rows remapped for uncorrectable errors", "counter", noUnit, false, zero},
		{"DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", "DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL", "Rows remapped for correctable errors", "counter", noUnit, false, zero},
		{"DCGM_FI_DEV_ROW_REMAP_FAILURE", "DCGM_FI_DEV_ROW_REMAP_FAILED", "Whether remapping has failed", "gauge", noUnit, false, zero},
		{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", "Ratio of time the graphics engine is active", "gauge", fraction, true, func(g *gpu) float64 { return g.reading.share.busy }},
		{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_PROF_TENSOR_UTIL_RATIO", "Ratio of cycles the tensor pipe is active", "gauge", fraction, true, func(g *gpu) float64 { return g.reading.share.tensor }},
		{"DCGM_FI_PROF_DRAM_ACTIVE", "DCGM_FI_PROF_DRAM_UTIL_RATIO", "Ratio of cycles the memory interface is active", "gauge", fraction, true, func(g *gpu) float64 { return g.reading.share.memory }},
		{"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_PROF_PCIE_TX_BYTES", "PCIe bytes sent a second", "gauge", noUnit, false, func(g *gpu) float64 { return 1e6 + math.Floor(2e7*g.reading.share.busy+g.reading.share.pcie) }},
		{"DCGM_FI_PROF_PCIE_RX_BYTES", "DCGM_FI_PROF_PCIE_RX_BYTES", "PCIe bytes received a second", "gauge", noUnit, false, func(g *gpu) float64 { return 1e6 + math.Floor(4e7*g.reading.share.busy+g.reading.share.pcie) }},
	}
}

func optionalFamilies() []gpuFamily {
	seconds := func(x float64) float64 { return math.Floor(1e9 * x) }
	return []gpuFamily{
		{"DCGM_FI_PROF_SM_ACTIVE", "DCGM_FI_PROF_SM_UTIL_RATIO", "Ratio of cycles an SM has a warp", "gauge", fraction, true, func(g *gpu) float64 { return g.reading.share.sm }},
		{"DCGM_FI_PROF_SM_OCCUPANCY", "DCGM_FI_PROF_SM_OCCUPANCY_RATIO", "Ratio of resident warps", "gauge", fraction, true, func(g *gpu) float64 { return 0.3 * g.reading.share.sm }},
		{"DCGM_FI_PROF_NVLINK_TX_BYTES", "DCGM_FI_PROF_NVLINK_TX_BYTES", "NVLink bytes sent a second", "gauge", noUnit, false, func(g *gpu) float64 { return math.Floor(g.reading.share.nvlink) }},
		{"DCGM_FI_PROF_NVLINK_RX_BYTES", "DCGM_FI_PROF_NVLINK_RX_BYTES", "NVLink bytes received a second", "gauge", noUnit, false, func(g *gpu) float64 { return math.Floor(g.reading.share.nvlink) }},
		{"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", "Power limit in force", "gauge", watts, true, func(g *gpu) float64 { return g.reading.limit }},
		{"DCGM_FI_DEV_MAX_SM_CLOCK", "DCGM_FI_DEV_MAX_SM_CLOCK_HERTZ", "Highest SM clock", "gauge", megahertz, true, func(g *gpu) float64 { return g.clock }},
		{"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "Why the clock is lowered, as a bitmask", "gauge", noUnit, true, func(g *gpu) float64 { return float64(g.reading.reasons) }},
		{"DCGM_FI_DEV_POWER_VIOLATION", "DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL", "Time that power held the clock down", "counter", nanoseconds, true, func(g *gpu) float64 { return seconds(g.reading.powerHeld) }},
		{"DCGM_FI_DEV_THERMAL_VIOLATION", "DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL", "Time that heat held the clock down", "counter", nanoseconds, true, func(g *gpu) float64 { return seconds(g.reading.heatHeld) }},
		{"DCGM_FI_DEV_PCIE_MAX_LINK_GEN", "DCGM_FI_DEV_PCIE_MAX_LINK_GEN", "Highest PCIe generation", "gauge", noUnit, true, func(g *gpu) float64 { return float64(g.generation) }},
		{"DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH", "DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH", "Most PCIe lanes", "gauge", noUnit, true, func(*gpu) float64 { return fullWidth }},
		{"DCGM_FI_DEV_PCIE_LINK_GEN", "DCGM_FI_DEV_PCIE_LINK_GEN", "PCIe generation now", "gauge", noUnit, true, func(g *gpu) float64 { return float64(g.reading.generation) }},
		{"DCGM_FI_DEV_PCIE_LINK_WIDTH", "DCGM_FI_DEV_PCIE_LINK_WIDTH", "PCIe lanes now", "gauge", noUnit, true, func(g *gpu) float64 { return float64(g.reading.lanes) }},
	}
}

// lastXID is blank before the first XID where the exporter says so.
func (g *gpu) lastXID(e exporter) float64 {
	if g.reading.xid == 0 && e >= exporter48 {
		return math.NaN()
	}
	return float64(g.reading.xid)
}

// reservedSince is blank for exporters that do not have it yet.
func (g *gpu) reservedSince(e exporter) float64 {
	if e < exporter46 {
		return math.NaN()
	}
	return g.reserved()
}

// reserved is what the driver keeps of a device's memory, in MiB: 614 of an H100's 81,559.
func (g *gpu) reserved() float64 { return math.Round(614 * g.size() / 81559) }
