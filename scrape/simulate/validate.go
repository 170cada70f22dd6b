package simulate

import (
	"fmt"
	"time"
)

// validate says which parameter is out of its range, if any.
func (s Scenario) validate() error {
	for _, span := range []struct {
		name      string
		value     time.Duration
		low, high time.Duration
	}{
		{"warm time", s.Warm, 0, 24 * time.Hour},
		{"onset", s.Onset, 0, 24 * time.Hour},
		{"length of the fault", s.Lasts, 0, 24 * time.Hour},
		{"time until the fault shows", s.Shows, 0, 24 * time.Hour},
		{"GPU interval", s.GPUInterval, 100 * time.Millisecond, 10 * time.Minute},
	} {
		if span.value < span.low || span.value > span.high {
			return fmt.Errorf("scenario %s: %s is %v, must be %v to %v", s.Name, span.name, span.value, span.low, span.high)
		}
	}
	if err := (limits{"spread", s.Spread, 0, 0.5}).validate(); err != nil {
		return fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	for _, d := range s.servers {
		if err := d.validate(); err != nil {
			return fmt.Errorf("scenario %s, server %s: %w", s.Name, d.name, err)
		}
	}
	for _, r := range s.routed {
		if err := s.validateLoads("router before", r.all(), r.load); err != nil {
			return err
		}
	}
	for _, f := range s.faults {
		if err := s.validateLoads("fault of", f.servers, f.loads...); err != nil {
			return err
		}
	}
	return nil
}

// validateLoads checks loads against each server that they may come to.
func (s Scenario) validateLoads(what string, servers []int, loads ...load) error {
	for _, i := range servers {
		if err := (limits{"number of a server", float64(i), 0, float64(len(s.servers) - 1)}).validate(); err != nil {
			return fmt.Errorf("scenario %s, %s it: %w", s.Name, what, err)
		}
		d := s.servers[i]
		for _, l := range loads {
			if err := l.validate(len(d.models), d.flags); err != nil {
				return fmt.Errorf("scenario %s, %s server %s: %w", s.Name, what, d.name, err)
			}
		}
	}
	return nil
}

// limits are a number and its range.
type limits struct {
	name             string
	value, low, high float64
}

func (l limits) validate() error {
	if l.value >= l.low && l.value <= l.high {
		return nil
	}
	return fmt.Errorf("%s is %g, must be %g to %g", l.name, l.value, l.low, l.high)
}

// all is the first of the checks that fails.
func all(checks []limits) error {
	for _, c := range checks {
		if err := c.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (d deployment) validate() error {
	f := d.flags
	checks := []limits{
		{"tensor parallel size", float64(d.tensor), 1, 16},
		{"pipeline parallel size", float64(d.pipeline), 0, d.mostStages()},
		{"data parallel size", float64(d.data), 1, 64},
		{"number of models", float64(len(d.models)), 1, 8},
		{"max_num_seqs", float64(f.maxSeqs), 1, 4096},
		{"max_num_batched_tokens", float64(f.batchedTokens), 16, 1 << 20},
		{"max_model_len", float64(f.maxModelLen), 16, 1 << 20},
		{"block size", float64(f.blockSize), 1, 4096},
		{"gpu_memory_utilization", f.memoryUtilization, 0.01, 1},
		{"max_loras", float64(f.maxAdapters), 0, 1024},
		{"long_prefill_token_threshold", float64(f.longPrefill), 0, float64(f.maxModelLen)},
		{"max_num_queued_reqs", float64(f.maxQueued), 0, 1e6},
		{"API server count", float64(f.apiServers), 0, 64},
		{"tokens of the external cache", float64(f.external), 0, 1e9},
		{"num_speculative_tokens", float64(f.speculation.tokens), 0, 16},
		{"size of the drafter", f.speculation.drafter, 0, 1},
		{"bytes of weights read a second", d.storage, 0, 1e12},
	}
	for _, m := range d.models {
		// vLLM refuses to start when the longest sequence would not fit; one block is the null block.
		fits := (d.blocks(m) - 1) * f.blockSize
		checks = append(checks, limits{"max_model_len of " + m.name + " with this KV cache", float64(f.maxModelLen), 16, float64(fits)})
	}
	if err := all(checks); err != nil {
		return err
	}
	for _, l := range d.loads {
		if err := l.validate(len(d.models), f); err != nil {
			return err
		}
	}
	return nil
}

// validate checks that a release has the flags that are given.
func (f flags) validate(v version) error {
	if v < queueLimits {
		return limits{"max_num_queued_reqs of a release before 0.29", float64(f.maxQueued), 0, 0}.validate()
	}
	return nil
}

// validate checks a load's numbers. Its longest request must fit the model's longest sequence.
func (l load) validate(models int, f flags) error {
	longest := l.prefixTokens + l.prompt.max + l.images*imageTokens + l.maxTokens
	slots := 0.0
	if l.adapters > 0 { // a request for an adapter waits for ever where there is no slot
		slots = 1
	}
	alone := 1e6
	if l.answers > 1 { // the cache remembers one beginning of a request, and theirs is the whole prompt
		alone = 0
	}
	return all(append(l.rhythm.limits(l.name), []limits{
		{"model of load " + l.name, float64(l.model), 0, float64(models - 1)},
		{"rate of load " + l.name, l.rate, 0, 1e4},
		{"clients of load " + l.name, float64(l.clients), 0, 1e5},
		{"think time of load " + l.name, l.think, 0, 1e5},
		{"patience of load " + l.name, l.patience, 0, 1e5},
		{"retries of load " + l.name, float64(l.retries), 0, 100},
		{"shortest prompt of load " + l.name, float64(l.prompt.min), 1, float64(l.prompt.max)},
		{"shortest output of load " + l.name, float64(l.output.min), 1, float64(l.output.max)},
		{"max_tokens of load " + l.name, float64(l.maxTokens), 1, float64(f.maxModelLen)},
		{"longest request of load " + l.name, float64(longest), 2, float64(f.maxModelLen)},
		{"answers (n) of load " + l.name, float64(l.answers), 0, 128},
		{"shared beginnings of load " + l.name + " that asks for several answers", float64(l.prefixes), 0, alone},
		{"priority of load " + l.name, float64(l.priority), -1e6, 1e6},
		{"LoRA adapters of load " + l.name, float64(l.adapters), 0, 1e4},
		{"max_loras for load " + l.name + " with adapters", float64(f.maxAdapters), slots, 1024},
		{"images of load " + l.name, float64(l.images), 0, 100},
		{"gallery of load " + l.name, float64(l.gallery), 0, 1e6},
		{"acceptance of load " + l.name, l.acceptance, 0, 1},
		{"rendering time of load " + l.name, l.render, 0, 60},
		{"share of mishaps of load " + l.name, l.mishaps, 0, 1},
		{"bytes left by a request of load " + l.name, l.leaves, 0, 1e9},
		{"time to begin of load " + l.name, l.begin, 0, 1e5},
		{"share of leavers of load " + l.name, l.leavers, 0, 1},
		{"stay of load " + l.name, l.stay, 0, 1e5},
		{"pool of load " + l.name, float64(l.pool), 0, 1e5},
		{"named ranks of load " + l.name, float64(l.ranks), 0, 64},
	}...))
}
