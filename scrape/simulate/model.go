package simulate

// model is the shape of a language model.
type model struct {
	name       string
	parameters float64
	layers     int
	kvHeads    int
	headSize   int
	hidden     int     // attention heads times head size
	bytes      float64 // for each weight and each KV element

	experts mixture // of a mixture of experts
}

// Shapes from the models' published configurations, in bf16.
var (
	llama8B  = model{"meta-llama/Llama-3.1-8B-Instruct", 8.03e9, 32, 8, 128, 4096, 2, mixture{}}
	llama70B = model{"meta-llama/Llama-3.3-70B-Instruct", 70.6e9, 80, 8, 128, 8192, 2, mixture{}}
	qwen30B  = model{"Qwen/Qwen3-30B-A3B-Instruct-2507", 30.5e9, 48, 4, 128, 4096, 2, mixture{29e9, 128, 8}}
)

// weights is the size of the model in bytes.
func (m model) weights() float64 { return m.parameters * m.bytes }

// kvBytes is the KV of one token: two (key and value) for each layer and KV head. 131,072 for Llama 8B, 327,680 for 70B.
func (m model) kvBytes() float64 { return 2 * float64(m.layers*m.kvHeads*m.headSize) * m.bytes }
