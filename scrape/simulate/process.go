package simulate

import (
	"math"
	"strconv"
)

// A server that has just loaded: its CPU, its open files. By judgement, after recorded servers.
const (
	registerSeconds = 12 // from when the families are registered until the server listens
	startCPUSeconds = 31.4
	idleDescriptors = 48
)

// ready is when the server registered its families, in seconds since the epoch: near the end of loading.
func (s *server) ready() float64 { return s.epoch + s.listens - registerSeconds }

// process writes what prometheus_client says of the Python process. It is missing when there are several.
func (s *server) process(e *exposition, now float64) {
	f := s.frontend
	generations := func(name, help string, start, rarer float64) { // garbage grows with the work done
		e.family(name, help, "counter")
		for i := range 3 {
			value := math.Floor((start + f.cpu*start/300) / math.Pow(rarer, float64(i)))
			e.sample(name, labels{"generation", strconv.Itoa(i)}, value)
		}
	}
	generations("python_gc_objects_collected_total", "Objects collected.", 14433, 5)
	generations("python_gc_objects_uncollectable_total", "Objects that cannot be collected.", 0, 1)
	generations("python_gc_collections_total", "Collections of this generation.", 1636, 11)
	e.family("python_info", "The Python platform.", "gauge")
	e.sample("python_info", labels{"implementation", "CPython", "major", "3", "minor", "12", "patchlevel", "11", "version", "3.12.11"}, 1)
	cpu := startCPUSeconds + f.cpu + idleCores*(now-s.listens)
	for _, row := range []struct {
		name, help, kind string
		value            float64
	}{
		{"process_virtual_memory_bytes", "Virtual memory in bytes.", "gauge", 31 << 30},
		{"process_resident_memory_bytes", "Resident memory in bytes.", "gauge", 1800<<20 + 256<<10*float64(len(f.open)) + f.leaked},
		{"process_start_time_seconds", "Start of the process in seconds since the epoch.", "gauge", ticks(s.epoch + s.started)},
		{"process_cpu_seconds_total", "User and system CPU time in seconds.", "counter", ticks(cpu)},
		{"process_open_fds", "Open file descriptors.", "gauge", idleDescriptors + float64(len(f.open))},
		{"process_max_fds", "Most file descriptors that may be open.", "gauge", 1 << 20},
	} {
		e.family(row.name, row.help, row.kind)
		e.sample(row.name, nil, row.value)
	}
}

// ticks rounds down to the kernel's hundredths of a second.
func ticks(seconds float64) float64 { return math.Floor(seconds*100) / 100 }
