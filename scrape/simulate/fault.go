package simulate

// fault is something that happens to servers of a scenario at its onset. What strike returns puts it right; nil means that
// nothing can.
type fault struct {
	servers []int  // their indices
	loads   []load // that it brings to each of them
	strike  func(f *Fleet, strength float64) (relieve func())
	at      func(index int) fault // the same for another server, of what clients do; nil where it happens to the server itself
}

// onServer is a fault of one server.
func onServer(index int, strike func(s *server, strength float64) (relieve func()), loads ...load) fault {
	return fault{
		servers: []int{index}, loads: loads,
		strike: func(f *Fleet, strength float64) func() { return strike(f.servers[index], strength) },
	}
}

// ofClients is a fault that comes to a server with its requests.
func ofClients(index int, strike func(s *server, strength float64) (relieve func()), loads ...load) fault {
	f := onServer(index, strike, loads...)
	f.at = func(index int) fault { return ofClients(index, strike, loads...) }
	return f
}

// moreLoad adds a kind of traffic to what a server gets.
func moreLoad(index int, l load) fault {
	return ofClients(index, func(s *server, strength float64) func() {
		t := s.send(l.times(strength))
		return func() { t.stopped = true }
	}, l)
}

// otherLoad replaces all traffic of a server. Requests under way are still served.
func otherLoad(index int, l load) fault {
	return ofClients(index, func(s *server, strength float64) func() {
		before := s.traffic
		s.traffic = nil
		stop(before)
		s.send(l.times(strength))
		return func() {
			stop(s.traffic)
			s.traffic = nil
			for _, t := range before {
				s.send(t.load)
			}
		}
	}, l)
}

func stop(all []*traffic) {
	for _, t := range all {
		t.stopped = true
	}
}
