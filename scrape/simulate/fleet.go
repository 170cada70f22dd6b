package simulate

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Fleet is a scenario in progress. It is not safe for concurrent use.
type Fleet struct {
	agenda  *agenda
	epoch   time.Time // when the agenda's clock was 0
	servers []*server
	hosts   []*host
	routed  []*traffic // that comes through routers
}

// Target is something to scrape.
type Target struct {
	Name        string // its address in the fleet: "gpu-a:8000"
	Kind        string // "vllm" or "dcgm"
	ContentType string // of its page
}

// New builds a fleet whose clock stands at start. By then it has run for the scenario's Warm time, so that its counters
// have a past. The same scenario, seed and start give the same pages. The error names the parameter that is out of range.
func New(s Scenario, seed uint64, start time.Time) (*Fleet, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	exporter, err := parseExporter(s.Exporter)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	f := &Fleet{agenda: &agenda{}, epoch: start.Add(-s.Warm)}
	for i, d := range s.servers {
		d.release = cmp.Or(d.release, s.Release)
		v, err := parseVersion(d.release)
		if err == nil {
			err = d.flags.validate(v)
		}
		if err != nil {
			return nil, fmt.Errorf("scenario %s, server %s: %w", s.Name, d.name, err)
		}
		server := newServer(d, v, f.agenda, rand.New(rand.NewPCG(seed, uint64(i))), unix(f.epoch))
		f.servers = append(f.servers, server)
		h := f.host(d.host, s.GPUInterval, seed)
		h.exporter, server.machine = exporter, h
		for _, group := range server.hardware {
			h.plug(group, d.flags.memoryUtilization)
		}
	}
	for i, r := range s.routed {
		f.send(r, rand.New(rand.NewPCG(seed, 1<<34+uint64(i))))
	}
	for _, h := range f.hosts {
		look := func() { h.look(f.agenda.now) }
		look()
		f.agenda.every(1, func() { h.advance(f.agenda.now) })
		f.agenda.every(h.interval, look)
	}
	f.plan(s, rand.New(rand.NewPCG(seed, 1<<33)))
	f.AdvanceTo(start)
	return f, nil
}

// send starts a load that a router spreads.
func (f *Fleet) send(r routed, random *rand.Rand) *traffic {
	way := &traffic{random: random, router: f.router(r.policy, r.servers)}
	if r.prefills != nil {
		way.prefills = f.router(r.policy, r.prefills)
	}
	return f.beside(way, r.load)
}

func (f *Fleet) router(p policy, servers []int) *router {
	r := &router{policy: p}
	for _, i := range servers {
		r.servers = append(r.servers, f.servers[i])
	}
	return r
}

// beside starts a load that takes the same way as another.
func (f *Fleet) beside(other *traffic, l load) *traffic {
	t := &traffic{load: l, agenda: f.agenda, random: other.random, router: other.router, prefills: other.prefills}
	f.routed = append(f.routed, t)
	t.start()
	return t
}

// plan puts the faults on the agenda, each with a strength of its own, and their end. What struck last is put right first, so that
// each finds what it left.
func (f *Fleet) plan(s Scenario, strengths *rand.Rand) {
	var reliefs []func()
	onset := (s.Warm + s.Onset).Seconds()
	for _, fault := range s.faults {
		strength := 1 + s.Spread*(2*strengths.Float64()-1)
		f.agenda.at(onset, func() {
			if relieve := fault.strike(f, strength); relieve != nil {
				reliefs = append(reliefs, relieve)
			}
		})
	}
	if s.Lasts > 0 {
		f.agenda.at(onset+s.Lasts.Seconds(), func() {
			for _, relieve := range slices.Backward(reliefs) {
				relieve()
			}
		})
	}
}

// host is the host of that name, made at its first use.
func (f *Fleet) host(name string, interval time.Duration, seed uint64) *host {
	for _, h := range f.hosts {
		if h.name == name {
			return h
		}
	}
	random := rand.New(rand.NewPCG(seed, 1<<32+uint64(len(f.hosts))))
	h := &host{name: name, interval: interval.Seconds(), random: random}
	f.hosts = append(f.hosts, h)
	return h
}

// AdvanceTo lets everything happen up to t. A time before the fleet's own changes nothing.
func (f *Fleet) AdvanceTo(t time.Time) { f.agenda.runTo(t.Sub(f.epoch).Seconds()) }

func (f *Fleet) now() time.Time { return f.epoch.Add(duration(f.agenda.now)) }

// server is the server of that name, or nil.
func (f *Fleet) server(name string) *server {
	for _, s := range f.servers {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Targets are the servers and then the exporters of their hosts.
func (f *Fleet) Targets() []Target {
	var targets []Target
	for _, s := range f.servers {
		targets = append(targets, Target{s.name, "vllm", "text/plain; version=1.0.0; charset=utf-8"})
	}
	for _, h := range f.hosts {
		targets = append(targets, Target{h.name + ":9400", "dcgm", "text/plain; version=0.0.4; charset=utf-8"})
	}
	return targets
}

// Answer is what a GET of a target's /metrics brings.
type Answer struct {
	Page    []byte
	After   time.Duration // how long it takes
	Refused bool          // nothing listens there, so that there is no page
}

// Listening says whether something listens at a target's address.
func (f *Fleet) Listening(target string) bool {
	if s := f.server(target); s != nil {
		return s.listening
	}
	return slices.ContainsFunc(f.hosts, func(h *host) bool { return h.name+":9400" == target && !h.gone })
}

// healthy says whether a target answers /health with 200: a hung engine is not a dead one.
func (f *Fleet) healthy(target string) bool {
	s := f.server(target)
	return s == nil || !s.frontend.dead
}

// Get asks a target for its page now. The error says that there is no such target.
func (f *Fleet) Get(target string) (Answer, error) {
	if s := f.server(target); s != nil {
		return s.machine.carry(s.get(f.agenda.now)), nil
	}
	for _, h := range f.hosts {
		if h.name+":9400" == target {
			return h.carry(h.get()), nil
		}
	}
	return Answer{}, fmt.Errorf("no target %q in this fleet: ask Targets for their names", target)
}

func unix(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
