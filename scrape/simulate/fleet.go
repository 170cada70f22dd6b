package simulate

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"time"
)

// Fleet is a scenario in progress. It is not safe for concurrent use.
type Fleet struct {
	agenda  *agenda
	epoch   time.Time // when the agenda's clock was 0
	servers []*server
	hosts   []*host
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
	f := &Fleet{agenda: &agenda{}, epoch: start.Add(-s.Warm)}
	for i, d := range s.servers {
		d.release = cmp.Or(d.release, s.Release)
		v, err := parseVersion(d.release)
		if err != nil {
			return nil, fmt.Errorf("scenario %s, server %s: %w", s.Name, d.name, err)
		}
		server := newServer(d, v, f.agenda, rand.New(rand.NewPCG(seed, uint64(i))), unix(f.epoch))
		f.servers = append(f.servers, server)
		h := f.host(d.host, s.GPUInterval, seed)
		for _, e := range server.frontend.engines {
			h.plug(e, d.flags.memoryUtilization)
		}
	}
	for _, h := range f.hosts {
		h.look()
		f.agenda.every(h.interval, h.look)
	}
	strengths := rand.New(rand.NewPCG(seed, 1<<33))
	for _, fault := range s.faults {
		strength := 1 + s.Spread*(2*strengths.Float64()-1)
		f.agenda.at((s.Warm + s.Onset).Seconds(), func() { fault.strike(f.servers[fault.server], strength) })
	}
	f.AdvanceTo(start)
	return f, nil
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

// Page is what a target's /metrics answers now. The error says that there is no such target.
func (f *Fleet) Page(target string) ([]byte, error) {
	if s := f.server(target); s != nil {
		return s.page(f.agenda.now), nil
	}
	for _, h := range f.hosts {
		if h.name+":9400" == target {
			return h.page(), nil
		}
	}
	return nil, fmt.Errorf("no target %q in this fleet: ask Targets for their names", target)
}

func unix(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
