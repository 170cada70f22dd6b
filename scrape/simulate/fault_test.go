package simulate

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestFaultOfRequestsBesideMoreLoad: relief gives each traffic back what it was, whatever came in between.
func TestFaultOfRequestsBesideMoreLoad(t *testing.T) {
	s := scenario(t, "engine-errors")
	usual := s.servers[0].loads[0]
	s.Lasts = 20 * time.Second
	s.faults = append(s.faults, moreLoad(0, chat(2)), leak(0, 24e3))
	f := build(t, s, 7)
	f.AdvanceTo(noon.Add(s.Onset + time.Second))
	all := f.servers[0].traffic
	if first, more := all[0], all[1]; first.mishaps != 0.03 || more.mishaps != 0 || more.leaves != 24e3 {
		t.Errorf("mishaps of the usual load %g, of the other %g, which leaves %g bytes; want 0.03, 0, 24000", first.mishaps, more.mishaps, more.leaves)
	}
	f.AdvanceTo(noon.Add(s.Onset + s.Lasts + time.Second))
	if diff := cmp.Diff([]load{usual}, sent(all), unexported); diff != "" {
		t.Error(diff)
	}
}

// standing is all that a fault may change in a fleet.
type standing struct {
	servers []serverStanding
	hosts   []hostStanding
	devices []deviceStanding
	routed  []load
	routers []int // servers of each
}

type serverStanding struct {
	loads             []load
	loading           float64 // seconds of the last start
	blind, proxied    bool
	network, failing  float64
	store             int
	host              float64
	asleep            sleepLevel
	listening, wedged bool
}

type hostStanding struct {
	gone, stale bool
	bandwidth   float64
}

type deviceStanding struct {
	limit, resistance, lock, brake, memory float64
	lost, xid                              int
	dead                                   bool
	stranger                               stranger
}

var unexported = cmp.AllowUnexported(
	standing{}, serverStanding{}, hostStanding{}, deviceStanding{}, stranger{}, activity{}, load{}, lengths{}, rhythm{},
)

// sent are the loads of traffic that goes on.
func sent(all []*traffic) (loads []load) {
	for _, t := range all {
		if !t.stopped {
			loads = append(loads, t.load)
		}
	}
	return loads
}

func (f *Fleet) standing() (now standing) {
	for _, s := range f.servers {
		e := s.frontend.engines[0]
		now.servers = append(now.servers, serverStanding{
			loads: sent(s.traffic), loading: s.listens - s.started, blind: s.blind, proxied: s.proxy != nil,
			network: s.link.bandwidth, failing: s.link.failing, store: s.store.tokens, host: e.hardware.condition.host,
			asleep: e.asleep, wedged: e.wedged, listening: s.listening,
		})
		for _, d := range s.devices() {
			now.devices = append(now.devices, deviceStanding{
				d.limit, d.resistance, d.lock, d.brake, d.memoryClock, d.lost, d.xid, d.dead, d.stranger,
			})
		}
	}
	for _, h := range f.hosts {
		now.hosts = append(now.hosts, hostStanding{h.gone, h.stale, h.uplink})
	}
	now.routed = sent(f.routed)
	for _, t := range f.routed {
		now.routers = append(now.routers, len(t.router.servers))
	}
	return now
}

// same compares two standings, but for what floating point leaves of a number that was multiplied and divided.
func same(a, b standing) string {
	return cmp.Diff(a, b, unexported, cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Abs(x) }))
}

// Faults that are there or not, of any strength; the others have more of what they are with more of it.
var withoutStrength = map[string]bool{
	"xid": true, "xid-application": true, "pcie-width": true, "server-exits": true, "stuck-engine": true, "stuck-host": true, "engine-dead": true,
	"sleeping": true, "frozen-page": true, "exporter-gone": true, "exporter-frozen": true, "rolling-deployment": true,
	"huge-prompt": true, // three clients, and 15 % more of them, are three
}

// TestFaults of every scenario one by one: each does something, with a strength of 1.15 something else, and what can be put
// right is as before.
func TestFaults(t *testing.T) {
	for _, s := range Scenarios() {
		faults := s.faults
		s.faults, s.Warm = nil, time.Second
		for i, fault := range faults {
			struck := func(strength float64) standing {
				f := build(t, s, 7)
				before := f.standing()
				relieve := fault.strike(f, strength)
				during := f.standing()
				if relieve == nil {
					return during
				}
				relieve()
				relieved := f.standing()
				relieved.routers = before.routers  // of traffic that is over too
				for i, s := range before.servers { // to put right may take another restart
					relieved.servers[i].loading, relieved.servers[i].listening = s.loading, s.listening
				}
				if diff := same(before, relieved); diff != "" {
					t.Errorf("%s, fault %d: not as before: %s", s.Name, i, diff)
				}
				return during
			}
			usual := struck(1)
			if same(build(t, s, 7).standing(), usual) == "" {
				t.Errorf("%s, fault %d does nothing", s.Name, i)
			}
			if unchanged := same(usual, struck(1.15)) == ""; unchanged != withoutStrength[s.Name] {
				t.Errorf("%s, fault %d: the same at a strength of 1.15: %v", s.Name, i, unchanged)
			}
		}
	}
}
