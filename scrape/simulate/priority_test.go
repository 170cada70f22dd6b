package simulate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ranked are requests of so many prompt tokens with priorities, which arrived one after the other.
func ranked(pairs ...[2]int) []*request {
	var all []*request
	for i, pair := range pairs {
		all = append(all, &request{
			prompt: pair[0], output: 1000, arrived: float64(i), traffic: &traffic{load: load{priority: pair[1]}},
		})
	}
	return all
}

// TestPriority works out by hand who gets how many tokens of each step.
func TestPriority(t *testing.T) {
	tests := []struct {
		name     string
		blocks   int // of 16 tokens
		requests [][2]int
		want     [][]int
	}{
		{"the more important goes first, among equals the earlier", 100, [][2]int{{40, 1}, {30, 0}, {40, 1}}, [][]int{{34, 30, 0}, {6, 1, 40}}},
		{"the least important gives way, though it was admitted first", 4, [][2]int{{32, 5}, {32, 1}}, [][]int{{32, 32}, {0, 1}}},
		{"who cannot grow gives way itself when it is the least important", 4, [][2]int{{32, 1}, {32, 5}}, [][]int{{32, 32}, {1, 0}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := ranked(test.requests...)
			s := &scheduler{cache: newCache(test.blocks+1, 16), maxSeqs: 8, budget: 64, byPriority: true}
			for _, r := range all {
				s.enqueue(r)
			}
			if diff := cmp.Diff(test.want, steps(s, len(test.want), all...)); diff != "" {
				t.Error(diff)
			}
			balanced(t, s.cache, s.running)
		})
	}
}

// TestEvictedKeepsItsPlaceByPriority: not at the head, but behind whoever is more important.
func TestEvictedKeepsItsPlaceByPriority(t *testing.T) {
	all := ranked([2]int{32, 5}, [2]int{32, 1}, [2]int{60, 2}, [2]int{60, 7})
	s := &scheduler{cache: newCache(5, 16), maxSeqs: 8, budget: 64, byPriority: true}
	s.enqueue(all[0])
	s.enqueue(all[1])
	steps(s, 1, all...)
	s.enqueue(all[2])
	s.enqueue(all[3])
	steps(s, 1, all...)
	if diff := cmp.Diff([]int{2, 5, 7}, []int{s.waiting[0].traffic.priority, s.waiting[1].traffic.priority, s.waiting[2].traffic.priority}); diff != "" {
		t.Errorf("priorities in the queue: %s", diff)
	}
}

// TestRunningIsNotDisplaced by somebody more important that waits for a place in the batch.
func TestRunningIsNotDisplaced(t *testing.T) {
	all := ranked([2]int{10, 9}, [2]int{10, 0})
	s := &scheduler{cache: newCache(101, 16), maxSeqs: 1, budget: 64, byPriority: true}
	s.enqueue(all[0])
	steps(s, 1, all...)
	s.enqueue(all[1])
	if diff := cmp.Diff([][]int{{1, 0}, {1, 0}}, steps(s, 2, all...)); diff != "" {
		t.Error(diff)
	}
}

// TestLongPrefillThreshold leaves room in a step for the prompts behind a long one.
func TestLongPrefillThreshold(t *testing.T) {
	all := prompts(100, 20)
	s := &scheduler{cache: newCache(101, 16), maxSeqs: 8, budget: 64, longPrefill: 40, waiting: append([]*request{}, all...)}
	if diff := cmp.Diff([][]int{{40, 20}, {40, 1}, {20, 1}}, steps(s, 3, all...)); diff != "" {
		t.Error(diff)
	}
}
