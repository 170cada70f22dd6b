package print

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"

	"github.com/vllmscope/vllmscope/diagnose"
)

// curve is one line of a panel: a signal, or a level that it is compared with.
type curve struct {
	signal string
	name   string // in the legend; the signal's title when empty
	right  bool   // on an axis of its own
	dashed bool   // a bound
}

// panel is what is looked at together, since it tells together what one of it does not.
type panel struct {
	title  string
	unit   string // of Grafana
	other  string // of the right axis
	stack  bool
	line   string // which level to draw across
	curves []curve
}

// dashboardPanels are those of the page of a replica.
var dashboardPanels = []panel{
	{title: "Queue", unit: "short", curves: []curve{{signal: "waiting"}, {signal: "running"}, {signal: "sequence_cap", dashed: true}}},
	{title: "KV cache and preemptions", unit: "percentunit", other: "short", line: "kv_full", curves: []curve{{signal: "kv_usage"}, {signal: "preemptions_per_minute", right: true}}},
	{title: "Throughput and GPUs", unit: "short", other: "percentunit", curves: []curve{
		{signal: "generation_tokens_per_second"}, {signal: "prompt_tokens_per_second"}, {signal: "gpu_busy", right: true}, {signal: "tensor_active", right: true},
	}},
	{title: "Time to the first token", unit: "s", line: "slo_ttft", curves: []curve{{signal: "ttft_p50"}, {signal: "ttft_p95"}, {signal: "ttft_p99"}}},
	{title: "Time between tokens", unit: "s", line: "slo_tpot", curves: []curve{{signal: "tpot_p50"}, {signal: "tpot_p95"}, {signal: "tpot_p99"}, {signal: "itl_p99"}}},
	{title: "Where the time goes", unit: "s", stack: true, curves: []curve{{signal: "frontend_gap"}, {signal: "queue_average"}, {signal: "prefill_average"}, {signal: "decode_average"}}},
	{title: "Prefix cache", unit: "percentunit", curves: []curve{{signal: "prefix_hit_share"}, {signal: "prefix_hit_before"}}},
	{title: "Late requests", unit: "percentunit", curves: []curve{{signal: "ttft_over_slo"}, {signal: "itl_over_slo"}}},
	{title: "Requests", unit: "reqps", curves: []curve{{signal: "finished_per_second"}, {signal: "http_server_errors"}, {signal: "http_client_errors"}, {signal: "left"}}},
	{title: "API process", unit: "short", other: "s", curves: []curve{{signal: "api_cpu_cores"}, {signal: "hidden"}, {signal: "scrape_seconds_median", right: true}}},
	{title: "GPU heat and clock", unit: "percentunit", other: "celsius", curves: []curve{{signal: "gpu_clock_share"}, {signal: "gpu_power_share"}, {signal: "gpu_temperature", right: true}}},
	{title: "Roofline", unit: "percentunit", other: "short", curves: []curve{
		{signal: "hbm_share"}, {signal: "mfu_share"}, {signal: "dram_active"}, {signal: "step_over_floor", right: true},
	}},
	{title: "Speculation", unit: "percentunit", other: "short", curves: []curve{{signal: "acceptance"}, {signal: "drafted_share"}, {signal: "tokens_per_draft", right: true}}},
	{title: "KV transfers", unit: "s", other: "short", curves: []curve{
		{signal: "transfer_average"}, {signal: "transfer_p95"}, {signal: "failed_transfers", right: true}, {signal: "kv_waiting", right: true},
	}},
	{title: "Prefill and decode servers", unit: "short", other: "percentunit", curves: []curve{
		{signal: "prefill_queue"}, {signal: "decode_queue"}, {signal: "prefill_kv", right: true}, {signal: "decode_kv", right: true},
	}},
	{title: "Load of the replicas", unit: "short", curves: []curve{{signal: "load_highest"}, {signal: "load_mean"}, {signal: "longest_queue"}, {signal: "shortest_queue"}}},
}

type object = map[string]any

