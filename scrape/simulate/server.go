package simulate

import (
	"cmp"
	"math/rand/v2"
	"strconv"
)

// deployment is one `vllm serve`: what it runs, on what, with which flags, and the traffic that it gets.
type deployment struct {
	name, host   string
	release      string  // of vLLM; "" means the scenario's
	models       []model // more than one share a page, each with devices of its own
	accelerator  accelerator
	tensor, data int          // parallelism: devices a stage, engines a model
	pipeline     int          // stages an engine; 0 means one
	interconnect interconnect // between the devices of an engine; the zero value means nvlink
	flags        flags
	loads        []load
	storage      float64 // bytes a second at which weights are read; 0 means localStorage
	keepAlive    bool    // VLLM_KEEP_ALIVE_ON_ENGINE_DEATH: the API process outlives its engine
	supervised   bool    // something starts the process again when it ends
}

// flags are the parts of the command line that matter here.
type flags struct {
	maxSeqs           int     // --max-num-seqs
	maxAdapters       int     // --max-loras; 0 means that LoRA is off
	longPrefill       int     // --long-prefill-token-threshold; 0 means none
	byPriority        bool    // --scheduling-policy priority
	batchedTokens     int     // --max-num-batched-tokens
	maxModelLen       int     // --max-model-len
	blockSize         int     // --block-size
	memoryUtilization float64 // --gpu-memory-utilization
	speculation       speculation
	transfers         bool // --kv-transfer-config with the NIXL connector
	recompute         bool // and kv_load_failure_policy recompute instead of fail
	external          int  // tokens that an LMCache server keeps for this one; 0 means that there is none
	gpuBlocks         int  // --num-gpu-blocks-override; 0 means what memory allows
	maxQueued         int  // --max-num-queued-reqs; 0 means no limit
	apiServers        int  // --api-server-count; 0 means the release's default
}

// overheadBytes is what a worker needs beside weights and KV: activations, CUDA graphs, communication buffers.
const overheadBytes = 4 << 30

// blocks is num_gpu_blocks of one engine.
func (d deployment) blocks(m model) int {
	if d.flags.gpuBlocks > 0 {
		return d.flags.gpuBlocks
	}
	memory := float64(d.accelerator.memory) * (1 << 20) * d.flags.memoryUtilization
	left := float64(d.tensor*d.stages())*(memory-overheadBytes) - m.resident(d.data) - m.weights()*d.flags.speculation.drafter
	return max(0, int(left/(m.kvBytes()*float64(d.flags.blockSize))))
}

// server is a deployment whose process runs, loads, or is gone.
type server struct {
	deployment
	version  version
	epoch    float64 // Unix time at which the fleet's clock was 0
	agenda   *agenda
	random   *rand.Rand
	machine  *host
	hardware []*hardware // of each engine
	link     *link
	store    *store
	frontend *frontend  // of the last process that listened
	traffic  []*traffic // that comes to this server alone

	started, listens float64 // when the process started, and when it listens or will
	listening        bool
	lives            int    // processes so far
	proxy            []byte // the page that a proxy before the server repeats, if one does
	blind            bool   // what the engines report never reaches the process that answers /metrics
	supervisor       supervisor
}

// newServer builds a server that has just loaded. Its numbers were validated before.
func newServer(d deployment, v version, a *agenda, random *rand.Rand, epoch float64) *server {
	s := &server{deployment: d, version: v, epoch: epoch, agenda: a, random: random}
	for _, m := range d.models {
		for range d.data {
			s.hardware = append(s.hardware, &hardware{
				accelerator: d.accelerator, model: m, devices: d.tensor * d.stages(), stages: d.stages(), runs: make([]run, d.stages()), interconnect: cmp.Or(d.interconnect, nvlink),
				sharers: m.sharers(d.data), drafter: d.flags.speculation.drafter, ahead: v >= schedulingAhead && d.stages() == 1, condition: healthyCondition,
			})
		}
	}
	s.link = &link{bandwidth: networkBandwidth * float64(len(s.hardware)*d.tensor*d.stages())}
	s.store = &store{tokens: d.flags.external}
	s.started = a.now - d.loadTime()
	s.listen()
	for _, l := range d.loads {
		s.send(l)
	}
	return s
}

// stop ends the process in an instant, as a signal does. Nothing listens on its port.
func (s *server) stop() {
	s.listening = false
	s.lives++
	s.frontend.close()
}

// start begins a new process, which listens once it has loaded. A stop in between ends it too.
func (s *server) start(loading float64) {
	s.lives++
	life := s.lives
	s.started, s.listens = s.agenda.now, s.agenda.now+loading
	s.fillMemory(loading)
	s.agenda.after(loading, func() {
		if s.lives == life {
			s.listen()
		}
	})
}

// restart ends the process and begins a new one at once.
func (s *server) restart(loading float64) {
	s.stop()
	s.start(loading)
}

// listen is the moment from which the process takes requests: with a cold cache, and all its counters at 0.
func (s *server) listen() {
	s.listens, s.listening = s.agenda.now, true
	s.frontend = &frontend{
		agenda: s.agenda, random: s.random, version: s.version, processes: make([]process, s.apiProcesses()), http: newHTTPMetrics("/v1/chat/completions"),
		limit: s.flags.maxQueued, adapters: adapterInfo{slots: s.flags.maxAdapters},
		blind: s.blind, crashed: s.engineDied,
	}
	for i, m := range s.models {
		for rank := range s.data {
			s.frontend.engines = append(s.frontend.engines, s.newEngine(i, rank))
		}
		if m.sharers(s.data) > 1 {
			joinWave(s.frontend.engines[i*s.data:])
		}
	}
}

// apiProcesses is how many API processes there are: as the flags say, or the release's default.
func (s *server) apiProcesses() int {
	switch {
	case s.flags.apiServers > 0:
		return s.flags.apiServers
	case s.version >= processesByRanks:
		return s.data
	}
	return 1
}

func (s *server) newEngine(model, rank int) *engine {
	index := len(s.frontend.engines)
	e := &engine{
		agenda:   s.agenda,
		frontend: s.frontend,
		label:    strconv.Itoa(rank),
		model:    model,
		index:    index,
		metrics:  newEngineMetrics(s.flags.maxModelLen, s.version < iterationUncached),
		hardware: s.hardware[index],
		turns:    make([]turn, s.stages()),
	}
	e.hardware.occupancy = occupied
	e.metrics.blockSize = float64(s.flags.blockSize)
	e.scheduler = scheduler{
		cache:        newCache(s.blocks(s.models[model]), s.flags.blockSize),
		maxSeqs:      s.flags.maxSeqs,
		maxAdapters:  s.flags.maxAdapters,
		longPrefill:  s.flags.longPrefill,
		byPriority:   s.flags.byPriority,
		drafts:       s.flags.speculation.tokens,
		budget:       s.flags.batchedTokens,
		countRetries: s.version < oneLookup,
		byChunk:      s.version < wholePromptFits,
		recompute:    s.flags.recompute,
	}
	s.connect(e)
	return e
}

// send starts a load that comes to this server alone.
func (s *server) send(l load) *traffic {
	t := &traffic{load: l, agenda: s.agenda, random: s.random, router: &router{servers: []*server{s}}}
	s.traffic = append(s.traffic, t)
	t.start()
	return t
}
