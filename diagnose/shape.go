package diagnose

import (
	"fmt"
	"math"
	"strings"
)

// Shape is what a model's size makes a step of the engine cost. Weights are counted as matrix products use them: the table of input
// embeddings, of which a token reads one row, is in Parameters alone.
type Shape struct {
	Parameters float64 // in all
	Active     float64 // multiplied for each token
	Bytes      float64 // of a weight, on average over those that a full step reads

	StepBytes   float64 // of the weights that every step reads
	ExpertBytes float64 // of all experts that tokens are routed to; 0 without experts
	Idle        float64 // the chance that a token is routed past an expert

	KVBytes   float64 // of one token of context, in 16 bits a number
	PairFlops float64 // of attention, for a token and one that it attends to
	EightBit  bool    // matrix products are done in fp8
	Notes     []string
}

// shape adds up the sizes of the layers. linear and expert are the bytes of a weight.
func (c *modelConfig) shape(linear, expert float64) *Shape {
	hidden, vocabulary := float64(c.Hidden), float64(c.Vocabulary)
	sparse := c.sparseLayers()
	inner := float64(c.Inner)
	if c.DenseInner > 0 {
		inner = float64(c.DenseInner)
	}
	always := float64(c.Layers)*c.attention() + float64(c.Layers-sparse)*c.gates()*hidden*inner
	routed := 0.0
	if sparse > 0 {
		always += float64(sparse) * (3*hidden*float64(c.SharedInner) + hidden*float64(c.Experts))
		routed = float64(sparse*c.Experts) * 3 * hidden * float64(c.ExpertInner)
	}
	head := hidden * vocabulary
	s := &Shape{
		Parameters: always + routed + head, Active: always + head,
		StepBytes: always*linear + head*half, ExpertBytes: routed * expert,
		KVBytes: float64(c.Layers) * c.kvNumbers() * half, PairFlops: 4 * float64(c.Layers) * c.attended(),
	}
	if !c.tied() {
		s.Parameters += head
	}
	if routed > 0 {
		share := float64(c.ExpertsPerTok) / float64(c.Experts)
		s.Active += routed * share
		s.Idle = 1 - share
	}
	s.Bytes = (s.StepBytes + s.ExpertBytes) / (always + routed + head)
	return s
}

// sparseLayers is the number of layers with experts.
func (c *modelConfig) sparseLayers() int {
	if c.Experts <= 1 {
		return 0
	}
	return (c.Layers - c.FirstDense) / max(1, c.SparseStep, c.MixtureStep)
}

// attention is the number of weights of a layer's attention.
func (c *modelConfig) attention() float64 {
	hidden, heads := float64(c.Hidden), float64(c.Heads)
	if c.LatentRank == 0 {
		return hidden * float64(c.HeadSize) * 2 * (heads + float64(c.KVHeads))
	}
	query := hidden * heads * float64(c.NoRope+c.Rope)
	if c.QueryRank > 0 {
		query = float64(c.QueryRank) * (hidden + heads*float64(c.NoRope+c.Rope))
	}
	latent := float64(c.LatentRank)
	return query + hidden*(latent+float64(c.Rope)) + latent*heads*float64(c.NoRope+c.ValueSize) + heads*float64(c.ValueSize)*hidden
}

// kvNumbers is how many numbers a layer keeps of a token: keys and values, or what both are made of.
func (c *modelConfig) kvNumbers() float64 {
	if c.LatentRank > 0 {
		return float64(c.LatentRank + c.Rope)
	}
	return 2 * float64(c.KVHeads*c.HeadSize)
}

// attended is how many numbers a layer multiplies for a pair of tokens.
func (c *modelConfig) attended() float64 {
	if c.LatentRank > 0 {
		return float64(c.Heads) * float64(c.NoRope+c.Rope+c.ValueSize) / 2
	}
	return float64(c.Heads * c.HeadSize)
}

// gates is how many matrices a layer without experts has behind its attention: older families have no gate.
func (c *modelConfig) gates() float64 {
	switch c.Type {
	case "opt", "gpt2", "gpt_neox", "gptj", "bloom", "mpt", "falcon", "phi", "starcoder2", "gpt_bigcode":
		return 2
	}
	return 3
}

// tied tells whether the input embeddings are the output's too. Gemma alone leaves that unsaid.
func (c *modelConfig) tied() bool {
	if c.Tied == nil {
		return strings.HasPrefix(c.Type, "gemma")
	}
	return *c.Tied
}

// value is a figure of the shape by the name of its setting; NaN where there is none of that name.
func (s *Shape) value(name string) float64 {
	if s == nil {
		return math.NaN()
	}
	switch name {
	case "shape_active":
		return s.Active
	case "shape_bytes":
		return s.Bytes
	case "shape_step_bytes":
		return s.StepBytes
	case "shape_expert_bytes":
		return s.ExpertBytes
	case "shape_idle":
		return s.Idle
	case "shape_kv_bytes":
		return s.KVBytes
	case "shape_pair_flops":
		return s.PairFlops
	case "shape_eight_bit":
		if s.EightBit {
			return 1
		}
		return 0
	case "shape_parameters":
		return s.Parameters
	}
	return math.NaN()
}

// String says the shape in a few words, with what its arithmetic leaves out.
func (s *Shape) String() string {
	text := fmt.Sprintf("%s a token, %s a weight", compact(s.Active), joinUnit(significant(s.Bytes), "bytes"))
	return strings.Join(append([]string{text}, s.Notes...), "; ")
}
