package simulate

// accelerator is one kind of device. Peaks are dense data-sheet values (NVIDIA prints twice the FLOP/s, with sparsity).
type accelerator struct {
	name      string
	flops     float64 // FLOP/s at the compute precision
	bandwidth float64 // bytes of HBM a second
	power     float64 // limit in watts
	memory    int     // MiB
	clock     float64 // highest SM clock in MHz
}

// h100 is NVIDIA's H100 SXM: 989 TFLOP/s bf16, 3.35 TB/s, 700 W.
var h100 = accelerator{"NVIDIA H100 80GB HBM3", 989e12, 3.35e12, 700, 81559, 1980}

// model is the shape of a language model.
type model struct {
	name       string
	parameters float64
	layers     int
	kvHeads    int
	headSize   int
	hidden     int     // attention heads times head size
	bytes      float64 // for each weight and each KV element
}

// Shapes from the models' published configurations, in bf16.
var (
	llama8B  = model{"meta-llama/Llama-3.1-8B-Instruct", 8.03e9, 32, 8, 128, 4096, 2}
	llama70B = model{"meta-llama/Llama-3.3-70B-Instruct", 70.6e9, 80, 8, 128, 8192, 2}
)

// weights is the size of the model in bytes.
func (m model) weights() float64 { return m.parameters * m.bytes }

// kvBytes is the KV of one token: two (key and value) for each layer and KV head. 131,072 for Llama 8B, 327,680 for 70B.
func (m model) kvBytes() float64 { return 2 * float64(m.layers*m.kvHeads*m.headSize) * m.bytes }

// activity is what the devices of one engine have done since the fleet began, in seconds for each device.
type activity struct {
	busy   float64 // any kernel resident
	sm     float64 // streaming multiprocessors busy
	tensor float64 // tensor pipes at their peak
	memory float64 // HBM at its peak
	link   float64 // bytes sent over NVLink
}

// add accumulates b times a factor.
func (a *activity) add(b activity, factor float64) {
	a.busy += b.busy * factor
	a.sm += b.sm * factor
	a.tensor += b.tensor * factor
	a.memory += b.memory * factor
	a.link += b.link * factor
}

// spinning is one second of ranks waiting for each other in a collective: a kernel is resident on a few multiprocessors,
// and nothing is computed, read or sent.
var spinning = activity{busy: 1, sm: 0.06}

// powerShare is the power drawn as a share of the limit, 0 to 1, from shares of activity. The coefficients are a fit by
// judgement to reported ranges: loaded and idle 0.16, spinning 0.25 to 0.45, decode 0.5 to 0.8, prefill 0.85 and above.
func (a activity) powerShare() float64 {
	return min(1, 0.16+0.14*a.busy+0.45*a.memory+0.9*a.tensor)
}
