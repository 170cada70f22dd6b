package simulate

// otherRequests changes what clients of a server send from now on. Traffic that comes later, by another fault, is not changed.
func otherRequests(index int, change func(l *load, strength float64)) fault {
	type changed struct {
		traffic *traffic
		before  load
	}
	return ofClients(index, func(s *server, strength float64) func() {
		var all []changed
		for _, t := range s.traffic {
			all = append(all, changed{t, t.load})
			change(&t.load, strength)
		}
		return func() {
			for _, c := range all {
				c.traffic.load = c.before
			}
		}
	})
}

// misfortune lets a mishap happen to a share of the requests, strength times as large, at most all.
func misfortune(index int, m mishap, share float64) fault {
	return otherRequests(index, func(l *load, strength float64) { l.mishap, l.mishaps = m, min(1, share*strength) })
}

// leak lets each request leave so many bytes behind in the API process.
func leak(index int, bytes float64) fault {
	return otherRequests(index, func(l *load, strength float64) { l.leaves = bytes * strength })
}
