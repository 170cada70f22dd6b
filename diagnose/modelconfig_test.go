package diagnose

import (
	"math"
	"strings"
	"testing"
)

// What is worked out of published configurations is what their models are published to have.
func TestParseModelConfig(t *testing.T) {
	for _, row := range []struct {
		name, config  string
		all, active   float64 // parameters; active ones without the table of input embeddings
		read, kvBytes float64
		eight         bool
		notes         string
	}{
		{"Llama-3.1-8B", `{"hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":128256,
			"intermediate_size":14336,"tie_word_embeddings":false,"torch_dtype":"bfloat16"}`, 8.03e9, 7.5e9, 15.0e9, 131072, false, ""},
		{"Llama-3.3-70B in fp8", `{"hidden_size":8192,"num_hidden_layers":80,"num_attention_heads":64,"num_key_value_heads":8,"vocab_size":128256,
			"intermediate_size":28672,"quantization_config":{"quant_method":"compressed-tensors","config_groups":{"group_0":
			{"weights":{"num_bits":8,"type":"float"},"input_activations":{"num_bits":8,"type":"float"}}}}}`, 70.6e9, 69.5e9, 70.6e9, 327680, true, ""},
		{"Qwen2.5-7B by AWQ", `{"hidden_size":3584,"num_hidden_layers":28,"num_attention_heads":28,"num_key_value_heads":4,"vocab_size":152064,
			"intermediate_size":18944,"sliding_window":131072,"use_sliding_window":false,"quantization_config":{"quant_method":"awq","bits":4}}`, 7.6e9, 7.07e9, 4.35e9, 57344, false, ""},
		{"Mixtral-8x7B", `{"hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"vocab_size":32000,
			"intermediate_size":14336,"num_local_experts":8,"num_experts_per_tok":2,"sliding_window":null}`, 46.7e9, 12.8e9, 93.1e9, 131072, false, ""},
		{"Qwen3-30B-A3B", `{"hidden_size":2048,"num_hidden_layers":48,"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"vocab_size":151936,
			"intermediate_size":6144,"moe_intermediate_size":768,"num_experts":128,"num_experts_per_tok":8,"decoder_sparse_step":1}`, 30.5e9, 3.03e9, 60.4e9, 98304, false, ""},
		{"DeepSeek-V3", `{"hidden_size":7168,"num_hidden_layers":61,"num_attention_heads":128,"num_key_value_heads":128,"vocab_size":129280,
			"intermediate_size":18432,"moe_intermediate_size":2048,"n_routed_experts":256,"num_experts_per_tok":8,"n_shared_experts":1,"first_k_dense_replace":3,
			"q_lora_rank":1536,"kv_lora_rank":512,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,
			"quantization_config":{"quant_method":"fp8"}}`, 671e9, 36.6e9, 671e9, 70272, true, ""},
		{"gpt-oss-120b", `{"hidden_size":2880,"num_hidden_layers":36,"num_attention_heads":64,"num_key_value_heads":8,"head_dim":64,"vocab_size":201088,
			"intermediate_size":2880,"num_local_experts":128,"experts_per_token":4,"sliding_window":128,"layer_types":["sliding_attention","full_attention"],
			"quantization_config":{"quant_method":"mxfp4"}}`, 116.8e9, 5.1e9, 64e9, 73728, false, "sliding window of 128"},
		{
			"gemma-3-27b", `{"model_type":"gemma3","torch_dtype":"bfloat16","text_config":{"model_type":"gemma3_text","hidden_size":5376,"num_hidden_layers":62,
			"num_attention_heads":32,"num_key_value_heads":16,"head_dim":128,"vocab_size":262208,"intermediate_size":21504,"sliding_window":1024}}`,
			27.0e9, 27.0e9, 54e9, 507904, false, "without the encoders",
		},
	} {
		s, err := ParseModelConfig([]byte(row.config))
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		for what, pair := range map[string][2]float64{
			"parameters": {s.Parameters, row.all}, "active": {s.Active, row.active}, "bytes": {s.StepBytes + s.ExpertBytes, row.read}, "KV": {s.KVBytes, row.kvBytes},
		} {
			if math.Abs(pair[0]/pair[1]-1) > 0.025 {
				t.Errorf("%s: %s is %.4g, published %.4g", row.name, what, pair[0], pair[1])
			}
		}
		if s.EightBit != row.eight || !strings.Contains(s.String(), row.notes) {
			t.Errorf("%s: in fp8 %t, %q", row.name, s.EightBit, s)
		}
	}
}

// A file that no shape can be made of says what it lacks.
func TestParseModelConfigRefuses(t *testing.T) {
	whole := `"hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"vocab_size":32000,"intermediate_size":14336`
	for config, want := range map[string]string{
		``:                                 "no config.json",
		`[]`:                               "no config.json",
		`{}`:                               "lacks hidden_size, num_hidden_layers, num_attention_heads, vocab_size, intermediate_size",
		`{"hidden_size":"many"}`:           "no config.json",
		`{` + whole + `,"num_experts":8}`:  "lacks num_experts_per_tok",
		`{` + whole + `,"kv_lora_rank":8}`: "lacks qk_rope_head_dim, qk_nope_head_dim, v_head_dim",
		`{` + whole + `,"layer_types":["linear_attention","full_attention"]}`:    "no attention",
		`{` + whole + `,"quantization_config":{"quant_method":"new\u001b[31m"}}`: `quant_method "new\\x1b[31m"`,
		`{"text_config":{"hidden_size":[]}}`:                                     "part about the language model",
	} {
		if _, err := ParseModelConfig([]byte(config)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", config, err, want)
		}
	}
}
