package print

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// alertsHead is the comment at the head of the rule file: what it depends on, and where it differs from the judgement.
func alertsHead(b *diagnose.Book, recorded *diagnose.Recorded, set Exported) string {
	lines := []string{"The rule book of vllmscope for a Prometheus server, made by: vllmscope rules export --format prometheus", ""}
	lines = append(lines, objectives(set.Settings)...)
	lines = append(lines, fmt.Sprintf("Evaluated every %s, which should be the scrape interval; --slo, --interval, --max-num-seqs, --gpu, --model-config, --baseline,",
		seconds(set.Settings.Step)), "and servers, models, rules and runbook in the configuration change it.", "")
	if set.Jobs == "" {
		lines = append(lines, "Targets are those that showed vLLM or GPU series within the hour; --job names them, also where they never answered.")
	}
	lines = append(lines,
		"GPUs belong to a server by the configuration, by the pod that both name (exported_pod, exported_namespace), or by the host where",
		"that has a single vLLM server. A finding fires at the evaluation at which vllmscope fires it. What a cause explains fires too, unless",
		"Alertmanager silences it: --format alertmanager writes the rules for that.",
		"",
		"What differs: how long the servers have been observed is known to the minute, and up to six hours. What is about ten minutes and more is",
		"read once a minute, by a group of its own; the minute begins when that is evaluated, and in its first a new server has no such",
		"figures. What else is said of a finding, its evidence and confidence, is not there; silences are Alertmanager's.",
		"",
		"What is not told: names that others put before vLLM's (ray_vllm_, vllm_), and")
	lines = append(lines, gaps(b, recorded)...)
	return "# " + strings.TrimSpace(strings.ReplaceAll(strings.Join(lines, "\n# "), "# \n", "#\n")) + "\n"
}

// objectives say what is wanted of all models, and of those that have objectives of their own.
func objectives(set diagnose.Settings) []string {
	lines := []string{objective("Objective", set.SLO)}
	for _, name := range slices.Sorted(maps.Keys(set.SLOByModel)) {
		lines = append(lines, objective("Objective of "+diagnose.Plain(name), set.SLOByModel[name]))
	}
	return lines
}

func objective(whose string, o diagnose.SLO) string {
	var parts []string
	for _, one := range []struct {
		what string
		time time.Duration
	}{{"first token within %s", o.TTFT}, {"tokens within %s of each other", o.TPOT}, {"answers within %s", o.E2E}, {"in the queue for %s at most", o.Queue}} {
		if one.time > 0 {
			parts = append(parts, fmt.Sprintf(one.what, seconds(one.time)))
		}
	}
	if o.Name != "" {
		whose += " " + diagnose.Plain(o.Name)
	}
	return whose + ": " + strings.Join(parts, ", ") + "."
}

// gaps say which figures are missing and why, and which rules feel it.
func gaps(b *diagnose.Book, recorded *diagnose.Recorded) []string {
	byWhy := map[string][]string{}
	for _, u := range recorded.Unrecorded {
		why := u.Why
		if strings.HasPrefix(why, "lacks ") {
			why = "is worked out of others that are missing"
		}
		byWhy[why] = append(byWhy[why], u.Signal)
	}
	var lines []string
	for _, why := range slices.Sorted(maps.Keys(byWhy)) {
		lines = append(lines, wrapped("what "+why+": "+strings.Join(byWhy[why], ", "))...)
	}
	for _, r := range b.Rules {
		var lacks []string
		for _, is := range compared(&r) {
			if slices.ContainsFunc(recorded.Unrecorded, func(u diagnose.Unrecorded) bool { return u.Signal == is.Signal }) {
				lacks = append(lacks, is.Signal)
			}
		}
		if len(lacks) > 0 {
			slices.Sort(lacks)
			lines = append(lines, fmt.Sprintf("  %s is judged without %s: conditions on it cannot be judged", r.Code, strings.Join(slices.Compact(lacks), ", ")))
		}
	}
	return lines
}

// wrapped breaks a text into indented lines of 130 columns.
func wrapped(text string) []string {
	lines := []string{" "}
	for word := range strings.FieldsSeq(text) {
		if last := &lines[len(lines)-1]; len(*last)+len(word) < 126 {
			*last += " " + word
			continue
		}
		lines = append(lines, "    "+word)
	}
	return lines
}

// compared lists what a rule compares to be judged.
func compared(r *diagnose.Rule) []diagnose.Is {
	all := diagnose.Comparisons(r.When)
	for _, t := range []diagnose.Test{r.Critical, r.Mild} {
		if t != nil {
			all = append(all, diagnose.Comparisons(t)...)
		}
	}
	return all
}

func seconds(d time.Duration) string { return diagnose.Seconds.Format(d.Seconds()) }
