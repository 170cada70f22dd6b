package simulate

// Loading, by judgement after current servers: what it takes beside the weights (imports, compilation, KV profiling, graph
// capture), the part of that which comes before them, and a local NVMe disk.
const (
	startSeconds = 75
	importShare  = 0.25
	localStorage = 2e9 // bytes a second
)

// loadTime is how long a process takes from its start until it listens.
func (d deployment) loadTime() float64 {
	bytes := 0.0
	for _, m := range d.models {
		bytes += m.weights()
	}
	storage := d.storage
	if storage == 0 {
		storage = localStorage
	}
	return startSeconds + bytes/storage
}

// fillMemory is a load of so many seconds as the devices see it: nothing, the weights as they come, then nothing new until
// the KV cache is allocated at the end.
func (s *server) fillMemory(loading float64) {
	others := min(startSeconds, loading)
	from := s.agenda.now + importShare*others
	for _, h := range s.hardware {
		weights := h.model.weights() / (float64(h.devices*h.memory) * (1 << 20) * s.flags.memoryUtilization)
		h.occupancy = occupancy{share: weights, from: from, until: from + loading - others}
	}
}
