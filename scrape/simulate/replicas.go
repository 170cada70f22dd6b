package simulate

import (
	"fmt"
	"slices"
)

// mostReplicas is how many servers WithReplicas goes up to: an hour of them costs a minute of CPU.
const mostReplicas = 26

// WithReplicas is the scenario with so many servers in all: copies of its first server stand beside those that it has. What happens to
// a server happens to the first alone, but what its clients do, the clients of all copies do too, as behind one balancer; beside
// several servers copies get the load of the first and no fault. The error says why not.
func (s Scenario) WithReplicas(n int) (Scenario, error) {
	if err := (limits{"number of replicas", float64(n), float64(len(s.servers)), mostReplicas}).validate(); err != nil {
		return Scenario{}, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	if n > len(s.servers) && len(s.servers[0].loads) == 0 {
		return Scenario{}, fmt.Errorf("scenario %s: a router spreads one load over its %d servers, and copies would get none", s.Name, len(s.servers))
	}
	all, faults := slices.Clip(s.servers), slices.Clip(s.faults)
	for letter := 'a'; len(all) < n; letter++ {
		host := "gpu-" + string(letter)
		if s.hasHost(host) {
			continue
		}
		copied := s.servers[0]
		copied.name, copied.host = host+":8000", host
		if len(s.servers) == 1 {
			for _, fault := range s.faults {
				if fault.at != nil {
					faults = append(faults, fault.at(len(all)))
				}
			}
		}
		all = append(all, copied)
	}
	s.servers, s.faults = all, faults
	return s, nil
}

func (s Scenario) hasHost(name string) bool {
	return slices.ContainsFunc(s.servers, func(d deployment) bool { return d.host == name })
}
