package simulate

// moreRouted adds a kind of traffic to what comes through a router of the scenario.
func moreRouted(index int, servers []int, l load) fault {
	return fault{servers: servers, loads: []load{l}, strike: func(f *Fleet, strength float64) func() {
		before := f.routed[index]
		t := f.beside(before, l.times(strength))
		return func() { t.stopped = true }
	}}
}

// otherRouted replaces the traffic that comes through a router of the scenario.
func otherRouted(index int, servers []int, l load) fault {
	return fault{servers: servers, loads: []load{l}, strike: func(f *Fleet, strength float64) func() {
		before := f.routed[index]
		before.stopped = true
		t := f.beside(before, l.times(strength))
		return func() {
			t.stopped = true
			f.beside(before, before.load)
		}
	}}
}

// scaleOut answers a demand that grows: servers that stood by join a router, and its clients think for less time.
func scaleOut(index int, joining []int, busier float64) fault {
	return fault{servers: joining, strike: func(f *Fleet, strength float64) func() {
		t := f.routed[index]
		t.think /= busier * strength
		for _, i := range joining {
			t.router.join(f.servers[i])
		}
		return nil
	}}
}

// rollOut restarts the servers of a router one after another, as planned work does: a server gets nothing new, finishes what it
// has, starts anew, is warmed up by requests of its own, and takes part again.
func rollOut(index int, servers []int, warmUp load) fault {
	return fault{servers: servers, loads: []load{warmUp}, strike: func(f *Fleet, _ float64) func() {
		f.replace(f.routed[index].router, servers, warmUp)
		return nil
	}}
}

// How long a server is given to finish, and how long it is warmed up, by judgement.
const (
	drainSeconds  = 60
	warmUpSeconds = 45
)

// replace is the roll-out of the first of these servers, and then of the others.
func (f *Fleet) replace(way *router, servers []int, warmUp load) {
	if len(servers) == 0 {
		return
	}
	s := f.servers[servers[0]]
	way.leave(s)
	f.agenda.after(drainSeconds, func() { s.restart(s.loadTime()) })
	var warming *traffic
	f.agenda.after(drainSeconds+s.loadTime()+1, func() { warming = s.send(warmUp) })
	f.agenda.after(drainSeconds+s.loadTime()+warmUpSeconds, func() {
		warming.stopped = true
		way.join(s)
		f.replace(way, servers[1:], warmUp)
	})
}
