package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/print"
)

// checkOptions are the flags of check.
type checkOptions struct {
	*options
	span   duration
	at     string
	format string
	failOn string
}

func newCheck(o *options) *cobra.Command {
	c := checkOptions{options: o, span: duration(30 * time.Second)}
	cmd := &cobra.Command{
		Use:   "check [URL|DIR ...]",
		Short: "One diagnosis without a screen",
		Long: `check watches for a while (--for), or reads saved pages, and prints one diagnosis.

A folder of saved pages (*.prom, *.txt, also gzip; *.err for a failed scrape) is one target. Times come from file names that are
Unix times; otherwise the files in name order are --interval apart.

Exit code: 0 nothing at or above --fail-on, 1 no target answered or none is a vLLM server, 2 wrong usage, 3 findings, 130 interrupted.
A finding is pending until it has held for as long as its rule asks (mostly 1m to 10m: vllmscope rules list). While it is, it counts for the
exit code when it held in every scrape that was watched, two at least, or when something that it explains counts: a fault from before check
began does, one that began while it watched does only once it has held for its rule's time, for which --for must be long enough. The first
half minute, in which rules that count requests are not met yet, is let pass for what has held for as long since. Nothing counts that is
found in one saved page alone.
A file of --rules that is wrong is wrong usage: all else is judged and printed, and without findings the code is 2.`,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	cmd.Flags().Var(&c.span, "for", "how long to watch: two scrapes at least; longer, and more findings are no longer pending")
	cmd.Flags().StringVar(&c.at, "at", "", "judge saved pages at a moment: a time (RFC 3339), a clock time (15:04:05), or an offset from the end (-30s)")
	cmd.Flags().StringVar(&c.format, "format", "text", "text, json or markdown")
	cmd.Flags().StringVar(&c.failOn, "fail-on", "warning", "exit with 3 on findings of this severity: critical, warning, information or never")
	return cmd
}

// rarely is Go's GOGC for one diagnosis: the program ends before there is much garbage, and looking for it took a third of the CPU time.
const rarely = 400

var printers = map[string]func(io.Writer, *diagnose.Report) error{
	"text": print.Text, "json": print.JSON, "markdown": print.Markdown,
}

// failLevels are the severities that --fail-on knows, as the least that counts.
var failLevels = map[string]diagnose.Severity{
	"critical": diagnose.Critical, "warning": diagnose.Warning, "information": diagnose.Information, "never": diagnose.Critical + 1,
}

func (c checkOptions) run(ctx context.Context, args []string) error {
	printer, ok := printers[c.format]
	if !ok {
		return usage("--format %q: choose text, json or markdown", c.format)
	}
	least, ok := failLevels[c.failOn]
	if !ok {
		return usage("--fail-on %q: choose critical, warning, information or never", c.failOn)
	}
	if c.env["GOGC"] == "" {
		debug.SetGCPercent(rarely)
	}
	r, err := c.judge(ctx, args, max(time.Duration(c.span), time.Duration(c.interval)+started), c.at)
	if err != nil {
		return err
	}
	if err := printer(c.streams.out, r); err != nil {
		return err
	}
	unread := readsYourRules(r)
	err = cmp.Or(verdict(r, least), watchesVLLM(r))
	if found, ok := errors.AsType[*exitError](err); ok && found.code == exitFindings {
		found.err = unread // said there too: nobody reads to the end of what was found
	}
	return cmp.Or(err, unread)
}

// parseMoment reads what --at accepts.
func parseMoment(text string, first, last time.Time) (time.Time, error) {
	if text == "0s" || text == "-0s" {
		return last, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		var back duration
		if err = back.Set(rest); err == nil {
			at = last.Add(-time.Duration(back))
		}
	} else if err != nil {
		var clock time.Time
		if clock, err = time.Parse(time.TimeOnly, text); err == nil {
			y, m, d := last.UTC().Date()
			at = time.Date(y, m, d, clock.Hour(), clock.Minute(), clock.Second(), 0, time.UTC)
		}
	}
	if err != nil {
		return time.Time{}, usage("--at %q: write a time like 2026-11-29T14:02:31Z, 14:02:31 (UTC), or -30s", text)
	}
	if at.Before(first) || at.After(last) {
		return time.Time{}, usage("--at %s: the data reaches from %s to %s", text, first.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339))
	}
	return at, nil
}

// verdict turns a report into an exit code. A finding that is still pending counts when it was true all the time.
func verdict(r *diagnose.Report, least diagnose.Severity) error {
	up := false
	for _, t := range r.Targets {
		up = up || t.Up
	}
	if !up {
		return &exitError{exitCouldNotRun, fmt.Errorf("%w: %s", errNoTarget, complaints(r))}
	}
	for _, f := range r.Findings {
		if f.Severity >= least && f.Counts() {
			return &exitError{code: exitFindings}
		}
	}
	return nil
}

// watchesVLLM refuses a clean result where there was no vLLM server to judge and no warning that counts.
func watchesVLLM(r *diagnose.Report) error {
	warns := func(f diagnose.Finding) bool { return f.Severity >= diagnose.Warning && f.Counts() }
	if len(r.Replicas) > 0 || slices.ContainsFunc(r.Findings, warns) {
		return nil
	}
	var all []string
	for _, t := range r.Targets {
		all = append(all, t.Instance+": "+cmp.Or(t.Error, print.PageOf(t)))
	}
	return &exitError{exitCouldNotRun, fmt.Errorf("no vLLM server among the targets: %s; vLLM serves its metrics at /metrics on the port of its API", strings.Join(all, "; "))}
}

// readsYourRules refuses a clean result where rules of the user's own did not run.
func readsYourRules(r *diagnose.Report) error {
	if own := r.Book().Own; own != nil && len(own.Wrong) > 0 {
		return usage("your rules did not all run:\n  %s", strings.Join(own.Wrong, "\n  "))
	}
	return nil
}

// complaints says what went wrong with each target.
func complaints(r *diagnose.Report) string {
	var all []string
	for _, t := range r.Targets {
		all = append(all, t.Instance+": "+t.Error)
	}
	return strings.Join(all, "; ")
}
