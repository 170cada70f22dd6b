package diagnose

import (
	"math"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/promqltest"
)

// rewriterFor knows the names and old labels given.
func rewriterFor(names ...string) rewriter {
	r := rewriter{names: map[string]bool{}, labels: map[string]bool{}}
	for _, n := range names {
		r.names[n] = true
	}
	return r
}

const onTarget = " or on (cluster, namespace, job, instance, model_name) "

func TestRewriteTakesPresentSpellings(t *testing.T) {
	tests := []struct {
		name, expr, want string
		present          []string
	}{
		{
			"the new name alone stays", `rate(vllm:prefix_cache_hits_total[1m])`, `rate(vllm:prefix_cache_hits_total[1m])`,
			[]string{"vllm:prefix_cache_hits_total"},
		},
		{
			"nothing present stays", `vllm:kv_cache_usage_perc`, `vllm:kv_cache_usage_perc`, nil,
		},
		{
			"the old name alone", `max by (instance) (vllm:kv_cache_usage_perc)`, `max by (instance) ((vllm:gpu_cache_usage_perc))`,
			[]string{"vllm:gpu_cache_usage_perc"},
		},
		{
			"both, new first", `vllm:kv_cache_usage_perc`, `(vllm:kv_cache_usage_perc` + onTarget + `vllm:gpu_cache_usage_perc)`,
			[]string{"vllm:gpu_cache_usage_perc", "vllm:kv_cache_usage_perc"},
		},
		{
			"round the call, not in it", `rate(vllm:prefix_cache_hits_total[1m])`,
			`(rate(vllm:prefix_cache_hits_total[1m])` + onTarget + `rate(vllm:gpu_prefix_cache_hits_total[1m]))`,
			[]string{"vllm:prefix_cache_hits_total", "vllm:gpu_prefix_cache_hits_total"},
		},
		{
			"the parts of a histogram", `rate(vllm:inter_token_latency_seconds_bucket[1m])`, `(rate(vllm:time_per_output_token_seconds_bucket[1m]))`,
			[]string{"vllm:time_per_output_token_seconds_bucket"},
		},
		{
			"a histogram whose name ends like a counter", `rate(vllm:iteration_tokens_total_sum[1m])`, `rate(vllm:iteration_tokens_total_sum[1m])`,
			[]string{"vllm:iteration_tokens_total_sum"},
		},
		{
			"Ray's spelling", `vllm:num_requests_running`, `(ray_vllm_num_requests_running)`, []string{"ray_vllm_num_requests_running"},
		},
		{
			"matchers stay", `rate(vllm:request_success_total{finished_reason="length"}[1m])`,
			`(rate(ray_vllm:request_success_total{finished_reason="length"}[1m]))`,
			[]string{"ray_vllm:request_success_total"},
		},
		{
			"another unit, outside the call", `avg_over_time(DCGM_FI_DEV_SM_CLOCK_HERTZ[1m]) / 2`,
			`((avg_over_time(DCGM_FI_DEV_SM_CLOCK[1m]) * 1e+06)) / 2`,
			[]string{"DCGM_FI_DEV_SM_CLOCK"},
		},
		{
			"inside a subquery and a minus", `-max_over_time(sum by (instance) (vllm:kv_cache_usage_perc)[5m:1m])`,
			`-max_over_time(sum by (instance) ((vllm:gpu_cache_usage_perc))[5m:1m])`,
			[]string{"vllm:gpu_cache_usage_perc"},
		},
		{
			"with an offset", `vllm:kv_cache_usage_perc offset 5m`, `(vllm:gpu_cache_usage_perc offset 5m)`, []string{"vllm:gpu_cache_usage_perc"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree, err := rewriterFor(tt.present...).rewrite(tt.expr)
			if err != nil {
				t.Fatal(err)
			}
			got := tree.String()
			if want := mustParse(t, tt.want); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if again := mustParse(t, got); again != got {
				t.Errorf("printing and parsing again changes it: %s", again)
			}
		})
	}
}

func mustParse(t *testing.T, expr string) string {
	t.Helper()
	tree, err := promqlParser.ParseExpr(expr)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	return tree.String()
}

func TestRewriteRefusesToScaleWhatDoesNotScale(t *testing.T) {
	r := rewriterFor("DCGM_FI_DEV_SM_CLOCK")
	if got, err := r.rewrite(`changes(DCGM_FI_DEV_SM_CLOCK_HERTZ[1m])`); err == nil {
		t.Errorf("changes over another unit became %s", got)
	}
}

// The catalogue can be rewritten whatever names the targets have: every spelling at once is the hardest case.
func TestCatalogueIsRewritableWithEverySpelling(t *testing.T) {
	r := rewriterFor()
	for family, older := range spellings {
		for _, suffix := range []string{"", "_bucket", "_sum", "_count"} {
			r.names[family+suffix] = true
			for _, s := range older {
				r.names[s.name+suffix] = true
			}
		}
	}
	for _, l := range labelSpellings {
		r.labels[l.old] = true
	}
	set := Settings{Step: 5 * time.Second}
	for _, s := range Default().Signals {
		if s.Expr == "" {
			continue
		}
		tree, err := r.rewrite(fill(s.Expr, set, s.Window))
		if err != nil {
			t.Errorf("%s: %v", s.ID, err)
			continue
		}
		if got := tree.String(); mustParse(t, got) != got {
			t.Errorf("%s does not print as it parses:\n%s\n%s", s.ID, got, mustParse(t, got))
		}
	}
}

