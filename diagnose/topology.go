package diagnose

import (
	"net"
	"slices"
	"strings"
)

// Topology says which GPUs belong to which server, and how that was decided.
type Topology struct {
	gpus map[Subject][]Subject // by server
	how  map[Subject]How       // by GPU
	of   map[Subject]Subject   // server, by GPU
}

// Known is the number of GPUs, mapped or not.
func (t Topology) Known() int { return len(t.how) }

// Unmapped is the number of GPUs that are known to belong to no server.
func (t Topology) Unmapped() int { return len(t.how) - len(t.of) }

// How says by what a GPU was given to a server.
type How uint8

// Ways to map a GPU, best first.
const (
	Unmapped  How = iota
	UsersWord     // the configuration, or --gpu beside a single server
	PodLabel      // exporter and server name the same pod
	SameHost      // the only vLLM server on the exporter's host
)

var howNames = [...]string{"unmapped", "your word", "pod label", "same host"}

// String is the way in words.
func (h How) String() string { return howNames[h] }

// device is a GPU as its exporter shows it, with the workload that holds it.
type device struct {
	Subject
	pod, podNamespace string
}

// serverPod is a server with the pod that it is, where a Prometheus knows.
type serverPod struct {
	Subject
	pod string
}

// Placement is the user's word on which GPUs a server uses.
type Placement struct {
	Server string   // instance of the server
	UUIDs  []string // or none: all GPUs of the exporters below
	GPUs   []string // instances of exporters
}

// newTopology maps each GPU to at most one server: by the user's word, by the pod, by the host. A GPU that several servers could
// use stays unmapped: no figure is better than somebody else's.
func newTopology(servers []serverPod, devices []device, set Settings) Topology {
	t := Topology{gpus: map[Subject][]Subject{}, how: map[Subject]How{}, of: map[Subject]Subject{}}
	for _, d := range withoutSlicedParents(devices) {
		server, how := place(d, servers, set)
		t.how[d.Subject] = how
		if how != Unmapped {
			t.of[d.Subject] = server
			t.gpus[server] = append(t.gpus[server], d.Subject)
		}
	}
	return t
}

func place(d device, servers []serverPod, set Settings) (Subject, How) {
	ways := []struct {
		how  How
		fits func(serverPod) bool
	}{
		{UsersWord, func(s serverPod) bool { return set.placed(s.Subject, d.Subject) }},
		{PodLabel, func(s serverPod) bool { return d.pod != "" && d.pod == s.pod && d.podNamespace == s.Namespace }},
		{SameHost, func(s serverPod) bool { return sameHost(s.Subject, d.Subject) }},
		{UsersWord, func(serverPod) bool { return len(servers) == 1 && slices.Contains(set.GPUTargets, d.Instance) }},
	}
	for _, way := range ways {
		var fitting []serverPod
		for _, s := range servers {
			if way.fits(s) {
				fitting = append(fitting, s)
			}
		}
		if len(fitting) == 1 {
			return fitting[0].Subject, way.how
		}
		if len(fitting) > 1 {
			return Subject{}, Unmapped
		}
	}
	return Subject{}, Unmapped
}

// withoutSlicedParents leaves out a device whose MIG slices are listed: its own figures are diluted by unused slices.
func withoutSlicedParents(devices []device) []device {
	sliced := map[string]bool{}
	for _, d := range devices {
		if d.Slice != "" {
			sliced[d.UUID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(devices), func(d device) bool { return d.Slice == "" && sliced[d.UUID] })
}

// sameHost compares the host of the server's address with that of the exporter's address and with the name that the exporter
// gives its host. Loopback names are one host; a name with a domain equals the one without.
func sameHost(server, gpu Subject) bool {
	host := hostOf(server.Instance)
	return host == hostOf(gpu.Instance) || gpu.Host != "" && shortHost(host) == shortHost(gpu.Host)
}

func hostOf(instance string) string {
	host, _, err := net.SplitHostPort(instance)
	if err != nil {
		host = instance
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return "localhost"
	}
	return host
}

func shortHost(host string) string {
	if net.ParseIP(host) != nil {
		return host
	}
	short, _, _ := strings.Cut(strings.ToLower(host), ".")
	return short
}

// GPUs lists the GPUs of a server.
func (t Topology) GPUs(server Subject) []Subject { return t.gpus[server] }

// How says how a GPU was mapped.
func (t Topology) How(gpu Subject) How { return t.how[gpu] }

// Server is the server that a GPU belongs to.
func (t Topology) Server(gpu Subject) (Subject, bool) {
	s, ok := t.of[gpu]
	return s, ok
}
