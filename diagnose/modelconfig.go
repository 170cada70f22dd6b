package diagnose

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// modelConfig is what is read of a model's config.json (Hugging Face): the shapes of dense transformers, mixtures of experts, and
// latent attention. Families call the same size by different names.
type modelConfig struct {
	Type       string `json:"model_type"`
	Hidden     int    `json:"hidden_size"`
	Layers     int    `json:"num_hidden_layers"`
	Heads      int    `json:"num_attention_heads"`
	KVHeads    int    `json:"num_key_value_heads"`
	HeadSize   int    `json:"head_dim"`
	Vocabulary int    `json:"vocab_size"`
	Inner      int    `json:"intermediate_size"`
	Tied       *bool  `json:"tie_word_embeddings"`

	LocalExperts   int `json:"num_local_experts"` // Mixtral, Llama 4, gpt-oss
	Experts        int `json:"num_experts"`       // Qwen
	RoutedExperts  int `json:"n_routed_experts"`  // DeepSeek
	ExpertsPerTok  int `json:"num_experts_per_tok"`
	ExpertsPerTok2 int `json:"experts_per_token"`
	ExpertInner    int `json:"moe_intermediate_size"`
	SharedExperts  int `json:"n_shared_experts"`
	SharedInner    int `json:"shared_expert_intermediate_size"`
	FirstDense     int `json:"first_k_dense_replace"`
	SparseStep     int `json:"decoder_sparse_step"`
	MixtureStep    int `json:"interleave_moe_layer_step"` // Llama 4
	DenseInner     int `json:"intermediate_size_mlp"`     // of Llama 4's layers without experts

	QueryRank  int `json:"q_lora_rank"`
	LatentRank int `json:"kv_lora_rank"`
	Rope       int `json:"qk_rope_head_dim"`
	NoRope     int `json:"qk_nope_head_dim"`
	ValueSize  int `json:"v_head_dim"`

	Window       int           `json:"sliding_window"`
	UseWindow    *bool         `json:"use_sliding_window"`
	LayerTypes   []string      `json:"layer_types"`
	StateSpace   any           `json:"ssm_cfg"`
	StateSize    int           `json:"mamba_d_state"`
	Quantization *quantization `json:"quantization_config"`

	Text     json.RawMessage `json:"text_config"` // of models that also see or hear
	Language json.RawMessage `json:"language_config"`
	LLM      json.RawMessage `json:"llm_config"`
}

// ParseModelConfig reads the shape of a model from its config.json.
func ParseModelConfig(text []byte) (*Shape, error) {
	c, nested, err := readModelConfig(text)
	if err != nil {
		return nil, err
	}
	c.fillIn()
	if missing := c.missing(); len(missing) > 0 {
		return nil, fmt.Errorf("it lacks %s: is it the config.json of a language model?", strings.Join(missing, ", "))
	}
	if c.StateSpace != nil || c.StateSize > 0 || slices.ContainsFunc(c.LayerTypes, func(t string) bool { return !strings.HasSuffix(t, "attention") || strings.HasPrefix(t, "linear") }) {
		return nil, fmt.Errorf("some of its layers are no attention (state space, linear), whose sizes are not known here")
	}
	linear, expert, eight, err := c.Quantization.bytes()
	if err != nil {
		return nil, err
	}
	s := c.shape(linear, expert)
	s.EightBit = eight
	if c.Window > 0 && (c.UseWindow == nil || *c.UseWindow) {
		s.Notes = append(s.Notes, fmt.Sprintf("layers with a sliding window of %d tokens read less", c.Window))
	}
	if nested {
		s.Notes = append(s.Notes, "without the encoders of images or sound")
	}
	return s, nil
}

// readModelConfig reads the outer object, then the language model's own, if there is one, over it.
func readModelConfig(text []byte) (c modelConfig, nested bool, err error) {
	if err := json.Unmarshal(text, &c); err != nil {
		return c, false, fmt.Errorf("it is no config.json: %w", err)
	}
	for _, inner := range []json.RawMessage{c.Text, c.Language, c.LLM} {
		if len(inner) > 0 && string(inner) != "null" {
			if err := json.Unmarshal(inner, &c); err != nil {
				return c, false, fmt.Errorf("its part about the language model cannot be read: %w", err)
			}
			nested = true
		}
	}
	return c, nested, nil
}

