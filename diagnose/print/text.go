package print

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Text writes a report for people to read in a terminal or a chat.
func Text(w io.Writer, r *diagnose.Report) error {
	t := textPrinter{bufio.NewWriter(w), r}
	t.header()
	active, ended := r.Causes()
	for _, told := range diagnose.Tell(active) {
		t.finding(told)
	}
	for _, f := range t.r.Silenced() {
		t.line("SILENCED  %s %s · %s · %s\n", f.Rule.Code, f.Title(), t.r.Where(f.Subject), f.Silenced)
	}
	for _, s := range t.r.Spikes {
		t.line("SPIKES  %s %s · %s · %s\n", s.Rule.Code, s.Rule.Title, t.r.Where(s.Subject), s)
	}
	for _, f := range ended {
		t.line("RESOLVED  %s %s · %s · began %s\n", f.Rule.Code, f.Title(), r.Where(f.Subject), f.Since.UTC().Format(time.TimeOnly))
	}
	t.nothing()
	t.unknown()
	for _, remark := range r.Remarks {
		t.line("YOUR RULES  %s\n", remark)
	}
	for _, text := range r.Unserved {
		t.line("YOUR SETTINGS  %s\n", text)
	}
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
	t.line("%s, %d up · observed %s · window %s · %s UTC\n", diagnose.Plural(len(t.r.Targets), "target"), up,
		diagnose.Duration(t.r.Observed), diagnose.Duration(t.r.Settings.Window), t.r.Time.UTC().Format(time.DateTime))
	if text := users(t.r); text != "" {
		t.line("users: %s\n", text)
	}
	t.line("\n")
	if rows := figures(t.r); len(rows) > 1 {
		for _, row := range aligned(rows) {
			t.line("%s\n", row)
		}
		if t.r.SinceStart() {
			t.line("one page only: rates and percentiles are since the start of the process, and enter no verdict\n")
		}
		t.work()
		t.line("\n")
	}
}

// work says what the requests are, and where their time goes.
func (t textPrinter) work() {
	rows := work(t.r)
	if len(rows) > 0 {
		t.line("\nWORKLOAD\n")
	}
	for _, row := range rows {
		t.line("%s: %s\n", row[0], row[1])
		for _, text := range row[2:] {
			t.line("  %s\n", text)
		}
	}
}

func (t textPrinter) finding(told diagnose.Told) {
	f := told.Finding
	where, _, more := t.r.Place(told)
	t.line("%s  %s %s · %s · %s · %s\n", strings.ToUpper(f.Severity.String()), f.Rule.Code, f.Title(), where,
		f.Certainty(), t.standing(f))
	t.line("  %s\n", f.Sentence)
	t.labelled("also on", ", ", names(t.r, more))
	t.evidence(f)
	t.labelled("hides", " · ", hidden(t.r, f))
	t.labelled("mutes", "", withoutEmpty(f.Muted()))
	t.labelled("ruled out", " · ", ruledOut(t.r, f))
	if gpu := t.r.GPULine(f.Subject); gpu != "" {
		t.labelled("gpu", "", []string{gpu})
	}
	for _, a := range f.Actions {
		t.labelled(a.When.String(), "; watch ", instruction(t.r.Book(), a.Text, a.Watch))
	}
	if f.Rule.Settle != "" {
		text, _ := t.r.Settle(f.Rule, f.Subject)
		t.labelled("settle", "", []string{text})
	}
	if f.Runbook != "" {
		t.labelled("runbook", "", []string{f.Runbook})
	}
	t.line("\n")
}

// standing says for how long a finding has held, and whether it does not make check fail yet.
func (t textPrinter) standing(f *diagnose.Finding) string {
	switch {
	case f.Severity < diagnose.Warning || !f.Active() || f.Counts():
		return f.Standing()
	case t.r.SinceStart():
		return "one page only, does not count for the exit code"
	}
	return f.Standing() + " · pending, does not count for the exit code yet"
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
		rows = append(rows, []string{e.Fact.Signal.Title, value(e), trueIf(e), t.r.Basis(e.Fact)})
	}
	for _, row := range aligned(rows) {
		t.line("    %s\n", row)
	}
}

func (t textPrinter) nothing() {
	if label, text := quiet(t.r); label != "" {
		t.line("%s  %s\n\n", strings.ToUpper(label), text)
	}
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
			t.line("PAGE  %s: %s\n", target.Instance, n)
		}
	}
}
