package diagnose

import "testing"

func TestGPUsFindTheirServer(t *testing.T) {
	server := func(instance string) serverPod { return serverPod{Subject: Subject{Level: Server, Instance: instance}} }
	pod := func(instance, namespace, name string) serverPod {
		return serverPod{Subject{Level: Server, Instance: instance, Namespace: namespace}, name}
	}
	gpu := func(exporter, host, uuid string) device {
		return device{Subject: Subject{Level: GPU, Instance: exporter, Host: host, UUID: uuid}}
	}
	inPod := gpu("10.0.0.9:9400", "node-1", "GPU-1")
	inPod.pod, inPod.podNamespace = "vllm-0", "prod"
	tests := []struct {
		name    string
		servers []serverPod
		gpu     device
		set     Settings
		want    string
		how     How
	}{
		{"the same address", []serverPod{server("gpu-a:8000"), server("gpu-b:8000")}, gpu("gpu-a:9400", "", "u"), Settings{}, "gpu-a:8000", SameHost},
		{"the exporter's host name", []serverPod{server("gpu-a.lan:8000")}, gpu("10.0.0.1:9400", "gpu-a", "u"), Settings{}, "gpu-a.lan:8000", SameHost},
		{"loopback names are one host", []serverPod{server("127.0.0.1:8000")}, gpu("localhost:9400", "laptop", "u"), Settings{}, "127.0.0.1:8000", SameHost},
		{"two servers on one host", []serverPod{server("gpu-a:8000"), server("gpu-a:8001")}, gpu("gpu-a:9400", "", "u"), Settings{}, "", Unmapped},
		{"another host", []serverPod{server("gpu-a:8000")}, gpu("gpu-b:9400", "gpu-b", "u"), Settings{}, "", Unmapped},
		{"the pod's label", []serverPod{pod("10.0.0.1:8000", "prod", "vllm-0"), pod("10.0.0.2:8000", "prod", "vllm-1")}, inPod, Settings{}, "10.0.0.1:8000", PodLabel},
		{"the same name in another namespace", []serverPod{pod("10.0.0.1:8000", "test", "vllm-0")}, inPod, Settings{}, "", Unmapped},
		{
			"the user's word beats the host",
			[]serverPod{server("gpu-a:8000"), server("gpu-b:8000")},
			gpu("gpu-a:9400", "", "GPU-7"),
			Settings{Placements: []Placement{{Server: "gpu-b:8000", UUIDs: []string{"GPU-7"}}}},
			"gpu-b:8000", UsersWord,
		},
		{
			"an exporter named beside a single server",
			[]serverPod{server("gpu-a:8000")},
			gpu("10.9.9.9:9400", "elsewhere", "u"),
			Settings{GPUTargets: []string{"10.9.9.9:9400"}},
			"gpu-a:8000", UsersWord,
		},
		{
			"an exporter named beside several servers",
			[]serverPod{server("gpu-a:8000"), server("gpu-b:8000")},
			gpu("10.9.9.9:9400", "elsewhere", "u"),
			Settings{GPUTargets: []string{"10.9.9.9:9400"}},
			"", Unmapped,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			topology := newTopology(tt.servers, []device{tt.gpu}, tt.set)
			got, _ := topology.Server(tt.gpu.Subject)
			if got.Instance != tt.want || topology.How(tt.gpu.Subject) != tt.how {
				t.Errorf("got %q by %s, want %q by %s", got.Instance, topology.How(tt.gpu.Subject), tt.want, tt.how)
			}
		})
	}
}

func TestASlicedGPUIsReadByItsSlices(t *testing.T) {
	server := serverPod{Subject: Subject{Level: Server, Instance: "a:8000"}}
	parent := device{Subject: Subject{Level: GPU, Instance: "a:9400", UUID: "GPU-1"}}
	slice := device{Subject: Subject{Level: GPU, Instance: "a:9400", UUID: "GPU-1", Slice: "7"}}
	topology := newTopology([]serverPod{server}, []device{parent, slice}, Settings{})
	if gpus := topology.GPUs(server.Subject); len(gpus) != 1 || gpus[0].Slice != "7" {
		t.Errorf("got %v", gpus)
	}
}
