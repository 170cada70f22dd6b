package print

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// quiet says what a report without a warning comes to: nothing was found in what could be judged, or there was nothing to judge. Both
// texts are empty where there is a warning.
func quiet(r *diagnose.Report) (label, text string) {
	active, _ := r.Causes()
	switch {
	case slices.ContainsFunc(active, func(f *diagnose.Finding) bool { return f.Severity >= diagnose.Warning }):
		return "", ""
	case len(r.Replicas) == 0:
		return "no vLLM server", "what was scraped: " + scraped(r)
	}
	little := "in what little can be judged; "
	if r.SinceStart() {
		if queue := queued(r); queue != "" {
			return "no verdict", "one page: " + queue + ": two scrapes are needed to say why; " + r.Coverage()
		}
		if r.Quiet() != diagnose.LittleJudged {
			return r.Calm(), "in what one page can show: rules that need two scrapes were not judged; " + r.Coverage()
		}
		little = "in what little of one page can be judged; "
	}
	switch r.Quiet() {
	case diagnose.LittleJudged:
		return "? " + r.Calm(), little + r.Coverage()
	case diagnose.TooEarly:
		return r.Calm() + " yet", "observed " + diagnose.Duration(r.Observed) + ", and most rules need a minute; " + r.Coverage()
	case diagnose.NoCause:
		return "no cause found", "for what users feel; " + r.Coverage()
	}
	return r.Calm(), r.Coverage()
}

// queued says how many requests wait at this moment, on how many replicas, and how full the fullest KV cache of those is; nothing where
// none waits. A queue is a reading, which one page shows as well as many.
func queued(r *diagnose.Report) string {
	waiting, fullest, have := 0.0, math.NaN(), 0
	for _, replica := range r.Replicas {
		n := r.Figure("waiting", replica)
		if !n.Known() || n.Value < 1 {
			continue
		}
		waiting, have = waiting+n.Value, have+1
		if kv := r.Figure("kv_usage", replica); kv.Known() && !(kv.Value <= fullest) {
			fullest = kv.Value
		}
	}
	if have == 0 {
		return ""
	}
	text := diagnose.Count.Format(waiting) + " wait"
	if waiting == 1 {
		text += "s"
	}
	if len(r.Replicas) > 1 {
		text += fmt.Sprintf(" on %d of %d replicas", have, len(r.Replicas))
	}
	if fullest == fullest {
		text += ", KV cache " + diagnose.Share.Format(fullest)
	}
	return text
}

// scraped lists the targets with what their pages are.
func scraped(r *diagnose.Report) string {
	var all []string
	for _, t := range r.Targets {
		all = append(all, fmt.Sprintf("%s: %s", t.Instance, PageOf(t)))
	}
	return strings.Join(all, ", ")
}

// PageOf says what a target's page is where no engine is on it.
func PageOf(t diagnose.TargetState) string {
	switch {
	case !t.Up:
		return "no answer"
	case t.Samples == 0:
		return "a page without samples"
	case t.Kind == "vllm":
		return "vLLM metrics, but of no engine"
	case t.Kind == "dcgm":
		return "a GPU exporter"
	case t.Kind == "nvidia-smi":
		return "the GPUs that nvidia-smi tells of"
	}
	return "a page without vLLM metrics"
}
