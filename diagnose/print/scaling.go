package print

import (
	"fmt"
	"io"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
)

// scale is a signal by which replicas are added.
type scale struct {
	signal string
	over   string // how the replicas become one number
	// threshold is how much one replica may have; a total is divided by their number.
	threshold string
	total     bool
	why       string
}

// scales say when there are too few replicas, by what users feel first. GPU activity is none of them: it is near 100 % at one request.
var scales = []scale{
	{"waiting", "sum", "5", true, "a queue of 5 a replica (Gateway API inference extension, llm-d, production-stack)"},
	{"queue_wait_of_slo", "max", "0.5", false, "the queue uses up half of the objective for the first token (our judgement)"},
	{"kv_usage", "avg", "0.8", false, "KV caches 80 % full (Gateway API inference extension)"},
}

// KEDA writes a ScaledObject with a trigger for each of these signals; the one that asks for the most replicas counts.
func KEDA(w io.Writer, b *diagnose.Book, set Exported) error {
	triggers := []object{}
	for _, s := range scales {
		kind := "Value"
		if s.total {
			kind = "AverageValue"
		}
		triggers = append(triggers, object{
			"type": "prometheus", "name": strings.ReplaceAll(s.signal, "_", "-"), "metricType": kind,
			"metadata": object{
				"serverAddress": "http://prometheus-operated.monitoring:9090",
				"query":         s.over + "(" + b.PromQL(s.signal, set.Settings, ofJobs(set.Jobs)) + ")",
				"threshold":     s.threshold,
			},
		})
	}
	var reasons strings.Builder
	for _, s := range scales {
		fmt.Fprintf(&reasons, "#   %s: %s\n", b.Signal(s.signal).Title, s.why)
	}
	head := "# Replicas of vLLM by its own signals, made by: vllmscope rules export --format keda\n" +
		"# Correct the names, the address of Prometheus and the numbers of replicas; with several models, narrow the queries by model_name.\n" +
		"# A replica takes minutes to load, and a new one starts with a cold prefix cache: scaling down waits.\n" + reasons.String()
	return writeYAML(w, head, object{
		"apiVersion": "keda.sh/v1alpha1", "kind": "ScaledObject", "metadata": object{"name": "vllm"},
		"spec": object{
			"scaleTargetRef": object{"name": "vllm"}, "minReplicaCount": 1, "maxReplicaCount": 8, "pollingInterval": int(set.Settings.Step.Seconds()),
			"cooldownPeriod": 600, "triggers": triggers,
			"advanced": object{"horizontalPodAutoscalerConfig": object{"behavior": object{"scaleDown": object{"stabilizationWindowSeconds": 600}}}},
		},
	})
}

// PrometheusAdapter writes rules of prometheus-adapter that make custom metrics of pods of the same signals.
func PrometheusAdapter(w io.Writer, b *diagnose.Book, set Exported) error {
	const here = "vllmscope_here"
	mark := func(string) []*labels.Matcher {
		return []*labels.Matcher{labels.MustNewMatcher(labels.MatchEqual, here, "")}
	}
	rules := []object{}
	for _, s := range scales {
		query := b.PromQL(s.signal, set.Settings, mark)
		query = strings.ReplaceAll(query, here+`=""`, "<<.LabelMatchers>>")
		query = strings.ReplaceAll(query, "("+strings.Join(diagnose.LabelsOf(diagnose.Replica), ", ")+")", "(<<.GroupBy>>)")
		rules = append(rules, object{
			"seriesQuery":  `vllm:num_requests_waiting{namespace!="",pod!=""}`,
			"resources":    object{"overrides": object{"namespace": object{"resource": "namespace"}, "pod": object{"resource": "pod"}}},
			"name":         object{"as": "vllm_" + s.signal},
			"metricsQuery": query,
		})
	}
	head := "# Custom metrics of pods for prometheus-adapter, made by: vllmscope rules export --format prometheus-adapter\n" +
		"# The series of vLLM need the labels namespace and pod, which a PodMonitor or a ServiceMonitor gives them.\n"
	return writeYAML(w, head, object{"rules": rules})
}

// ofJobs narrows series to some jobs.
func ofJobs(jobs string) func(string) []*labels.Matcher {
	return func(string) []*labels.Matcher {
		if jobs == "" {
			return nil
		}
		return []*labels.Matcher{labels.MustNewMatcher(labels.MatchRegexp, "job", jobs)}
	}
}

// writeYAML writes a document below its head.
func writeYAML(w io.Writer, head string, document any) error {
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(document); err != nil {
		return err
	}
	return e.Close()
}
