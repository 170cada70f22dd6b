package diagnose

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/promqltest"
)

// aliases are all older names of a metric, with what their values times are those of the newest name.
var aliases = []struct {
	name, old string
	factor    float64
}{
	{"vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", 1},
	{"vllm:inter_token_latency_seconds_sum", "vllm:time_per_output_token_seconds_sum", 1},
	{"vllm:prefix_cache_hits_total", "vllm:prefix_cache_hits", 1},
	{"vllm:prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits_total", 1},
	{"vllm:prefix_cache_queries_total", "vllm:prefix_cache_queries", 1},
	{"vllm:prefix_cache_queries_total", "vllm:gpu_prefix_cache_queries_total", 1},
	{"vllm:request_queue_time_seconds_sum", "vllm:time_in_queue_requests_sum", 1},
	{"DCGM_FI_DEV_GPU_UTIL_RATIO", "DCGM_FI_DEV_GPU_UTIL", 0.01},
	{"DCGM_FI_DEV_GPU_UTIL_RATIO", "nvidia_smi_utilization_gpu_ratio", 1},
	{"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", 1},
	{"DCGM_FI_PROF_SM_UTIL_RATIO", "DCGM_FI_PROF_SM_ACTIVE", 1},
	{"DCGM_FI_PROF_TENSOR_UTIL_RATIO", "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", 1},
	{"DCGM_FI_PROF_DRAM_UTIL_RATIO", "DCGM_FI_PROF_DRAM_ACTIVE", 1},
	{"DCGM_FI_DEV_SM_CLOCK_HERTZ", "DCGM_FI_DEV_SM_CLOCK", 1_000_000},
	{"DCGM_FI_DEV_SM_CLOCK_HERTZ", "nvidia_smi_clocks_current_sm_clock_hz", 1},
	{"DCGM_FI_DEV_MEMORY_CLOCK_HERTZ", "DCGM_FI_DEV_MEM_CLOCK", 1_000_000},
	{"DCGM_FI_DEV_MEMORY_CLOCK_HERTZ", "nvidia_smi_clocks_current_memory_clock_hz", 1},
	{"DCGM_FI_DEV_MAX_SM_CLOCK_HERTZ", "DCGM_FI_DEV_MAX_SM_CLOCK", 1_000_000},
	{"DCGM_FI_DEV_MAX_SM_CLOCK_HERTZ", "nvidia_smi_clocks_max_sm_clock_hz", 1},
	{"DCGM_FI_DEV_BOARD_POWER_WATTS", "DCGM_FI_DEV_POWER_USAGE", 1},
	{"DCGM_FI_DEV_BOARD_POWER_WATTS", "nvidia_smi_power_draw_watts", 1},
	{"DCGM_FI_DEV_GPU_TEMP_CELSIUS", "DCGM_FI_DEV_GPU_TEMP", 1},
	{"DCGM_FI_DEV_GPU_TEMP_CELSIUS", "nvidia_smi_temperature_gpu", 1},
	{"DCGM_FI_DEV_FB_USED_BYTES", "DCGM_FI_DEV_FB_USED", 1 << 20},
	{"DCGM_FI_DEV_FB_USED_BYTES", "nvidia_smi_memory_used_bytes", 1},
	{"DCGM_FI_DEV_FB_FREE_BYTES", "DCGM_FI_DEV_FB_FREE", 1 << 20},
	{"DCGM_FI_DEV_FB_FREE_BYTES", "nvidia_smi_memory_free_bytes", 1},
	{"DCGM_FI_DEV_XID_ERROR", "DCGM_FI_DEV_XID_ERRORS", 1},
	{"DCGM_FI_DEV_ROW_REMAP_FAILED", "DCGM_FI_DEV_ROW_REMAP_FAILURE", 1},
	{"DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL", "DCGM_FI_DEV_THERMAL_VIOLATION", 1e-9},
	{"DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", "DCGM_FI_DEV_ENFORCED_POWER_LIMIT", 1},
	{"DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", "nvidia_smi_enforced_power_limit_watts", 1},
	{"DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", "DCGM_FI_DEV_POWER_MGMT_LIMIT", 1},
	{"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", 1},
	{"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "nvidia_smi_clocks_event_reasons_active", 1},
	{"DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL", "DCGM_FI_DEV_POWER_VIOLATION", 1e-9},
	{"DCGM_FI_DEV_BOARD_POWER_LIMIT_DEFAULT_WATTS", "DCGM_FI_DEV_POWER_MGMT_LIMIT_DEF", 1},
	{"DCGM_FI_DEV_BOARD_POWER_LIMIT_DEFAULT_WATTS", "nvidia_smi_power_default_limit_watts", 1},
	{"DCGM_FI_DEV_MEMORY_CLOCK_HERTZ", "DCGM_FI_DEV_MEM_CLOCK", 1_000_000},
	{"DCGM_FI_DEV_MEMORY_CLOCK_HERTZ", "nvidia_smi_clocks_current_memory_clock_hz", 1},
	{"DCGM_FI_DEV_FB_USED_BYTES", "DCGM_FI_DEV_FB_USED", 1 << 20},
	{"DCGM_FI_DEV_FB_USED_BYTES", "nvidia_smi_memory_used_bytes", 1},
	{"DCGM_FI_DEV_FB_FREE_BYTES", "DCGM_FI_DEV_FB_FREE", 1 << 20},
	{"DCGM_FI_DEV_FB_RESERVED_BYTES", "DCGM_FI_DEV_FB_RESERVED", 1 << 20},
	{"DCGM_FI_DEV_FB_CAPACITY_BYTES", "DCGM_FI_DEV_FB_TOTAL", 1 << 20},
	{"DCGM_FI_DEV_FB_CAPACITY_BYTES", "nvidia_smi_memory_total_bytes", 1},
	{"DCGM_FI_DEV_GPU_RECOVERY_ACTION", "DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION", 1},
	{"DCGM_FI_DEV_PCIE_REPLAY_TOTAL", "DCGM_FI_DEV_PCIE_REPLAY_COUNTER", 1},
	{"DCGM_FI_DEV_PCIE_LINK_WIDTH", "nvidia_smi_pcie_link_width_current", 1},
	{"DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH", "nvidia_smi_pcie_link_width_max", 1},
	{"DCGM_FI_DEV_PCIE_LINK_GEN", "nvidia_smi_pcie_link_gen_current", 1},
	{"DCGM_FI_DEV_PCIE_MAX_LINK_GEN", "nvidia_smi_pcie_link_gen_max", 1},
	{"DCGM_FI_PROF_PCIE_TX_BYTES", "DCGM_FI_DEV_PCIE_TX_THROUGHPUT", 1000},
	{"DCGM_FI_PROF_PCIE_RX_BYTES", "DCGM_FI_DEV_PCIE_RX_THROUGHPUT", 1000},
	{"DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL", "DCGM_FI_DEV_NVLINK_ERROR_DL_CRC", 1},
	{"DCGM_FI_DEV_NVLINK_CRC_ERROR_TOTAL", "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL", 1},
	{"DCGM_FI_DEV_NVLINK_REPLAY_TOTAL", "DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY", 1},
	{"DCGM_FI_DEV_NVLINK_REPLAY_TOTAL", "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL", 1},
	{"DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL", "DCGM_FI_DEV_NVLINK_ERROR_DL_RECOVERY", 1},
	{"DCGM_FI_DEV_NVLINK_RECOVERY_TOTAL", "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL", 1},
	{"vllm:num_requests_running", "ray_vllm:num_requests_running", 1},
	{"vllm:num_requests_running", "ray_vllm_num_requests_running", 1},
	{"vllm:num_requests_running", "vllm_num_requests_running", 1},
	{"vllm:num_requests_running", "kserve_vllm:num_requests_running", 1},
	{"vllm:num_requests_running", "kserve_vllm_num_requests_running", 1},
}

// A target with the old name reads as one with the new; one with both is not twice as much.
func TestOlderNamesReadAsTheNewest(t *testing.T) {
	for _, a := range aliases {
		t.Run(a.old, func(t *testing.T) {
			text := fmt.Sprintf("load 10s\n %s{instance=\"old\"} 50x20\n %s{instance=\"new\"} %gx20\n", a.old, a.name, 50*a.factor) +
				fmt.Sprintf(" %s{instance=\"both\", more=\"x\"} 50x20\n %s{instance=\"both\"} %gx20\n", a.old, a.name, 50*a.factor)
			got := evaluated(t, text, rewriterFor(a.name, a.old), "sum by (instance) ("+a.name+")", "instance")
			for _, instance := range []string{"old", "new", "both"} {
				if math.Abs(got[instance]/(50*a.factor)-1) > 1e-9 {
					t.Errorf("%s reads %v, want %v", instance, got[instance], 50*a.factor)
				}
			}
		})
	}
}

// labelAliases are all older names of a label, on a metric that has it.
var labelAliases = []struct{ metric, old, name string }{
	{"vllm:num_requests_running", "model", "model_name"},
	{"vllm:request_success_total", "finish_reason", "finished_reason"},
	{"DCGM_FI_DEV_GPU_TEMP_CELSIUS", "hostname", "Hostname"},
	{"DCGM_FI_DEV_GPU_TEMP_CELSIUS", "uuid", "UUID"},
	{"DCGM_FI_DEV_GPU_TEMP_CELSIUS", "gpu_uuid", "UUID"},
}

func TestOlderLabelsReadAsTheNewest(t *testing.T) {
	for _, a := range labelAliases {
		t.Run(a.old, func(t *testing.T) {
			text := fmt.Sprintf("load 10s\n %[1]s{instance=\"a\", %[2]s=\"old\"} 1x20\n %[1]s{instance=\"b\", %[3]s=\"new\"} 2x20\n", a.metric, a.old, a.name)
			r := rewriterFor(a.metric)
			r.labels[a.old] = true
			for _, expr := range []string{a.metric, a.metric + "{" + a.name + `=~"old|new"}`} {
				got := evaluated(t, text, r, "sum by ("+a.name+") ("+expr+")", a.name)
				if want := map[string]float64{"old": 1, "new": 2}; !maps.Equal(got, want) {
					t.Errorf("%s: got %v, want %v", expr, got, want)
				}
			}
		})
	}
}

// evaluated rewrites an expression, evaluates it over some series, and returns the values by a label.
func evaluated(t *testing.T, series string, r rewriter, expr, label string) map[string]float64 {
	t.Helper()
	tree, err := r.rewrite(expr)
	if err != nil {
		t.Fatal(err)
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 10000, Timeout: time.Minute})
	query, err := engine.NewInstantQuery(t.Context(), promqltest.LoadedStorage(t, series), nil, tree.String(), time.Unix(150, 0))
	if err != nil {
		t.Fatal(err)
	}
	vector, err := query.Exec(t.Context()).Vector()
	if err != nil {
		t.Fatalf("%s: %v", tree, err)
	}
	values := map[string]float64{}
	for _, sample := range vector {
		values[sample.Metric.Get(label)] += sample.F
	}
	return values
}

// The tables above are whole.
func TestEveryAliasIsTested(t *testing.T) {
	tested := map[string]bool{}
	for _, a := range aliases {
		name, _ := familyOf(a.name)
		old, _ := familyOf(a.old)
		tested[name+" "+old] = true
	}
	for family, older := range spellings {
		for _, s := range older {
			if s.marker == "" && !tested[family+" "+s.name] {
				t.Errorf("%s as %s is not in the table", family, s.name)
			}
		}
	}
	for _, l := range labelSpellings {
		if !slices.ContainsFunc(labelAliases, func(a struct{ metric, old, name string }) bool { return a.old == l.old && a.name == l.name }) {
			t.Errorf("label %s as %s is not in the table", l.name, l.old)
		}
	}
}

// An alias that nothing reads is a row too many.
func TestEveryAliasIsRead(t *testing.T) {
	var text strings.Builder
	for _, s := range Default().Signals {
		text.WriteString(s.Expr + " ")
	}
	for _, d := range Default().Distributions {
		text.WriteString(d.Expr + " ")
	}
	for family := range spellings {
		if !strings.Contains(text.String(), family) {
			t.Errorf("no signal reads %s", family)
		}
	}
}
