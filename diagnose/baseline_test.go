package diagnose

import (
	"math"
	"testing"
)

// A recorded value is that of the same replica, at its load; of a replica that is not in the recording, the middle one of its model.
func TestWhatABaselineKnows(t *testing.T) {
	b := &Baseline{values: map[baselineKey][]float64{}}
	replica := func(instance, model string) Subject {
		return Subject{Level: Replica, Job: "vllm", Instance: instance, Engine: "0", Model: model}
	}
	for i, instance := range []string{"a", "b", "c"} {
		b.add("share", replica(instance, "m"), "", float64(i+1))
		b.add("latency", replica(instance, "m"), "3", float64(10*(i+1)))
	}
	b.add("latency", replica("a", "m"), "6", math.NaN())
	b.add("length", Subject{Level: Model, Model: "m"}, "", 7)
	for _, row := range []struct {
		signal  string
		of      Subject
		running float64
		want    float64
	}{
		{"share", replica("c", "m"), 100, 3},
		{"share", replica("other", "m"), 100, 2},
		{"share", replica("a", "another"), 100, math.NaN()},
		{"latency", replica("a", "m"), 4, 10},
		{"latency", replica("other", "m"), 3, 20},
		{"latency", replica("a", "m"), 11, math.NaN()},
		{"latency", replica("a", "m"), math.NaN(), math.NaN()},
		{"length", Subject{Level: Model, Model: "m"}, 0, 7},
	} {
		if got := b.value(row.signal, row.of, row.running); got != row.want && !(math.IsNaN(got) && math.IsNaN(row.want)) {
			t.Errorf("%s of %s at %v: %v, want %v", row.signal, row.of.Name(), row.running, got, row.want)
		}
	}
	if got := (*Baseline)(nil).value("share", replica("a", "m"), 1); !math.IsNaN(got) {
		t.Errorf("without a recording: %v", got)
	}
}
