package simulate

// otherRequests changes what clients of a server send from now on.
func otherRequests(index int, change func(l *load, strength float64)) fault {
	return onServer(index, func(s *server, strength float64) func() {
		var before []load
		for _, t := range s.traffic {
			before = append(before, t.load)
			change(&t.load, strength)
		}
		return func() {
			for i, t := range s.traffic {
				t.load = before[i]
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