// Two names of one signal are one signal: on targets that have the new name, the old, both, another unit or another label.
func TestRewrittenExpressionsNeverAddTwoNames(t *testing.T) {
	storage := promqltest.LoadedStorage(t, `
load 10s
  vllm:kv_cache_usage_perc{instance="new", engine="0", model_name="m"} 0.5x20
  vllm:gpu_cache_usage_perc{instance="old", model_name="m"} 0.25x20
  vllm:kv_cache_usage_perc{instance="both", engine="0", model_name="m"} 0.5x20
  vllm:gpu_cache_usage_perc{instance="both", model_name="m"} 0.5x20
  ray_vllm_kv_cache_usage_perc{instance="ray", model_name="m"} 0.75x20
  vllm:kv_cache_usage_perc{instance="triton", model="m"} 0.1x20
  vllm:prompt_tokens_total{instance="both", model_name="m"} 0+10x20
  ray_vllm_prompt_tokens_total{instance="both", model_name="m"} 0+10x20
  DCGM_FI_DEV_GPU_UTIL{instance="percent", UUID="a"} 50x20
  DCGM_FI_DEV_GPU_UTIL_RATIO{instance="ratio", UUID="a"} 0.5x20
  DCGM_FI_DEV_GPU_UTIL_RATIO{instance="ratio in percent", UUID="a"} 50x20
  vllmscope_unit{instance="ratio in percent", family="DCGM_FI_DEV_GPU_UTIL_RATIO", unit="percent"} 1x20
`)
	r := rewriterFor("vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc", "ray_vllm_kv_cache_usage_perc", "vllm:prompt_tokens_total",
		"ray_vllm_prompt_tokens_total", "DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_GPU_UTIL_RATIO")
	r.labels["model"] = true
	tests := []struct {
		expr string
		want map[string]float64
	}{
		{`sum by (instance, model_name) (vllm:kv_cache_usage_perc)`, map[string]float64{"new": 0.5, "old": 0.25, "both": 0.5, "ray": 0.75, "triton": 0.1}},
		{`sum by (instance) (rate(vllm:prompt_tokens_total[1m]))`, map[string]float64{"both": 1}},
		{`sum by (instance) (quantile_over_time(0.5, vllm:kv_cache_usage_perc[1m]))`, map[string]float64{"new": 0.5, "old": 0.25, "both": 0.5, "ray": 0.75, "triton": 0.1}},
		{`avg by (instance) (avg_over_time(DCGM_FI_DEV_GPU_UTIL_RATIO[1m]))`, map[string]float64{"percent": 0.5, "ratio": 0.5, "ratio in percent": 0.5}},
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 10000, Timeout: time.Minute})
	for _, tt := range tests {
		tree, err := r.rewrite(tt.expr)
		if err != nil {
			t.Fatal(err)
		}
		query, err := engine.NewInstantQuery(t.Context(), storage, nil, tree.String(), time.Unix(150, 0))
		if err != nil {
			t.Fatal(err)
		}
		vector, err := query.Exec(t.Context()).Vector()
		if err != nil {
			t.Fatalf("%s: %v", tree, err)
		}
		got := map[string]float64{}
		for _, sample := range vector {
			instance := sample.Metric.Get("instance")
			if _, twice := got[instance]; twice {
				t.Errorf("%s: %s comes twice", tt.expr, instance)
			}
			got[instance] = sample.F
			if name := sample.Metric.Get("model_name"); sample.Metric.Has("model_name") && name != "m" {
				t.Errorf("%s: model_name %q", tt.expr, name)
			}
		}
		for instance, want := range tt.want {
			if math.Abs(got[instance]-want) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", tt.expr, instance, got[instance], want)
			}
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v", tt.expr, got)
		}
	}
}

func TestSubjectsKeepTheirNames(t *testing.T) {
	ls := labels.FromStrings("instance", "gpu-a:8000", "model_name", "m")
	if got := subjectOf(Replica, ls); got.Engine != "0" || got.Name() != "gpu-a:8000" {
		t.Errorf("a server without engine label: %+v", got)
	}
	ls = labels.FromStrings("instance", "gpu-a:8000", "model_name", "m", "engine", "11")
	if got := subjectOf(Replica, ls).Name(); got != "gpu-a:8000 engine 11" {
		t.Errorf("got %q", got)
	}
	two := subjectOf(Replica, labels.FromStrings("engine", "2"))
	if two.Compare(subjectOf(Replica, labels.FromStrings("engine", "11"))) >= 0 {
		t.Error("engine 11 comes before engine 2")
	}
}

// What has no value on the present targets is not evaluated.
func TestExpressionsThatLackAFamilyAreFutile(t *testing.T) {
	r := resolver{rewriter: rewriter{names: map[string]bool{"there": true}}, resolved: map[resolvedKey]resolvedExpr{}}
	for expr, futile := range map[string]bool{
		`there`: false, `gone`: true, `there + gone`: true, `there or gone`: false, `gone or there`: false, `there and gone`: true,
		`there unless gone`: false, `gone unless there`: true, `sum(rate(gone[1m])) or 0 * sum(there)`: false, `time() - gone`: true,
		`(gone or there) - gone`: true, `max_over_time((there - gone)[1m:5s])`: true, `time()`: false,
	} {
		got, err := r.resolve(expr, Settings{Step: time.Second}, 0, false)
		if err != nil || got.futile != futile {
			t.Errorf("%s: futile %v, want %v; error %v", expr, got.futile, futile, err)
		}
	}
}
