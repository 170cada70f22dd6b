package ui

import (
	"strings"
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

// TestFrozenFiguresLookOld has a server whose page does not change, and one whose GPU exporter's does not: what is read from them is
// faint, and says how old it is wherever there is room.
func TestFrozenFiguresLookOld(t *testing.T) {
	r := judged(t, readScene(t, "frozen"), sceneEnd)
	s := screen(t, Options{}, 120, 40, r).scene
	columns := s.columns()
	for i, want := range []struct {
		kv, gpu   style
		line, age string
	}{
		{faint, plain, "", "4m old"},
		{plain, faint, "4m old", ""},
	} {
		replica := r.Replicas[i]
		w := tableRow{key: rowKey{subject: replica}, members: []diagnose.Subject{replica}}
		if _, _, got := s.figure(&w, &columns[kvColumn]); got != want.kv {
			t.Errorf("%s: the KV cache has style %d, want %d", r.Name(replica), got, want.kv)
		}
		if _, _, got := s.figure(&w, &columns[gpuColumn]); got != want.gpu {
			t.Errorf("%s: the GPU has style %d, want %d", r.Name(replica), got, want.gpu)
		}
		if got := r.Basis(r.Fact("kv_usage", replica)); got != want.age {
			t.Errorf("%s: the KV cache rests on %q, want %q", r.Name(replica), got, want.age)
		}
		if got := r.GPULine(replica); strings.Contains(got, " old") != (want.line != "") || !strings.HasSuffix(got, want.line) {
			t.Errorf("%s: %q, want %q at its end", r.Name(replica), got, want.line)
		}
	}
	if got, want := s.lasting(r.Replicas, "running", "gpu_busy"), "host-a:8000, GPU of host-b:8000 4m old · last 5m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
