package simulate

// restart ends a server's process and starts it again at once. Strength scales how long it loads.
func restart(index int) fault {
	return onServer(index, func(s *server, strength float64) func() {
		s.restart(s.loadTime() * strength)
		return nil
	})
}

// slowStart is a restart that finds the weights on a storage of so many bytes a second.
func slowStart(index int, storage float64) fault {
	return onServer(index, func(s *server, strength float64) func() {
		s.storage = storage / strength
		s.restart(s.loadTime())
		return nil
	})
}

// kill ends the processes of a server's engines.
func kill(index int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		s.engineDied()
		return nil
	})
}

// wedge stops the engines of a server: no step ends any more, their ranks wait for each other, and the API process knows
// nothing of it.
func wedge(index int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		for _, e := range s.frontend.engines {
			e.wedge()
		}
		return nil
	})
}

// hang stops the engines of a server on their host side: a lock that nobody gives back, a dead worker.
func hang(index int) fault {
	return onServer(index, func(s *server, _ float64) func() {
		for _, e := range s.frontend.engines {
			e.hang()
		}
		return nil
	})
}

// sleep puts the engines of a server to sleep while clients go on asking.
func sleep(index int, level sleepLevel) fault {
	return onServer(index, func(s *server, _ float64) func() {
		asleep := s.frontend
		for _, e := range asleep.engines {
			e.sleep(level)
		}
		return func() {
			for _, e := range asleep.engines {
				e.rouse()
			}
		}
	})
}
