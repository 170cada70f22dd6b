package simulate

import (
	"cmp"
	"slices"
)

// Priorities, as vLLM has them with --scheduling-policy priority: a smaller number goes first, among equals the one that
// arrived first. Who runs is not evicted for somebody more important that waits; only when a running request cannot grow,
// the least important one of those that run gives way, whoever asks.

// enqueue puts an arrived or evicted request into the queue.
func (s *scheduler) enqueue(r *request) {
	if !s.byPriority {
		s.waiting = append(s.waiting, r)
		return
	}
	place, _ := slices.BinarySearchFunc(s.waiting, r, precedence)
	s.waiting = slices.Insert(s.waiting, place, r)
}

// victim is the index of the running request of a turn that gives way. Those of other turns are in the middle of a step.
func (s *scheduler) victim(turn int) int {
	worst := -1
	for i, r := range s.running {
		if r.turn == turn && (worst < 0 || !s.byPriority || precedence(r, s.running[worst]) > 0) {
			worst = i
		}
	}
	return worst
}

// precedence orders requests by priority, then by arrival.
func precedence(a, b *request) int {
	return cmp.Or(cmp.Compare(a.traffic.priority, b.traffic.priority), cmp.Compare(a.arrived, b.arrived))
}
