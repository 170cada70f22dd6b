package simulate

// slowNetwork leaves a server so many bytes a second for KV: RDMA does not come up, and the transfers take another way.
func slowNetwork(index int, bandwidth float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		before := s.link.bandwidth
		s.link.bandwidth = bandwidth / strength
		return func() { s.link.bandwidth = before }
	})
}

// failingTransfers lets a share of the transfers of a server fail.
func failingTransfers(index int, share float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		s.link.failing = min(1, share*strength)
		return func() { s.link.failing = 0 }
	})
}
