package simulate

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Scenario is a fleet and what goes wrong with it.
type Scenario struct {
	Name        string
	Description string        // one line for people
	Group       string        // what scenarios of its kind are about
	Cause       string        // code of the rule that names the cause, "" when nothing is wrong
	Also        string        // of two faults at once, the code of the second
	Restarts    bool          // whether the fault starts a server anew, which is true to tell beside its cause
	SLO         string        // the profile that suits the load: chat, code or batch
	Warm        time.Duration // how long the fleet has run when it is handed over, 0 to 24 h
	Onset       time.Duration // from the hand-over to the fault, 0 to 24 h
	Lasts       time.Duration // from the onset until the fault is put right, 0 to 24 h; 0 means never
	Shows       time.Duration // from the onset until it can be told, 0 to 24 h: then the first finding has to name it
	GPUInterval time.Duration // of the GPU exporters, 100 ms to 10 min
	Spread      float64       // how far the seed may set the strength of a fault from the usual, 0 to 0.5 of it
	Release     string        // of vLLM: 0.8.5, 0.9.2, 0.11.0, 0.19.0 or 0.32.0
	Exporter    string        // dcgm-exporter's release: 3.1, 4.6, 4.8 or 4.9; "" means 4.6

	since   version // the oldest release in which this is the fault; 0 means any
	servers []deployment
	routed  []routed
	faults  []fault
}

// On says whether a release has this fault: what an older one admits may be another. The error says that it is not simulated.
func (s Scenario) On(release string) (bool, error) {
	v, err := parseVersion(release)
	return v >= s.since, err
}

// Servers is the number of vLLM servers.
func (s Scenario) Servers() int { return len(s.servers) }

// Find returns the scenario of that name. The error lists all names.
func Find(name string) (Scenario, error) {
	all := Scenarios()
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	return Scenario{}, fmt.Errorf("no scenario %q: choose one of %s", name, strings.Join(names, ", "))
}

// routed is a load that a router spreads over servers.
type routed struct {
	load     load
	policy   policy
	servers  []int // their indices
	prefills []int // of the servers that compute the prompts for them; nil where each does so itself
}

// all are the servers that a load may come to.
func (r routed) all() []int { return slices.Concat(r.prefills, r.servers) }