// fillIn sets what follows from something else, as Transformers does.
func (c *modelConfig) fillIn() {
	if c.KVHeads == 0 {
		c.KVHeads = c.Heads
	}
	if c.HeadSize == 0 && c.Heads > 0 {
		c.HeadSize = c.Hidden / c.Heads
	}
	c.Experts = max(c.Experts, c.LocalExperts, c.RoutedExperts)
	c.ExpertsPerTok = max(c.ExpertsPerTok, c.ExpertsPerTok2)
	if c.ExpertInner == 0 {
		c.ExpertInner = c.Inner
	}
	if c.SharedInner == 0 {
		c.SharedInner = c.SharedExperts * c.ExpertInner
	}
	if c.Type == "llama4_text" || c.Type == "llama4" {
		c.SharedInner = c.Inner
	}
}

// missing lists what no shape can be made without.
func (c *modelConfig) missing() []string {
	var missing []string
	for _, m := range []struct {
		name  string
		lacks bool
	}{
		{"hidden_size", c.Hidden <= 0},
		{"num_hidden_layers", c.Layers <= 0},
		{"num_attention_heads", c.Heads <= 0},
		{"vocab_size", c.Vocabulary <= 0},
		{"intermediate_size", c.Inner <= 0 && c.ExpertInner <= 0},
		{"num_experts_per_tok", c.Experts > 1 && c.ExpertsPerTok <= 0},
		{"qk_rope_head_dim", c.LatentRank > 0 && c.Rope <= 0},
		{"qk_nope_head_dim", c.LatentRank > 0 && c.NoRope <= 0},
		{"v_head_dim", c.LatentRank > 0 && c.ValueSize <= 0},
	} {
		if m.lacks {
			missing = append(missing, m.name)
		}
	}
	return missing
}

// quantization is how weights were made smaller.
type quantization struct {
	Method    string  `json:"quant_method"`
	Algorithm string  `json:"quant_algo"`
	Bits      float64 `json:"bits"`
	Bits2     float64 `json:"w_bit"`
	FourBit   bool    `json:"load_in_4bit"`
	EightBit  bool    `json:"load_in_8bit"`
	Groups    map[string]struct {
		Weights     *numbers `json:"weights"`
		Activations *numbers `json:"input_activations"`
	} `json:"config_groups"`
}

type numbers struct {
	Bits float64 `json:"num_bits"`
	Type string  `json:"type"`
}

// half is what a weight takes that was not made smaller: vLLM serves float32 as float16.
const half = 2

// bytes are those of a weight of a matrix and of an expert, and whether the arithmetic is done in fp8. What scales of groups take
// is left out, save where four bits come in small blocks.
func (q *quantization) bytes() (linear, expert float64, eight bool, err error) {
	if q == nil {
		return half, half, false, nil
	}
	method := strings.ToLower(q.Method + " " + q.Algorithm)
	switch bits := max(q.Bits, q.Bits2); {
	case strings.Contains(method, "mxfp4"):
		return half, 4.25 / 8, false, nil // gpt-oss: the experts alone, a scale for each 32
	case strings.Contains(method, "nvfp4"):
		return 4.5 / 8, 4.5 / 8, false, nil // a scale for each 16
	case strings.Contains(method, "fp8"):
		return 1, 1, true, nil
	case bits > 0:
		return bits / 8, bits / 8, false, nil
	case q.FourBit:
		return 0.5, 0.5, false, nil
	case q.EightBit:
		return 1, 1, false, nil
	}
	if b, eight := q.grouped(); b > 0 {
		return b, b, eight, nil
	}
	return 0, 0, false, fmt.Errorf("its quantization_config says neither bits nor a method that is known here (quant_method %q)", Plain(q.Method))
}

// grouped is what compressed-tensors says: the bytes of a weight, 0 where it says none, and whether the arithmetic is done in fp8.
func (q *quantization) grouped() (bytes float64, eight bool) {
	for _, g := range q.Groups {
		if w, a := g.Weights, g.Activations; w != nil && w.Bits > 0 {
			return w.Bits / 8, w.Bits == 8 && w.Type == "float" && a != nil && a.Bits == 8
		}
	}
	return 0, false
}
