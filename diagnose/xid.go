package diagnose

// xidSeverity rates NVIDIA's XID errors: 2 the GPU or its link is at fault, 1 it may be, 0 it is not (NVIDIA's XID catalogue, as
// tabulated by leptonai/gpud in October 2025; DCGM's diagnostics fail on 48, 74, 79, 95, 119, 120 and 140).
var xidSeverity = map[int]float64{
	0: 0, 13: 1, 31: 1, 43: 1, 45: 0, 46: 2, 48: 2, 62: 2, 63: 1, 64: 2, 69: 1, 74: 2, 79: 2, 92: 1, 94: 1, 95: 2, 109: 2, 119: 2,
	120: 2, 136: 2, 137: 2, 140: 2, 143: 2, 144: 2, 145: 2, 146: 2, 147: 2, 148: 2, 149: 2, 150: 2, 154: 1, 155: 2, 156: 2, 158: 2,
	160: 2, 161: 2, 167: 2, 168: 2,
}

// xidWords says in plain words what an XID means.
var xidWords = map[int]string{
	13: "engine exception, usually software", 31: "memory fault, usually software", 43: "stopped by an application error",
	45: "clean-up after another error", 46: "GPU stopped processing", 48: "double-bit ECC error", 62: "internal micro-controller halt",
	63: "memory row remapped, reset later", 64: "memory row remap failed", 69: "class error, usually software", 74: "NVLink error",
	79: "GPU fell off the bus", 92: "high single-bit error rate", 94: "contained ECC error", 95: "uncontained ECC error",
	109: "context switch time-out", 119: "GPU system processor does not answer", 120: "GPU system processor error", 136: "fatal link error", 137: "NVLink privilege error",
	140: "unrecovered ECC error", 143: "GPU initialisation error", 154: "recovery action changed",
}

// graveXIDs are those at which the GPU or its link is at fault, as they are.
var graveXIDs = func() map[int]float64 {
	grave := map[int]float64{}
	for code, severity := range xidSeverity {
		if severity >= 2 {
			grave[code] = float64(code)
		}
	}
	return grave
}()
