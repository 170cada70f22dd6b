package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// alertText writes the annotations of a rule's alerts as templates of Prometheus, which ask for figures when the alert is told.
type alertText struct {
	book     *diagnose.Book
	rule     *diagnose.Rule
	recorded *diagnose.Recorded
}

// summary is the title and whom it is about.
func (t alertText) summary() string {
	where := map[diagnose.Level]string{
		diagnose.Replica: "{{ $labels.instance }}{{ with $labels.engine }} engine {{ . }}{{ end }}",
		diagnose.GPU:     "{{ or $labels.Hostname $labels.instance }} GPU {{ $labels.gpu }}",
		diagnose.Model:   "{{ $labels.model_name }}",
	}[t.rule.Level]
	title := t.byCase(func(c diagnose.Case) string {
		if c.Name == "" {
			return t.rule.Code + " " + t.rule.Title
		}
		return fmt.Sprintf("%s %s (%s)", t.rule.Code, t.rule.Title, c.Name)
	})
	return title + ": " + cmp.Or(where, "{{ $labels.instance }}")
}

// byCase is a text that depends on the case that the rule is in, which the value of the alert numbers.
func (t alertText) byCase(text func(diagnose.Case) string) string {
	otherwise := text(t.rule.Complete(diagnose.Case{}))
	var texts []string
	for _, c := range t.rule.Cases {
		texts = append(texts, text(t.rule.Complete(c)))
	}
	if !slices.ContainsFunc(texts, func(one string) bool { return one != otherwise }) {
		return t.filled(otherwise)
	}
	var b strings.Builder
	for i, one := range texts {
		word := "else if"
		if i == 0 {
			word = "if"
		}
		fmt.Fprintf(&b, "{{ %s eq $value %d.0 }}%s", word, i+1, t.filled(one))
	}
	return b.String() + "{{ else }}" + t.filled(otherwise) + "{{ end }}"
}

// aboutWhat says what the commands of a rule are about, by the labels of its alert.
func aboutWhat(l diagnose.Level) *strings.Replacer {
	gpu := "GPU" // one of several, which no label names
	if l == diagnose.GPU {
		gpu = "{{ $labels.UUID }}"
	}
	return strings.NewReplacer("{url}", "{{ $labels.instance }}/metrics", "{address}", "{{ $labels.instance }}", "{gpu}", gpu,
		"{request}", `'{"model":"MODEL","prompt":"1","max_tokens":1}'`)
}

// filled puts a query in the place of each figure; where none is recorded, the name of the figure stands for it.
func (t alertText) filled(text string) string {
	parts := diagnose.SplitCommands(text)
	for i := range parts {
		parts[i] = t.figures(parts[i], i%2 == 1)
	}
	return strings.Join(parts, "")
}

// figures does so in a sentence, or in a command, which takes numbers without their units.
func (t alertText) figures(text string, bare bool) string {
	return t.book.FillIn(aboutWhat(t.rule.Level).Replace(text), func(s *diagnose.Signal) string {
		if s.Who.Of != "" {
			return who(s.Who)
		}
		series := diagnose.SeriesOf(t.rule.Level, s.ID)
		if !slices.ContainsFunc(t.recorded.Signals, func(r diagnose.Recording) bool { return r.Record == series }) {
			return s.Title
		}
		var matchers, values []string
		for _, label := range diagnose.LabelsOf(t.rule.Level) {
			if slices.Contains(telling[t.rule.Level], label) {
				matchers, values = append(matchers, label+"=%q"), append(values, "$labels."+label)
			}
		}
		function, suffix := inTemplate(s.Unit)
		if bare {
			function, suffix = inTemplate(diagnose.Code)
		}
		return fmt.Sprintf("{{ with printf `%s{%s}` %s | query }}{{ . | first | value | %s }}%s{{ else }}%s{{ end }}",
			series, strings.Join(matchers, ","), strings.Join(values, " "), function, suffix, diagnose.Absent)
	})
}

// who asks for the names of the model's replicas that are meant.
func who(w diagnose.Who) string {
	series, name := diagnose.SeriesOf(diagnose.Replica, w.Of), "{{ .Labels.instance }}{{ with .Labels.engine }} engine {{ . }}{{ end }}"
	if w.None {
		return fmt.Sprintf("{{ range printf `%s{model_name=%%q} == 0` $labels.model_name | query }}%s, {{ else }}none{{ end }}", series, name)
	}
	return fmt.Sprintf("{{ range printf `topk(1, %s{model_name=%%q})` $labels.model_name | query }}%s{{ else }}%s{{ end }}", series, name, diagnose.Absent)
}

// telling are the labels by which a query finds the subject of an alert: fewer than tell it apart, to be read by people.
var telling = map[diagnose.Level][]string{
	diagnose.Target: {"job", "instance"}, diagnose.Server: {"job", "instance"}, diagnose.Replica: {"job", "instance", "engine", "model_name"},
	diagnose.GPU: {"instance", "gpu", "UUID", "GPU_I_ID"}, diagnose.Model: {"model_name"},
}

// inTemplate is the function of Prometheus's templates that prints a unit, and what follows the number.
func inTemplate(u diagnose.Unit) (function, suffix string) {
	switch u {
	case diagnose.Share:
		return "humanizePercentage", ""
	case diagnose.Seconds:
		return "humanizeDuration", ""
	case diagnose.Timestamp:
		return "humanizeTimestamp", ""
	case diagnose.Code, diagnose.YesNo:
		return "printf `%.0f`", ""
	case diagnose.Bytes:
		return "humanize1024", "B"
	}
	return "humanize", map[diagnose.Unit]string{
		diagnose.PerSecond: "/s", diagnose.PerMinute: " a minute", diagnose.Tokens: " tokens", diagnose.TokensPerSecond: " tok/s",
		diagnose.Cores: " cores", diagnose.Celsius: " °C", diagnose.Watts: " W", diagnose.Hertz: "Hz",
	}[u]
}
