package scrape

import (
	"bytes"
	"math"
)

// Units of vllmscope_unit{family,unit}.
const (
	unitPercent = "percent" // 0 to 100
	unitRatio   = "ratio"   // 0 to 1
)

// isAmbiguous says whether a name does not tell its unit: field 203 of DCGM 4.6 shows these as percent, fields 1613 to
// 1616 of DCGM 4.7 as a ratio, and dcgm-exporter gives both the same names (its release notes 4.9.0).
func isAmbiguous(name string) bool {
	switch name {
	case "DCGM_FI_DEV_GPU_UTIL_RATIO", "DCGM_FI_DEV_MEMORY_UTIL_RATIO",
		"DCGM_FI_DEV_ENC_UTIL_RATIO", "DCGM_FI_DEV_DEC_UTIL_RATIO":
		return true
	}
	return false
}

// unitOfValue decides by a value: no ratio is over 1.5, and field 203, the percent, is a whole number. 0 and 1 leave
// it open, and so do DCGM's marks for "blank", which are far over 100.
func unitOfValue(v float64) string {
	switch {
	case v > 1.5 && v <= 100:
		return unitPercent
	case v > 0 && v < 1 && v != math.Trunc(v):
		return unitRatio
	}
	return ""
}

// unitOfHelp decides by the help text, if it speaks of a unit.
func unitOfHelp(help []byte) string {
	help = bytes.ToLower(help)
	switch {
	case bytes.Contains(help, []byte("%")), bytes.Contains(help, []byte("percent")):
		return unitPercent
	case bytes.Contains(help, []byte("ratio")), bytes.Contains(help, []byte("fraction")), bytes.Contains(help, []byte("0.0")):
		return unitRatio
	}
	return ""
}
