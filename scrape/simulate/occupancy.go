package simulate

// occupancy is the share of the memory that a running engine takes of its devices: 0 without a process, rising while weights
// are read.
type occupancy struct {
	share       float64
	from, until float64 // when it begins to rise from nothing, and when it is there
}

// occupied is what a running engine has: weights, KV cache and buffers.
var occupied = occupancy{share: 1}

// at is the share at a time.
func (o occupancy) at(now float64) float64 {
	switch {
	case now >= o.until:
		return o.share
	case now <= o.from:
		return 0
	}
	return o.share * (now - o.from) / (o.until - o.from)
}
