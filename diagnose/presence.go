package diagnose

import (
	"context"
	"fmt"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
)

// Expressions that find the subjects. A replica is there when its server says anything of its engine; a server that is down, or hides its vllm families, is known by what it was before.
var (
	targetsExpr = someOf("$target", `up`)
	serversExpr = someOf("$server, pod", `vllm:num_requests_running`, `vllm:kv_cache_usage_perc`, `vllm:generation_tokens_total`,
		`vllmscope_target_info{kind="vllm"}`, `http_requests_total{handler=~"/v1/.*"}`)
	replicasExpr = someOf("$replica", `vllm:num_requests_running`, `vllm:num_requests_waiting`, `vllm:num_requests_waiting_by_reason`,
		`vllm:kv_cache_usage_perc`, `vllm:generation_tokens_total`, `vllm:time_to_first_token_seconds_count`, `vllm:request_success_total{finished_reason="stop"}`)
	gpusExpr = someOf("$gpu, pod, namespace, exported_pod, exported_namespace", `DCGM_FI_DEV_GPU_UTIL_RATIO`, `DCGM_FI_DEV_GPU_TEMP_CELSIUS`,
		`DCGM_FI_DEV_BOARD_POWER_WATTS`, `DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO`, `DCGM_FI_DEV_XID_ERROR`, gpuRowsGone)
)

const (
	gpuRowsNow = `(DCGM_FI_DEV_GPU_UTIL_RATIO or DCGM_FI_DEV_GPU_TEMP_CELSIUS or DCGM_FI_DEV_BOARD_POWER_WATTS or DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO or DCGM_FI_DEV_XID_ERROR)`
	// A GPU whose rows ended within the hour is still there while its exporter shows others of the host. A slice comes and goes with how its
	// device is divided, and a GPU that went with the pod on it was moved or scaled down.
	gpuRowsGone = `(last_over_time(DCGM_FI_DEV_GPU_TEMP_CELSIUS{GPU_I_ID="",UUID!=""}[1h])
	                unless on (cluster, job, instance, UUID) ` + gpuRowsNow + ` and on (cluster, job, instance, Hostname) ` + gpuRowsNow + `
	                unless on (exported_pod) label_replace(` + podsGone + `, "exported_pod", "$1", "pod", "(.+)") unless on (pod) ` + podsGone + `)`
	podsGone = `(last_over_time(up{pod!=""}[1h]) unless up)`
)

// someOf says of whatever differs in some labels whether any of several series is there. Comparing those labels alone is the cheapest.
func someOf(by string, series ...string) string {
	return "group by (" + by + ") (" + strings.Join(series, " or on ("+by+") ") + ")"
}

// presence finds out which subjects exist at which ticks, and which GPUs belong to which server.
func (c *computation) presence(ctx context.Context) error {
	servers := make([][]serverPod, len(c.ticks))
	devices := make([][]device, len(c.ticks))
	finders := []struct {
		level Level
		expr  string
		found func(s Subject, ls labels.Labels, i int)
	}{
		{Target, targetsExpr, func(Subject, labels.Labels, int) {}},
		{Server, serversExpr, func(s Subject, ls labels.Labels, i int) {
			servers[i] = append(servers[i], serverPod{s, ls.Get("pod")})
		}},
		{Replica, replicasExpr, func(s Subject, _ labels.Labels, i int) { c.present(s.At(Model), i) }},
		{GPU, gpusExpr, func(s Subject, ls labels.Labels, i int) { devices[i] = append(devices[i], deviceOf(s, ls)) }},
	}
	for _, f := range finders {
		series, err := c.query(ctx, f.expr, 0, false, 0)
		if err != nil {
			return fmt.Errorf("finding each %s: %w", f.level, err)
		}
		for _, one := range series {
			s := subjectOf(f.level, one.Labels)
			if f.level == GPU && s.UUID == "" && s.Index == "" {
				continue // placeholder rows of an exporter that found no device
			}
			for _, p := range one.Points {
				if i := c.index(p.Time); i >= 0 {
					c.present(s, i)
					f.found(s, one.Labels, i)
				}
			}
		}
	}
	c.topology = make([]Topology, len(c.ticks))
	for i := range c.topology {
		c.topology[i] = newTopology(servers[i], devices[i], c.settings)
	}
	return nil
}

func (c *computation) present(s Subject, i int) {
	k := c.meet(s)
	if k.present == nil {
		k.present = make([]bool, len(c.ticks))
	}
	k.present[i] = true
}

// deviceOf reads the workload that holds a GPU. Through a Prometheus the workload's labels are called exported_…, and pod is the
// exporter itself; scraped directly, pod is the workload.
func deviceOf(s Subject, ls labels.Labels) device {
	if pod := ls.Get("exported_pod"); pod != "" {
		return device{Subject: s, pod: pod, podNamespace: ls.Get("exported_namespace")}
	}
	return device{Subject: s, pod: ls.Get("pod"), podNamespace: ls.Get("namespace")}
}
