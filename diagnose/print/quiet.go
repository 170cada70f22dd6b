package print

import (
	"fmt"
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
	case r.SinceStart():
		return "nothing found", "in what one page can show: rules that need two scrapes were not judged; " + r.Coverage()
	}
	if r.Young() {
		return "nothing found yet", "observed " + diagnose.Duration(r.Observed) + ", and most rules need a minute; " + r.Coverage()
	}
	if r.Felt() {
		return "no cause found", "for what users feel; " + r.Coverage()
	}
	return r.Calm(), r.Coverage()
}

// scraped lists the targets with what their pages are.
func scraped(r *diagnose.Report) string {
	var all []string
	for _, t := range r.Targets {
		all = append(all, fmt.Sprintf("%s: %s", t.Instance, pageOf(t)))
	}
	return strings.Join(all, ", ")
}

// pageOf says what a target's page is where no engine is on it.
func pageOf(t diagnose.TargetState) string {
	switch {
	case !t.Up:
		return "no answer"
	case t.Samples == 0:
		return "a page without samples"
	case t.Kind == "vllm":
		return "vLLM metrics, but of no engine"
	case t.Kind == "" || t.Kind == "other":
		return "a page without vLLM metrics"
	}
	return t.Kind
}
