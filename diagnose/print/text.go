package print

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Text writes a report for people to read in a terminal or a chat.
func Text(w io.Writer, r *diagnose.Report) error {
	t := textPrinter{bufio.NewWriter(w), r}
	t.header()
	for i := range r.Findings {
		if f := &r.Findings[i]; f.ExplainedBy == nil && f.Active() {
			t.finding(f)
		}
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; !f.Active() {
			t.line("RESOLVED  %s %s · %s · began %s\n", f.Rule.Code, f.Title(), r.Where(f.Subject), f.Since.UTC().Format(time.TimeOnly))
		}
	}
	t.nothing()
	t.unknown()
	t.pages()
	return t.out.Flush()
}

type textPrinter struct {
	out *bufio.Writer
	r   *diagnose.Report
}

func (t textPrinter) line(format string, args ...any) {
	fmt.Fprintf(t.out, format, args...) //nolint:errcheck // a bufio.Writer keeps its error until Flush
}

func (t textPrinter) header() {
	up := 0
	for _, target := range t.r.Targets {
		if target.Up {
			up++
		}
	}
	t.line("%s, %d up · observed %s · window %s · %s UTC\n", count(len(t.r.Targets), "target"), up,
		diagnose.Duration(t.r.Observed), diagnose.Duration(t.r.Settings.Window), t.r.Time.UTC().Format(time.DateTime))
	if users := UsersLine(t.r); users != "" {
		t.line("users: %s\n", users)
	}
	t.line("\n")
	if rows := figures(t.r); len(rows) > 1 {
		for _, row := range aligned(rows) {
			t.line("%s\n", row)
		}
		if t.r.SinceStart() {
			t.line("one page only: rates and percentiles are since the start of the process, and enter no verdict\n")
		}
		t.line("\n")
	}
}

// UsersLine says how bad it is for those who send requests; it is empty while nothing is known.
func UsersLine(r *diagnose.Report) string {
	u := r.Users()
	var parts []string
	if !math.IsNaN(u.LateLow) {
		parts = append(parts, fmt.Sprintf("%s of %s requests over %s (n=%.0f)", shares(u.LateLow, u.LateHigh), r.Settings.SLO.Name,
			diagnose.Seconds.Format(r.Settings.SLO.TTFT.Seconds()), u.N))
	}
	if !math.IsNaN(u.Errors) {
		parts = append(parts, diagnose.Share.Format(u.Errors)+" errors")
	}
	if !math.IsNaN(u.PerMinute) {
		parts = append(parts, diagnose.Count.Format(u.PerMinute)+" requests a minute")
	}
	if !math.IsNaN(u.GoodLow) {
		parts = append(parts, "good-put "+interval(diagnose.PerSecond, u.GoodLow, u.GoodHigh))
	}
	return strings.Join(parts, " · ")
}

func shares(low, high float64) string { return interval(diagnose.Share, low, high) }

// interval prints two values once where they read the same.
func interval(u diagnose.Unit, low, high float64) string {
	if u.Format(low) == u.Format(high) {
		return u.Format(low)
	}
	return u.Format(low) + " to " + u.Format(high)
}

func (t textPrinter) finding(f *diagnose.Finding) {
	t.line("%s  %s %s · %s · %s · %s\n", strings.ToUpper(f.Severity.String()), f.Rule.Code, f.Title(), t.r.Where(f.Subject),
		f.Certainty(), Standing(f))
	t.line("  %s\n", f.Sentence)
	t.evidence(f)
	t.labelled("hides", " · ", hidden(t.r, f))
	t.labelled("ruled out", " · ", ruledOut(t.r, f))
	if gpu := t.r.GPULine(f.Subject); gpu != "" {
		t.labelled("gpu", "", []string{gpu})
	}
	for _, a := range f.Actions {
		t.labelled(a.When.String(), "; watch ", []string{a.Text, watched(t.r, a)})
	}
	if f.Rule.Settle != "" {
		t.labelled("settle", "", []string{f.Rule.Settle})
	}
	t.line("\n")
}

// labelled writes a line of a finding behind its label, when there is anything to say.
func (t textPrinter) labelled(label, separator string, parts []string) {
	if len(parts) > 0 {
		t.line("  %-10s %s\n", label, strings.Join(parts, separator))
	}
}

func (t textPrinter) evidence(f *diagnose.Finding) {
	var rows [][]string
	for _, e := range f.Evidence {
		if !e.Plain && e.Outcome != diagnose.True {
			continue // another way to come to the same finding, which is not the case
		}
		rows = append(rows, []string{e.Fact.Signal.Title, value(e.Fact), wants(e), basis(t.r, e.Fact)})
	}
	for _, row := range aligned(rows) {
		t.line("    %s\n", row)
	}
}

// Standing says how long a finding has held, and against what.
func Standing(f *diagnose.Finding) string {
	switch {
	case f.State == diagnose.Pending:
		return fmt.Sprintf("held %s of %s", diagnose.Duration(f.Held), diagnose.Duration(f.Hold))
	case f.State == diagnose.Resolved:
		return "resolved"
	case f.Quiet > 0:
		return fmt.Sprintf("for %s, easing", diagnose.Duration(f.Held))
	}
	return "for " + diagnose.Duration(f.Held)
}

func (t textPrinter) nothing() {
	for i := range t.r.Findings {
		if f := &t.r.Findings[i]; f.Active() && f.Severity >= diagnose.Warning {
			return
		}
	}
	t.line("NOTHING FOUND  %s judged", count(t.r.Judged, "rule"))
	if n := len(t.r.UnknownCodes()); n > 0 {
		t.line(", %d could not be", n)
	}
	t.line("\n\n")
}

func (t textPrinter) unknown() {
	for _, l := range t.r.Lacks() {
		t.line("CANNOT JUDGE  %s on %s: %s\n", strings.Join(l.Codes, ", "), whereAll(t.r, l.Subjects), l.Enable)
	}
}

// pages tells what was odd about the pages that were read.
func (t textPrinter) pages() {
	for _, target := range t.r.Targets {
		for _, n := range target.Notes {
			t.line("PAGE  %s: %s: %s\n", target.Instance, strings.ReplaceAll(n.Name, "_", " "), n.Detail)
		}
	}
}
