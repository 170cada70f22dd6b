package diagnose

import "math"

// A pool is what servers that do the same work for a model tell of its users: those that write answers, or those that compute prompts
// for them. NaN never enters: what a server does not tell is left out.
type pool struct {
	late, apart     portion // first tokens that came late, requests with tokens too far apart
	errors, refused portion // HTTP requests that failed in the server or were turned away, and that it refused as wrong
	left            portion // HTTP requests whose client left
	came            sum     // requests that ended, however they did, a second
	finished        sum     // requests that engines finished, a second
}

// addReplica adds what an engine tells, as far as its model has objectives.
func (p *pool) addReplica(r *Report, s Subject) {
	if o := r.Settings.Objective(s.Model); o.TTFT > 0 {
		p.late.add(r.inWindow("ttft_over_slo", s))
	}
	if o := r.Settings.Objective(s.Model); o.TPOT > 0 {
		p.apart.add(r.inWindow("tpot_over_slo", s))
	}
	p.finished.add(r.inWindow("requests_per_minute", s).Value / 60)
}

// addServer adds what an API process tells. A call with several prompts is one HTTP request, and several that the engines finish.
func (p *pool) addServer(r *Report, server Subject) {
	read := func(id string) float64 { return r.inWindow(id, server).Value }
	all, finished, failed := read("http_all"), read("server_finished"), read("http_server_errors")
	if turnedAway := read("refused_in_stream"); turnedAway > 0 {
		failed += turnedAway // a streamed answer is an HTTP 200, whatever is in it
	}
	left := read("left")
	if r.blind(server) {
		left = math.NaN() // all would have left, by counts of finished requests that stand still
	}
	if math.IsNaN(all) || all < finished {
		p.came.add(finished)
	} else {
		p.came.add(all)
	}
	for _, of := range []struct {
		portion *portion
		some    float64
	}{{&p.errors, failed}, {&p.refused, read("http_client_errors")}, {&p.left, left}} {
		of.portion.low.add(of.some)
		of.portion.high.add(of.some)
		of.portion.n.add(all)
	}
}

// A crowd is the users of one model. Where prompts are computed apart, each of their requests passes a server of either pool.
type crowd struct {
	objective      SLO
	prefill, write pool
}

// crowds lists the users of each model, and those of each server that shows no engine.
func (r *Report) crowds() []*crowd {
	var all []*crowd
	known, pools := map[Subject]*crowd{}, map[Subject]*pool{}
	of := func(key Subject) *crowd {
		if known[key] == nil {
			known[key] = &crowd{objective: r.Settings.Objective(key.Model)}
			all = append(all, known[key])
		}
		return known[key]
	}
	writes := map[Subject]bool{} // models that have a server of which is not known that it only computes prompts
	for _, s := range r.Replicas {
		writes[s.At(Model)] = writes[s.At(Model)] || !r.prefills(s)
	}
	for _, s := range r.Replicas {
		c := of(s.At(Model))
		p := &c.write
		if writes[s.At(Model)] && r.prefills(s) {
			p = &c.prefill
		}
		pools[s.At(Server)] = p
		if !r.blind(s) {
			p.addReplica(r, s)
		}
	}
	for _, t := range r.Targets {
		server := t.At(Server)
		if pools[server] == nil {
			pools[server] = &of(server).write
		}
		if !r.finds(stalePage, server) { // on an old page HTTP counters are old too
			pools[server].addServer(r, server)
		}
	}
	return all
}

// prefills tells whether a replica computes prompts for others.
func (r *Report) prefills(s Subject) bool { return r.inWindow("prefill_node", s).Value == 1 }

// goodPut is how many requests a second are inside the objectives: at least low, at most high. Those that are outside one of them may be
// those that are outside the other, or not. What is not known of one objective may be all or nothing; of both, there is nothing to say.
func (c *crowd) goodPut() (low, high float64) {
	late, apart := worse(c.write.late, c.prefill.late), c.write.apart
	if late.n.total == 0 && apart.n.total == 0 {
		return math.NaN(), math.NaN()
	}
	lateLow, lateHigh := late.within(c.objective.TTFT > 0)
	// Where nothing was observed, no request that finished had two tokens.
	apartLow, apartHigh := apart.within(c.objective.TPOT > 0 && apart.n.value() != 0)
	finished := c.write.finished.value()
	return finished * max(0, 1-lateHigh-apartHigh), finished * (1 - max(lateLow, apartLow))
}

// A portion is some of n requests: at least low of them, at most high.
type portion struct{ low, high, n sum }

// add adds a share of requests.
func (p *portion) add(f Fact) {
	if f.Absence == NoObservations {
		p.n.add(0)
	}
	p.low.add(f.Low * f.N)
	p.high.add(f.High * f.N)
	p.n.add(f.N)
}

// join adds those of other users.
func (p *portion) join(o portion) {
	p.low.add(o.low.value())
	p.high.add(o.high.value())
	p.n.add(o.n.value())
}

// share is the portion as a share, NaN where it is of nothing.
func (p *portion) share() (low, high float64) {
	return p.low.value() / p.n.value(), p.high.value() / p.n.value()
}

// within is the share that misses an objective: none where it is not wanted, and anything from none to all where it is not known.
func (p *portion) within(wanted bool) (low, high float64) {
	low, high = p.share()
	switch {
	case !wanted:
		return 0, 0
	case math.IsNaN(low):
		return 0, 1
	}
	return low, high
}

// worse is the portion that is bad of the requests that are written, where each passed another pool too: as bad as in the worse pool.
func worse(write, prefill portion) portion {
	low, high := write.share()
	otherLow, otherHigh := prefill.share()
	switch {
	case math.IsNaN(otherLow):
		return write
	case math.IsNaN(low):
		return prefill
	}
	n := write.n.value()
	return portion{low: sum{max(low, otherLow) * n, true}, high: sum{max(high, otherHigh) * n, true}, n: write.n}
}

// A sum leaves out what is not known; of nothing but unknown values it is unknown itself.
type sum struct {
	total float64
	known bool
}

func (s *sum) add(v float64) {
	if !math.IsNaN(v) {
		s.total, s.known = s.total+v, true
	}
}

func (s sum) value() float64 {
	if !s.known {
		return math.NaN()
	}
	return s.total
}
