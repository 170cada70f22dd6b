package diagnose

import "strings"

// gpuLineSignals are what GPULine reads.
var gpuLineSignals = []string{
	"gpu_busy", "tensor_active", "gpu_temperature", "gpu_power_share", "gpu_clock", "gpu_clock_share", "gpu_slowdown", "gpu_thermal_reasons",
}

// GPULine says in one line how the GPUs of a subject are, also when that is normal: what is well is worth knowing when something
// else is not. It is empty where no GPU is known.
func (r *Report) GPULine(s Subject) string {
	var parts []string
	add := func(id, before, after string) {
		if f := r.Fact(id, s); f.Known() {
			parts = append(parts, before+f.Text()+after)
		}
	}
	if s.Level == Model || s.Level == Target {
		return ""
	}
	add("gpu_busy", "", " busy")
	add("tensor_active", "tensor pipe ", "")
	add("gpu_temperature", "", "")
	add("gpu_power_share", "", " of the power limit")
	add("gpu_clock", "clock ", "")
	add("gpu_clock_share", "", " of its highest")
	switch slow := r.Fact("gpu_slowdown", s); {
	case slow.Known() && slow.Value > 0.01:
		parts = append(parts, "held down by heat")
	case r.Fact("gpu_thermal_reasons", s).Known():
		parts = append(parts, "no thermal slowdown")
	}
	if age := r.Frozen("gpu_busy", s); age > 0 {
		parts = append(parts, Duration(age)+" old")
	}
	return strings.Join(parts, ", ")
}
