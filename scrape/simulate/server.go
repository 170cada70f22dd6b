package simulate

import (
	"math/rand/v2"
	"strconv"
)

// deployment is one `vllm serve`: what it runs, on what, with which flags, and the traffic that it gets.
type deployment struct {
	name, host   string
	release      string  // of vLLM; "" means the scenario's
	models       []model // more than one share a page, each with devices of its own
	accelerator  accelerator
	tensor, data int // parallelism: devices an engine, engines a model
	flags        flags
	loads        []load
}

// flags are the parts of the command line that matter here.
type flags struct {
	maxSeqs           int     // --max-num-seqs
	batchedTokens     int     // --max-num-batched-tokens
	maxModelLen       int     // --max-model-len
	blockSize         int     // --block-size
	memoryUtilization float64 // --gpu-memory-utilization
	gpuBlocks         int     // --num-gpu-blocks-override; 0 means what memory allows
	apiServers        int     // --api-server-count; 0 means the release's default
}

// overheadBytes is what a worker needs beside weights and KV: activations, CUDA graphs, communication buffers.
const overheadBytes = 4 << 30

// blocks is num_gpu_blocks of one engine.
func (d deployment) blocks(m model) int {
	if d.flags.gpuBlocks > 0 {
		return d.flags.gpuBlocks
	}
	memory := float64(d.accelerator.memory) * (1 << 20) * d.flags.memoryUtilization
	left := float64(d.tensor)*(memory-overheadBytes) - m.weights()
	return max(0, int(left/(m.kvBytes()*float64(d.flags.blockSize))))
}

// server is a running deployment.
type server struct {
	deployment
	version  version
	epoch    float64 // Unix time at which the fleet's clock was 0
	agenda   *agenda
	random   *rand.Rand
	frontend *frontend
	traffic  []*traffic
}

// newServer builds a server. Its numbers were validated before.
func newServer(d deployment, v version, a *agenda, random *rand.Rand, epoch float64) *server {
	s := &server{deployment: d, version: v, epoch: epoch, agenda: a, random: random}
	processes := d.flags.apiServers
	if processes == 0 {
		processes = 1
		if v >= processesByRanks {
			processes = d.data
		}
	}
	s.frontend = &frontend{agenda: a, random: random, version: v, processes: make([]process, processes), route: newRoute("/v1/chat/completions")}
	for i, m := range d.models {
		for rank := range d.data {
			s.frontend.engines = append(s.frontend.engines, s.newEngine(i, m, rank))
		}
	}
	for _, l := range d.loads {
		s.send(l)
	}
	return s
}

func (s *server) newEngine(index int, m model, rank int) *engine {
	e := &engine{
		agenda:   s.agenda,
		frontend: s.frontend,
		label:    strconv.Itoa(rank),
		model:    index,
		index:    len(s.frontend.engines),
		metrics:  newEngineMetrics(s.flags.maxModelLen, s.version < iterationUncached),
		hardware: hardware{accelerator: s.accelerator, model: m, devices: s.tensor, ahead: s.version >= schedulingAhead},
	}
	e.metrics.blockSize = float64(s.flags.blockSize)
	e.scheduler = scheduler{
		cache:        newCache(s.blocks(m), s.flags.blockSize),
		maxSeqs:      s.flags.maxSeqs,
		budget:       s.flags.batchedTokens,
		countRetries: s.version < oneLookup,
	}
	return e
}

// send starts a load.
func (s *server) send(l load) {
	t := &traffic{load: l, agenda: s.agenda, random: s.random, frontend: s.frontend}
	s.traffic = append(s.traffic, t)
	t.start()
}
