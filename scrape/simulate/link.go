package simulate

// carry is an answer as it arrives over the host's link to whoever scrapes.
func (h *host) carry(a Answer) Answer {
	if h.link > 0 {
		a.After += duration(float64(len(a.Page)) / h.link)
	}
	return a
}
