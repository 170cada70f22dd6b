package simulate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAdapterInfo follows three requests for two adapters: who waits is not named, and lists accumulate in the order in which
// they came.
func TestAdapterInfo(t *testing.T) {
	a := adapterInfo{slots: 2}
	one, two, third := &request{adapter: 1, output: 9, generated: 1}, &request{adapter: 2, output: 9, generated: 1}, &request{adapter: 3, output: 9}
	a.follow(&report{}, 1)
	a.follow(&report{first: []*request{two}}, 2)
	a.follow(&report{first: []*request{one}}, 3)
	a.leave(third)
	a.leave(two)
	a.follow(&report{}, 4)
	a.follow(&report{finished: []*request{one}}, 5)
	want := []adapterList{{"", 5}, {"adapter-2", 2}, {"adapter-2,adapter-1", 3}, {"adapter-1", 4}}
	if diff := cmp.Diff(want, a.lists, cmp.AllowUnexported(adapterList{})); diff != "" {
		t.Error(diff)
	}
	e := &exposition{}
	for _, s := range a.sections(100)[:1] {
		s.write(e)
	}
	const page = `# HELP vllm:lora_requests_info Running stats on lora requests.
# TYPE vllm:lora_requests_info gauge
vllm:lora_requests_info{max_lora="2",running_lora_adapters="",waiting_lora_adapters=""} 105.0
vllm:lora_requests_info{max_lora="2",running_lora_adapters="adapter-2",waiting_lora_adapters="adapter-2"} 102.0
vllm:lora_requests_info{max_lora="2",running_lora_adapters="adapter-2,adapter-1",waiting_lora_adapters="adapter-2,adapter-1"} 103.0
vllm:lora_requests_info{max_lora="2",running_lora_adapters="adapter-1",waiting_lora_adapters="adapter-1"} 104.0
`
	if diff := cmp.Diff(page, string(e.text)); diff != "" {
		t.Error(diff)
	}
	if off := (&adapterInfo{}).sections(0); off != nil {
		t.Errorf("%d families without LoRA", len(off))
	}
}

// TestAdapterSlot: with one slot a second adapter is passed over by a request for the first.
func TestAdapterSlot(t *testing.T) {
	all := prompts(10, 10, 10)
	all[0].adapter, all[1].adapter, all[2].adapter = 1, 2, 1
	s := &scheduler{cache: newCache(101, 16), maxSeqs: 8, budget: 64, maxAdapters: 1, waiting: append([]*request{}, all...)}
	if diff := cmp.Diff([][]int{{10, 0, 10}, {1, 0, 1}}, steps(s, 2, all...)); diff != "" {
		t.Error(diff)
	}
	if s.deferred != 1 {
		t.Errorf("%d deferred, want 1", s.deferred)
	}
}
