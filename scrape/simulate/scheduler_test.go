package simulate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// steps runs a scheduler for some steps and notes, for each, the tokens of every request in a fixed order.
func steps(s *scheduler, n int, all ...*request) [][]int {
	var table [][]int
	for range n {
		s.schedule(1, 0)
		row := make([]int, len(all))
		for i, r := range all {
			row[i] = r.step
		}
		table = append(table, row)
		for _, r := range s.running {
			r.computed += r.step
			if r.step > 0 && r.computed == r.tokens() {
				r.generated++
			}
		}
	}
	return table
}

func prompts(tokens ...int) []*request {
	var all []*request
	for _, n := range tokens {
		all = append(all, &request{prompt: n, output: 1000})
	}
	return all
}

func TestSchedule(t *testing.T) {
	tests := []struct {
		name    string
		blocks  int // of 16 tokens
		maxSeqs int
		budget  int
		prompts []int
		want    [][]int
	}{
		{"a decode goes before the next chunk", 100, 8, 64, []int{30, 100}, [][]int{{30, 34}, {1, 63}, {1, 3}, {1, 1}}},
		{"no more than max_num_seqs", 100, 1, 64, []int{30, 20}, [][]int{{30, 0}, {1, 0}}},
		{"a prompt that does not fit blocks the smaller one behind it", 10, 8, 256, []int{100, 100, 10}, [][]int{{100, 0, 0}, {1, 0, 0}}},
		{"no admission of a prompt that could not finish, though its first chunk would fit", 10, 8, 32, []int{200}, [][]int{{0}}},
		{"the last admitted gives way when the first must grow", 4, 8, 64, []int{32, 32}, [][]int{{32, 32}, {1, 0}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			all := prompts(test.prompts...)
			s := &scheduler{cache: newCache(test.blocks+1, 16), maxSeqs: test.maxSeqs, budget: test.budget, waiting: append([]*request{}, all...)}
			if diff := cmp.Diff(test.want, steps(s, len(test.want), all...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEvictedRequestComesBackFirstAndFromNothing(t *testing.T) {
	all := prompts(32, 32, 16)
	s := &scheduler{cache: newCache(5, 16), maxSeqs: 8, budget: 64, waiting: append([]*request{}, all...)}
	steps(s, 2, all...)
	evicted := all[1]
	if evicted.computed != 0 || evicted.own != 0 || evicted.preemptions != 1 || s.waiting[0] != evicted {
		t.Fatalf("evicted request: %d computed, %d blocks, %d evictions, at the head %v", evicted.computed, evicted.own, evicted.preemptions, s.waiting[0] == evicted)
	}
	s.drop(all[0])
	lookups := s.queries
	s.schedule(7, 0)
	if s.queries-lookups != all[2].prompt {
		t.Errorf("%d tokens looked up, want those of the new request only", s.queries-lookups)
	}
	if evicted.step != evicted.tokens() || evicted.scheduled != 1 {
		t.Errorf("recomputes %d of %d tokens, first scheduled at %g; want all, and still 1", evicted.step, evicted.tokens(), evicted.scheduled)
	}
}

func TestPrefixLookups(t *testing.T) {
	for _, test := range []struct {
		name    string
		retries bool
		want    int
	}{{"one for a request", false, 0}, {"one for each attempt, until 0.26", true, 2 * 100}} {
		t.Run(test.name, func(t *testing.T) {
			s := &scheduler{cache: newCache(4, 16), maxSeqs: 8, budget: 64, countRetries: test.retries, waiting: prompts(100)}
			s.schedule(1, 0)
			s.schedule(2, 0)
			if s.queries != test.want {
				t.Errorf("%d tokens looked up for a request that does not fit, want %d", s.queries, test.want)
			}
		})
	}
}
