package diagnose

import "testing"

// An alert is about the one subject that its labels fit; what fits several is about what they share.
func TestSubjectOfAnAlert(t *testing.T) {
	replica := func(instance, engine string) Subject {
		return Subject{Level: Replica, Job: "vllm", Instance: instance, Engine: engine, Model: "m"}
	}
	target := func(instance, kind string) TargetState {
		return TargetState{Subject: Subject{Level: Target, Job: "vllm", Instance: instance}, Kind: kind}
	}
	gpu := Subject{Level: GPU, Job: "gpu", Instance: "a:9400", Host: "a", Index: "0", UUID: "GPU-1"}
	r := &Report{
		Targets:  []TargetState{target("a:8000", "vllm"), target("b:8000", "vllm"), target("a:9400", "dcgm")},
		Replicas: []Subject{replica("a:8000", "0"), replica("b:8000", "0"), replica("b:8000", "1")},
		GPUs:     []GPUState{{Subject: gpu}},
	}
	for _, c := range []struct {
		what  string
		alert map[string]string
		want  Subject
	}{
		{"no labels", nil, Subject{Level: Fleet}},
		{"a model", map[string]string{"model_name": "m"}, Subject{Level: Model, Model: "m"}},
		{"an instance", map[string]string{"instance": "a:8000"}, target("a:8000", "").At(Server)},
		{"an instance that is no server", map[string]string{"instance": "a:9400"}, target("a:9400", "").Subject},
		{"a model of a server with one engine", map[string]string{"instance": "a:8000", "model_name": "m"}, replica("a:8000", "0")},
		{"a model of a server with two", map[string]string{"instance": "b:8000", "model_name": "m"}, target("b:8000", "").At(Server)},
		{"an engine", map[string]string{"instance": "b:8000", "engine": "1"}, replica("b:8000", "1")},
		{"a GPU", map[string]string{"instance": "a:9400", "gpu": "0"}, gpu},
	} {
		if got := r.subjectOfAlert(c.alert); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}
