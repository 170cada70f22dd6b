package print

import (
	"fmt"
	"io"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Targets writes what is known of each scraped URL, a line each, and how each GPU was given to a server.
func Targets(w io.Writer, r *diagnose.Report) error {
	rows := [][]string{{"TARGET", "KIND", "VERSION", "STATE", "SCRAPE", "SAMPLES", "BAD LINES"}}
	for _, t := range r.Targets {
		rows = append(rows, []string{
			t.Instance, known(t.Kind), known(t.Version), state(t), diagnose.Seconds.Format(t.ScrapeSeconds),
			diagnose.Count.Format(t.Samples), diagnose.Count.Format(t.BadLines),
		})
	}
	lines := aligned(rows)
	for _, t := range r.Targets {
		for _, n := range t.Notes {
			lines = append(lines, fmt.Sprintf("  %s: %s", t.Instance, n))
		}
	}
	if len(r.GPUs) > 0 {
		lines = append(lines, "")
		lines = append(lines, aligned(gpuRows(r))...)
	}
	for _, l := range r.Lacks() {
		lines = append(lines, fmt.Sprintf("cannot judge %s on %s: %s", strings.Join(l.Codes, ", "), whereAll(r, l.Subjects), l.Enable))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func gpuRows(r *diagnose.Report) [][]string {
	rows := [][]string{{"GPU", "PRODUCT", "SERVES", "KNOWN BY"}}
	for _, g := range r.GPUs {
		rows = append(rows, []string{g.Name(), known(g.Product), known(g.Server.Instance), g.How.String()})
	}
	return rows
}

// known prints a text, or that there is none.
func known(text string) string {
	if text == "" {
		return diagnose.Absent
	}
	return text
}
