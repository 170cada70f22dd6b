package print

import (
	"fmt"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// mostWork is of how many replicas the work is printed for people; JSON has it of all.
const mostWork = 8

// work lists, for each replica with data, what its work is and what comes of it, and where the time of its requests goes.
func work(r *diagnose.Report) [][]string {
	var rows [][]string
	others := 0
	for _, replica := range r.Replicas {
		w := r.Workload(replica)
		what := strings.Join(withoutEmpty(w.Lengths(), w.Ends()), " · ")
		switch texts := withoutEmpty(what, w.Phases()); {
		case len(texts) == 0:
		case len(rows) == mostWork:
			others++
		default:
			rows = append(rows, append([]string{r.Where(replica)}, texts...))
		}
	}
	if others > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d others", others), "in --format json"})
	}
	return rows
}

// withoutEmpty drops texts that say nothing.
func withoutEmpty(texts ...string) []string {
	var kept []string
	for _, text := range texts {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return kept
}
