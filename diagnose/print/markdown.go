package print

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Markdown writes a report to be handed over: an incident channel, a ticket.
func Markdown(w io.Writer, r *diagnose.Report) error {
	m := markdownPrinter{bufio.NewWriter(w), r}
	m.line("# vllmscope, %s UTC\n\n", r.Time.UTC().Format(time.DateTime))
	if text := users(r); text != "" {
		m.line("Users: %s.\n\n", plain(text))
	}
	m.targets()
	m.figures()
	active, ended := r.Causes()
	for _, told := range append(diagnose.Tell(active), diagnose.Tell(ended)...) {
		m.finding(told)
	}
	for _, f := range r.Silenced() {
		m.line("- Silenced %s: %s %s on %s\n\n", plain(f.Silenced.String()), f.Rule.Code, plain(f.Title()), plain(r.Where(f.Subject)))
	}
	for _, s := range r.Spikes {
		m.line("- %s %s on %s: %s\n\n", s.Rule.Code, plain(s.Rule.Title), plain(r.Where(s.Subject)), s)
	}
	if label, text := quiet(r); label != "" {
		m.line("**%s%s**: %s.\n\n", strings.ToUpper(label[:1]), label[1:], plain(text))
	}
	if len(r.Unknown) > 0 {
		m.line("## Cannot judge\n\n")
		for _, l := range r.Lacks() {
			m.line("- %s on %s: %s\n", strings.Join(l.Codes, ", "), plain(whereAll(m.r, l.Subjects)), plain(l.Enable))
		}
	}
	m.list("Your rules", r.Remarks)
	m.list("Your settings", r.Unserved)
	return m.out.Flush()
}

type markdownPrinter struct {
	out *bufio.Writer
	r   *diagnose.Report
}

func (m markdownPrinter) line(format string, args ...any) {
	fmt.Fprintf(m.out, format, args...) //nolint:errcheck // a bufio.Writer keeps its error until Flush
}

func (m markdownPrinter) targets() {
	m.line("| Target | Kind | State | Age | Samples |\n|---|---|---|---|---|\n")
	for _, t := range m.r.Targets {
		m.line("| %s | %s | %s | %s | %s |\n", plain(t.Instance), plain(t.Kind), plain(state(t)), age(t.Age), diagnose.Count.Format(t.Samples))
	}
	m.line("\n")
}

func (m markdownPrinter) figures() {
	rows := figures(m.r)
	if len(rows) == 1 {
		return
	}
	for i, row := range rows {
		for k := range row {
			row[k] = plain(row[k])
		}
		m.line("| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			m.line("|%s\n", strings.Repeat("---|", len(row)))
		}
	}
	if m.r.SinceStart() {
		m.line("\nOne page only: rates and percentiles are since the start of the process, and enter no verdict.\n")
	}
	m.line("\n")
	m.work()
}

// work says what the requests are, and where their time goes.
func (m markdownPrinter) work() {
	rows := work(m.r)
	for _, row := range rows {
		m.line("- Workload of %s: %s\n", plain(row[0]), plain(strings.Join(row[1:], "; ")))
	}
	if len(rows) > 0 {
		m.line("\n")
	}
}

func (m markdownPrinter) finding(told diagnose.Told) {
	f := told.Finding
	where, _, more := m.r.Place(told)
	m.line("## %s %s: %s on %s\n\n", strings.ToUpper(f.Severity.String()), f.Rule.Code, plain(f.Title()), plain(where))
	m.line("%s (%s, %s)\n\n", plain(f.Sentence), f.Certainty(), f.Standing())
	m.line("| Signal | Value | True if | Basis |\n|---|---|---|---|\n")
	for _, e := range f.Evidence {
		if e.Plain || e.Outcome == diagnose.True {
			m.line("| %s | %s | %s | %s |\n", plain(e.Fact.Signal.Title), plain(value(e)), strings.TrimPrefix(trueIf(e), "true if "), m.r.Basis(e.Fact))
		}
	}
	m.line("\n")
	m.list("Also on", names(m.r, more))
	m.list("Hides", hidden(m.r, f))
	m.list("Mutes", withoutEmpty(f.Muted()))
	m.list("Ruled out", ruledOut(m.r, f))
	for _, a := range f.Actions {
		m.line("- **%s**: %s\n", a.When, plain(a.Text))
	}
	if f.Rule.Settle != "" {
		text, _ := m.r.Settle(f.Rule, f.Subject)
		m.line("- To settle it: %s\n", plain(text))
	}
	if f.Runbook != "" {
		m.line("- Runbook: <%s>\n", f.Runbook)
	}
	m.line("\n")
}

func (m markdownPrinter) list(label string, parts []string) {
	if len(parts) > 0 {
		m.line("- %s: %s\n", label, plain(strings.Join(parts, "; ")))
	}
}

// plain keeps what comes from labels and errors from being read as Markdown.
func plain(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", "[", "\\[").Replace(text)
}
