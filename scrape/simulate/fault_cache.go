package simulate

// sessions are clients with a long context each, which together hold most of the KV cache of a small server. The stronger,
// the shorter: contexts come and go faster.
func sessions(index, clients int) fault {
	l := load{
		name: "sessions", clients: clients, think: 0.2, maxTokens: 6000,
		prompt: lengths{15000, 0.1, 12000, 18000}, output: lengths{4000, 0.2, 2000, 6000},
	}
	return ofClients(index, func(s *server, strength float64) func() {
		l := l
		l.output.median /= strength
		t := s.send(l)
		return func() { t.stopped = true }
	}, l)
}

// fill lets other tenants of a server's store take all of it but a share. What was there goes.
func fill(index int, share float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		before := s.store.tokens
		s.store.tokens = int(float64(before) * share / strength)
		s.store.fit()
		return func() { s.store.tokens = before }
	})
}

// hotter is sampling at a higher temperature, which agrees less often with the drafter: other proposals stand.
func hotter(index int, acceptance float64) fault {
	return otherRequests(index, func(l *load, strength float64) { l.acceptance = acceptance / strength })
}
