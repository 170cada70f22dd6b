package simulate

// fault is something that happens to one server of a scenario at its onset.
type fault struct {
	server int    // index
	loads  []load // that it brings
	strike func(s *server, strength float64)
}

// moreLoad adds a kind of traffic to what a server gets.
func moreLoad(index int, l load) fault {
	return fault{index, []load{l}, func(s *server, strength float64) { s.send(l.times(strength)) }}
}

// otherLoad replaces all traffic of a server. Requests under way are still served.
func otherLoad(index int, l load) fault {
	return fault{index, []load{l}, func(s *server, strength float64) {
		for _, t := range s.traffic {
			t.stopped = true
		}
		s.send(l.times(strength))
	}}
}

// wedge stops the engines of a server: no step ends any more, their ranks wait for each other, and the API process knows
// nothing of it.
func wedge(index int) fault {
	return fault{index, nil, func(s *server, _ float64) {
		for _, e := range s.frontend.engines {
			e.wedge()
		}
	}}
}
