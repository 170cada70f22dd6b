package simulate

// slowLink makes what a host answers come at so many bytes a second.
func slowLink(index int, bandwidth float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		before := s.machine.uplink
		s.machine.uplink = bandwidth / strength
		return func() { s.machine.uplink = before }
	})
}

// blindRestart starts a server anew in such a way that the process which answers /metrics does not share the files of the
// one that observes the engines: the families are there, and nobody writes to them.
func blindRestart(index int) fault {
	return onServer(index, func(s *server, strength float64) func() {
		again := func(blind bool) {
			s.blind = blind
			s.restart(s.loadTime() * strength)
		}
		again(true)
		return func() { again(false) }
	})
}

// frozenPage puts a proxy before a server's page that repeats for ever what it fetched once.
func frozenPage(index int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		s.proxy = s.page(s.agenda.now)
		return func() { s.proxy = nil }
	})
}

// loseExporter ends the GPU exporter of a server's host.
func loseExporter(index int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		s.machine.gone = true
		return func() { s.machine.gone = false }
	})
}

// staleExporter makes the GPU exporter of a server's host repeat its last reading, as it does when its host engine was
// started anew.
func staleExporter(index int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		s.machine.stale = true
		return func() { s.machine.stale = false }
	})
}