// Grafana writes a dashboard of the catalogue's signals.
func Grafana(w io.Writer, b *diagnose.Book, set Exported) error {
	model, instance := labels.MustNewMatcher(labels.MatchRegexp, "model_name", "$model"), labels.MustNewMatcher(labels.MatchRegexp, "instance", "$instance")
	narrow := func(name string) []*labels.Matcher {
		switch {
		case strings.HasPrefix(name, "vllm:"):
			return []*labels.Matcher{instance, model}
		case strings.HasPrefix(name, "DCGM_"), strings.HasPrefix(name, "nvidia_smi_"):
			return nil // exporters have addresses of their own
		}
		return []*labels.Matcher{instance}
	}
	panels := []object{}
	for i, p := range dashboardPanels {
		panels = append(panels, p.object(b, set.Settings, narrow, i))
	}
	source := object{"type": "prometheus", "uid": "${datasource}"}
	variable := func(name, query string) object {
		return object{
			"name": name, "type": "query", "datasource": source, "query": query, "definition": query, "refresh": 2, "sort": 1,
			"multi": true, "includeAll": true, "current": object{"text": "All", "value": "$__all"},
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(object{
		"uid": "vllmscope", "title": "vllmscope", "tags": []string{"vllm"}, "schemaVersion": 39, "version": 1, "editable": true,
		"description": "Signals of vllmscope's catalogue; the roofline is recorded by --format prometheus. Made by: vllmscope rules export --format grafana",
		"refresh":     "15s", "time": object{"from": "now-1h", "to": "now"}, "graphTooltip": 1, "panels": panels,
		"templating": object{"list": []object{
			{"name": "datasource", "type": "datasource", "query": "prometheus"},
			variable("model", "label_values(vllm:num_requests_running, model_name)"),
			variable("instance", `label_values(vllm:num_requests_running{model_name=~"$model"}, instance)`),
		}},
	})
}

// asked is what a curve asks for: the series themselves, or the rule file for what differs from server to server.
func asked(b *diagnose.Book, s *diagnose.Signal, set diagnose.Settings, narrow func(string) []*labels.Matcher) string {
	if slices.Contains(diagnose.Charted, s.ID) {
		return diagnose.SeriesOf(s.Level, s.ID) + `{instance=~"$instance",model_name=~"$model"}`
	}
	return b.PromQL(s.ID, set, narrow)
}

// object is the panel as Grafana reads it, two in a row.
func (p panel) object(b *diagnose.Book, set diagnose.Settings, narrow func(string) []*labels.Matcher, place int) object {
	targets, overrides, notes := []object{}, []object{}, []string{}
	for i, c := range p.curves {
		s := b.Signal(c.signal)
		id, name := string(rune('A'+i)), cmp.Or(c.name, s.Title)
		targets = append(targets, object{
			"refId": id, "expr": asked(b, s, set, narrow), "legendFormat": name + " {{" + legend(s.Level) + "}}",
			"datasource": object{"type": "prometheus", "uid": "${datasource}"},
		})
		notes = append(notes, note(s))
		if properties := c.properties(p.other); len(properties) > 0 {
			overrides = append(overrides, object{"matcher": object{"id": "byFrameRefID", "options": id}, "properties": properties})
		}
	}
	custom := object{"drawStyle": "line", "lineWidth": 1, "fillOpacity": 5, "showPoints": "never"}
	if p.stack {
		custom["stacking"], custom["fillOpacity"] = object{"mode": "normal", "group": "A"}, 40
	}
	defaults := object{"unit": p.unit, "min": 0, "custom": custom}
	if level := p.bound(b, set); level > 0 {
		custom["thresholdsStyle"] = object{"mode": "line"}
		defaults["thresholds"] = object{"mode": "absolute", "steps": []object{{"color": "transparent", "value": nil}, {"color": "red", "value": level}}}
	}
	return object{
		"id": place + 1, "type": "timeseries", "title": p.title, "description": strings.Join(notes, "\n\n"), "targets": targets,
		"datasource":  object{"type": "prometheus", "uid": "${datasource}"},
		"gridPos":     object{"h": 9, "w": 12, "x": 12 * (place % 2), "y": 9 * (place / 2)},
		"fieldConfig": object{"defaults": defaults, "overrides": overrides},
		"options":     object{"legend": object{"displayMode": "list", "placement": "bottom"}, "tooltip": object{"mode": "multi", "sort": "desc"}},
	}
}

// bound is the level to draw across.
func (p panel) bound(b *diagnose.Book, set diagnose.Settings) float64 {
	switch p.line {
	case "slo_ttft":
		return set.SLO.TTFT.Seconds()
	case "slo_tpot":
		return set.SLO.TPOT.Seconds()
	case "kv_full":
		return b.KVFull()
	}
	return 0
}

// properties are what a curve has of its own.
func (c curve) properties(unit string) []object {
	var all []object
	if c.right {
		all = append(all, object{"id": "custom.axisPlacement", "value": "right"}, object{"id": "unit", "value": unit})
	}
	if c.dashed {
		all = append(all, object{"id": "custom.lineStyle", "value": object{"fill": "dash", "dash": []int{8, 8}}})
	}
	return all
}

// legend is the label that names a subject.
func legend(level diagnose.Level) string {
	switch level {
	case diagnose.GPU:
		return "Hostname}} {{gpu"
	case diagnose.Model:
		return "model_name"
	case diagnose.Replica:
		return "instance}} {{engine"
	}
	return "instance"
}

// note is what a signal is, and what it is easily taken for.
func note(s *diagnose.Signal) string {
	text := "**" + s.Title + "**: " + s.Help
	if s.Trap != "" {
		text += " " + s.Trap
	}
	return text
}
