package print

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// Rules writes the rule book, a line a rule.
func Rules(w io.Writer, b *diagnose.Book) error {
	rows := [][]string{{"CODE", "NAME", "LEVEL", "SEVERITY", "HOLD", "TITLE"}}
	for _, r := range b.Rules {
		rows = append(rows, []string{r.Code, r.Name, r.Level.String(), severities(b, &r), diagnose.Duration(r.Hold), r.Title})
	}
	if b.Own != nil {
		for _, r := range b.Own.Rules {
			rows = append(rows, []string{r.Code, r.Name, "by labels", "by label", diagnose.Duration(r.Hold), r.Expr})
		}
	}
	for _, line := range aligned(rows) {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// severities says how severe a rule's findings can be, mildest first: "or worse" stands for asSevere, and information before it for while
// users feel nothing.
func severities(b *diagnose.Book, r *diagnose.Rule) string {
	text := r.Severity.String()
	if r.Mild != nil && r.Severity > diagnose.Information {
		text = diagnose.Information.String() + ", " + text
	}
	switch {
	case r.Critical != nil && r.Severity < diagnose.Critical:
		return text + ", " + diagnose.Critical.String()
	case b.MayGrow(r):
		return text + " or worse"
	}
	return text
}

// asSevere says of a rule that explains others how severe its findings are.
const asSevere = "as severe as what it explains, where that is worse and as certain"

type jsonRule struct {
	Code     string   `json:"code"`
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Level    string   `json:"level"`
	Severity string   `json:"severity"`
	Hold     float64  `json:"hold_seconds"`
	When     string   `json:"when"`
	Origins  []string `json:"origins"` // of the thresholds in when, in their order
	Critical *string  `json:"critical"`
	Mild     *string  `json:"mild"`
	Explains []string `json:"explains"`
	CausedBy []string `json:"explained_by"`
	Sentence string   `json:"sentence"`
	Source   string   `json:"source"`
}

// RulesJSON writes the rule book as an array.
func RulesJSON(w io.Writer, b *diagnose.Book) error {
	all := []jsonRule{}
	for _, r := range b.Rules {
		j := jsonRule{
			Code: r.Code, Name: r.Name, Title: r.Title, Level: r.Level.String(), Severity: r.Severity.String(), Hold: r.Hold.Seconds(),
			When: r.When.String(), Origins: origins(r.When), Explains: r.Explained(), CausedBy: codes(b.CausedBy(r.Code)), Sentence: r.Sentence, Source: r.Source,
		}
		if r.Critical != nil {
			text := r.Critical.String()
			j.Critical = &text
		}
		if r.Mild != nil {
			text := r.Mild.String()
			j.Mild = &text
		}
		all = append(all, j)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(all)
}

// origins lists where the thresholds of a test come from.
func origins(t diagnose.Test) []string {
	var all []string
	for _, is := range diagnose.Comparisons(t) {
		all = append(all, string(is.Origin))
	}
	return all
}

// codes lists the rules at the ends of edges, each once.
func codes(edges []diagnose.Edge) []string {
	all := []string{}
	for _, e := range edges {
		if !slices.Contains(all, e.Code) {
			all = append(all, e.Code)
		}
	}
	return all
}

// Rule writes everything about one rule.
func Rule(w io.Writer, b *diagnose.Book, r *diagnose.Rule) error {
	p := rulePrinter{bufio.NewWriter(w), b}
	p.line("%s %s  %s\n\n", r.Code, r.Name, r.Title)
	p.line("%s, judged for each %s, held for %s\n", severities(b, r), r.Level, diagnose.Duration(r.Hold))
	if b.MayGrow(r) {
		p.line("%s\n", asSevere)
	}
	if r.Expr != "" { // the user's own, whose words come with the alert
		p.line("when %s\n\n", r.Expr)
	} else {
		p.line("%s\n\n", r.Sentence)
		p.test("when", r.When)
	}
	if r.Critical != nil {
		p.test(fmt.Sprintf("critical when, for %s", diagnose.Duration(r.HoldForCritical())), r.Critical)
	}
	if r.Mild != nil {
		p.test("information only while", r.Mild)
	}
	p.comparisons("surer when", r.Supports)
	p.comparisons("less sure when", r.Against)
	for _, c := range r.Cases {
		name := ""
		if c.Name != "" {
			name = fmt.Sprintf(" %q", c.Name)
		}
		p.line("case%s when %s\n  %s\n", name, c.If, r.Complete(c).Sentence)
		p.actions("  ", c.Actions)
		if c.FarEnd {
			p.line("  below another case of this rule in the same model\n")
		}
	}
	p.actions("", r.Actions)
	if r.Caused != "" {
		p.line("below a cause instead: %s\n", r.Caused)
	}
	p.lines("told apart from", apart(b, r))
	p.lines("explains", consequences(b, r))
	p.lines("explained by", causes(b, r))
	p.lines("reads", inputs(b, r))
	if r.Settle != "" {
		p.line("settle: %s\n", diagnose.Unmarked(r.Settle))
	}
	p.line("source: %s\n", r.Source)
	if r.Runbook != "" {
		p.line("runbook: %s\n", r.Runbook)
	}
	return p.out.Flush()
}

type rulePrinter struct {
	out  *bufio.Writer
	book *diagnose.Book
}

func (p rulePrinter) line(format string, args ...any) {
	fmt.Fprintf(p.out, format, args...) //nolint:errcheck // a bufio.Writer keeps its error until Flush
}

func (p rulePrinter) test(label string, t diagnose.Test) {
	p.line("%s\n  %s\n", label, t)
	p.comparisons("", diagnose.Comparisons(t))
}

// comparisons writes each one with its signal's title, the origin of the threshold and what the signal is.
func (p rulePrinter) comparisons(label string, all []diagnose.Is) {
	if len(all) == 0 {
		return
	}
	if label != "" {
		p.line("%s\n", label)
	}
	var rows [][]string
	for _, is := range all {
		s := p.book.Signal(is.Signal)
		rows = append(rows, []string{s.Title, diagnose.Fact{Signal: s}.Wants(is), string(is.Origin), s.Help})
	}
	for _, line := range aligned(rows) {
		p.line("    %s\n", line)
	}
	p.line("\n")
}

func (p rulePrinter) actions(indent string, all []diagnose.Action) {
	for _, a := range all {
		p.line("%s%s: %s\n", indent, a.When, strings.Join(instruction(p.book, diagnose.Unmarked(a.Text), a.Watch), "; watch "))
	}
}

func (p rulePrinter) lines(label string, all []string) {
	if len(all) == 0 {
		return
	}
	p.line("%s\n", label)
	for _, line := range all {
		p.line("  %s\n", line)
	}
}
