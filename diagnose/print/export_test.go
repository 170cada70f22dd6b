package print

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
)

var someSettings = Exported{
	Settings: diagnose.Settings{
		Step: 15 * time.Second, SLO: diagnose.Profiles[0], MaxNumSeqs: 64, MaxNumSeqsByInstance: map[string]int{"gpu-b:8000": 128},
		Placements: []diagnose.Placement{{Server: "gpu-a:8000", GPUs: []string{"rack.1:9400"}}, {Server: "gpu-b:8000", UUIDs: []string{"GPU-1", "GPU-2"}}},
		GPUTargets: []string{"rack.2:9400"},
	},
	Jobs: "vllm.*|dcgm",
}

func exported(t *testing.T, export func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := export(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// promtool accepts the rule file as it is without any setting, and with all of them.
func TestPromtoolAcceptsTheRules(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool")
	}
	for name, set := range map[string]Exported{
		"bare": {Settings: diagnose.Settings{Step: 30 * time.Second, SLO: diagnose.Profiles[2]}}, "told": someSettings,
	} {
		file := filepath.Join(t.TempDir(), name+".yaml")
		text := exported(t, func(b *bytes.Buffer) error { return PrometheusRules(b, diagnose.Default(), set) })
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.CommandContext(t.Context(), promtool, "check", "rules", "--lint-fatal", file).CombinedOutput()
		if err != nil || !strings.Contains(string(said), "SUCCESS") {
			t.Errorf("%s: %v\n%s", name, err, said)
		}
	}
}

// Every rule of the book has its alert with all that a page on call needs, and critical ones are told apart.
func TestRulesBecomeAlerts(t *testing.T) {
	var file struct {
		Groups []struct {
			Interval string
			Rules    []struct {
				Record, Alert       string
				Labels, Annotations map[string]string
			}
		}
	}
	book, err := diagnose.Default().With(map[string]diagnose.Override{"D1": {Runbook: "https://wiki/D1", Hold: 40 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	text := exported(t, func(b *bytes.Buffer) error { return PrometheusRules(b, book, someSettings) })
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Groups) != 2 || file.Groups[0].Interval != "15s" || file.Groups[1].Interval != "1m" {
		t.Fatalf("%d groups, the first every %s, want one every 15s and one every minute", len(file.Groups), file.Groups[0].Interval)
	}
	severities := map[string][]string{}
	for _, r := range file.Groups[0].Rules {
		if r.Alert == "" {
			continue
		}
		severities[r.Labels["code"]] = append(severities[r.Labels["code"]], r.Labels["severity"])
		for _, annotation := range []string{"summary", "description", "action"} {
			said := r.Annotations[annotation]
			if said == "" || regexp.MustCompile(`[^{]\{[a-z0-9_]+\}[^}]`).MatchString(said) {
				t.Errorf("%s: its %s is %q", r.Alert, annotation, said)
			}
		}
		if want := map[string]string{"D1": "https://wiki/D1"}[r.Labels["code"]]; r.Annotations["runbook_url"] != want {
			t.Errorf("%s: its runbook is %q, want %q", r.Alert, r.Annotations["runbook_url"], want)
		}
	}
	for _, r := range diagnose.Default().Rules {
		want := r.Severity.String()
		if r.Critical != nil && r.Severity < diagnose.Critical {
			want = "critical " + want
		}
		if r.Mild != nil {
			want += " information"
		}
		if got := strings.Join(severities[r.Code], " "); got != want {
			t.Errorf("%s has the alerts %q, want %q", r.Code, got, want)
		}
	}
	if !strings.Contains(text, "A1 is judged without failure") {
		t.Error("the head does not tell what a Prometheus server lacks")
	}
}

// What dashboards and scalers ask is PromQL, and nothing is asked that cannot be said.
func TestExportedQueriesAreWhole(t *testing.T) {
	var dashboard struct {
		Panels []struct {
			Title, Description string
			Targets            []struct{ Expr string }
		}
	}
	text := exported(t, func(b *bytes.Buffer) error { return Grafana(b, diagnose.Default(), someSettings) })
	if err := json.Unmarshal([]byte(text), &dashboard); err != nil {
		t.Fatal(err)
	}
	var queries []string
	for _, p := range dashboard.Panels {
		if p.Description == "" || len(p.Targets) == 0 {
			t.Errorf("panel %q lacks its description or its curves", p.Title)
		}
		for _, target := range p.Targets {
			queries = append(queries, target.Expr)
		}
	}
	if !strings.Contains(text, `vllm:num_requests_running{instance=~\"$instance\",model_name=~\"$model\"}`) {
		t.Error("the variables do not narrow the series of vLLM")
	}
	for name, export := range map[string]func(*bytes.Buffer) error{
		"keda":    func(b *bytes.Buffer) error { return KEDA(b, diagnose.Default(), someSettings) },
		"adapter": func(b *bytes.Buffer) error { return PrometheusAdapter(b, diagnose.Default(), someSettings) },
	} {
		document := exported(t, export)
		var any map[string]any
		if err := yaml.Unmarshal([]byte(document), &any); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		found := regexp.MustCompile(`(?m)(?:query|metricsQuery): (.+)$`).FindAllStringSubmatch(document, -1)
		if len(found) != len(scales) {
			t.Errorf("%s has %d queries, want %d\n%s", name, len(found), len(scales), document)
		}
		for _, m := range found {
			queries = append(queries, strings.NewReplacer("<<.GroupBy>>", "pod", "<<.LabelMatchers>>", `pod="a"`).Replace(m[1]))
		}
	}
	for _, query := range queries {
		if _, err := parser.NewParser(parser.Options{}).ParseExpr(query); err != nil {
			t.Errorf("%q: %v", query, err)
		}
	}
	if len(queries) < 40 {
		t.Errorf("%d queries only", len(queries))
	}
}

// The page of the rule book is what the book says.
func TestRuleBookPageIsFresh(t *testing.T) {
	golden(t, filepath.Join("..", "..", "..", "docs", "rules.md"), exported(t, func(b *bytes.Buffer) error {
		return RuleBook(b, diagnose.Default(), Exported{})
	}))
}

// Every edge of the book silences its consequence, or is told as one that labels cannot say; nothing silences what is worse.
func TestCausesSilenceTheirConsequences(t *testing.T) {
	text := exported(t, func(b *bytes.Buffer) error { return Alertmanager(b, diagnose.Default(), Exported{}) })
	var document struct {
		Inhibitions []inhibition `yaml:"inhibit_rules"`
	}
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	silences := map[string]string{}
	for _, i := range document.Inhibitions {
		if slices.Contains(i.Source, `severity="critical"`) {
			silences[i.Source[0]+" "+strings.Join(i.Equal, ", ")] = i.Target[0]
		} else if !slices.Contains(i.Target, `severity!="critical"`) {
			t.Errorf("%v silences what is worse", i.Source)
		}
	}
	edges := 0
	for _, r := range diagnose.Default().Rules {
		for _, e := range r.Edges() {
			if e.Code == "*" {
				continue
			}
			edges++
			equal := sharedLabels(r.Level, e.Match)
			target := silences[`code="`+r.Code+`" `+strings.Join(equal, ", ")]
			told := regexp.MustCompile("#   " + r.Code + " explains [A-Z0-9, ]*" + e.Code + "[A-Z0-9, ]*, " + e.Match.String())
			if equal != nil && !strings.Contains(target, e.Code) || equal == nil && !told.MatchString(text) {
				t.Errorf("%s does not silence %s, %s", r.Code, e.Code, e.Match)
			}
		}
	}
	if edges < 50 || !strings.Contains(silences[`code="A1" cluster, namespace, job, instance`], "E1") {
		t.Errorf("%d edges; A1 silences %s", edges, silences[`code="A1" cluster, namespace, job, instance`])
	}
}

// What the dashboard asks of the rule file is recorded there.
func TestChartedSignalsAreRecorded(t *testing.T) {
	dashboard := exported(t, func(b *bytes.Buffer) error { return Grafana(b, diagnose.Default(), someSettings) })
	rules := exported(t, func(b *bytes.Buffer) error { return PrometheusRules(b, diagnose.Default(), someSettings) })
	for _, id := range diagnose.Charted {
		series := diagnose.SeriesOf(diagnose.Default().Signal(id).Level, id)
		if !strings.Contains(dashboard, series+"{instance") || !strings.Contains(rules, "record: "+series+"\n") {
			t.Errorf("the dashboard asks for %s: %v, the rules record it: %v", series, strings.Contains(dashboard, series), strings.Contains(rules, series))
		}
	}
}

// The dashboard draws the KV cache against the threshold of the rule, also where the user has set another one.
func TestKVLineIsExported(t *testing.T) {
	book, err := diagnose.Default().With(map[string]diagnose.Override{"D1": {Thresholds: map[string]float64{"kv_highest": 0.7}}})
	if err != nil {
		t.Fatal(err)
	}
	for want, b := range map[string]*diagnose.Book{`"value": 0.9`: diagnose.Default(), `"value": 0.7`: book} {
		if !strings.Contains(exported(t, func(w *bytes.Buffer) error { return Grafana(w, b, someSettings) }), want) {
			t.Errorf("no line with %s", want)
		}
	}
}

// Of a model that has an objective of its own, shares are over that.
func TestObjectivesOfModelsAreExported(t *testing.T) {
	set := someSettings
	set.Settings.SLOByModel = map[string]diagnose.SLO{"m": {TTFT: 7 * time.Second, TPOT: 50 * time.Millisecond}}
	text := exported(t, func(b *bytes.Buffer) error { return PrometheusRules(b, diagnose.Default(), set) })
	for _, want := range []string{`vllmscope:model:present{model_name="m"} * 7`, `vllmscope:model:present{model_name!~"m"} * 3`, "Objective of m: first token within 7 s"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the export", want)
		}
	}
}

// A rule whose findings are information while users feel nothing is no warning to rely on.
func TestSeveritiesNameTheMildest(t *testing.T) {
	b := diagnose.Default()
	for code, want := range map[string]string{
		"A5": "information", "F1": "information or worse", "A2": "warning or worse", "C6": "information, warning or worse",
		"C1": "warning, critical", "C3": "information, warning, critical", "B4": "critical",
	} {
		if got := severities(b, b.Rule(code)); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}
