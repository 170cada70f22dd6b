package print

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// RuleBook writes the page of all rules in Markdown.
func RuleBook(w io.Writer, b *diagnose.Book, _ Exported) error {
	p := bookPrinter{rulePrinter{bufio.NewWriter(w), b}}
	p.line("<!-- made by: vllmscope rules export --format markdown > docs/rules.md -->\n\n")
	p.line("# The rule book\n\n%s", bookHead)
	p.line("| Code | Rule | Judged for each | Severity | Hold |\n|---|---|---|---|---|\n")
	for i := range b.Rules {
		r := &b.Rules[i]
		p.line("| [%s](#%s) | %s | %s | %s | %s |\n", r.Code, anchor(r), plain(r.Title), r.Level, severities(b, r), diagnose.Duration(r.Hold))
	}
	for i := range b.Rules {
		p.rule(&b.Rules[i])
	}
	return p.out.Flush()
}

const bookHead = "Rules are judged in this order, causes before what they cause. A condition compares a signal with a threshold; behind it stands where the\n" +
	"threshold comes from. A rule fires when its conditions were true in 80 % of its hold. Where a metric is missing, a condition is neither true\n" +
	"nor false, and a rule that depends on it cannot be judged. \"Or worse\" is: " + asSevere + ".\nInformation before a warning is: while users feel nothing of it. In commands {url} is the address of the\ntarget's metrics, {address} the one of its server, and {gpu} the GPU. How it is built is told in\n[design.md](design.md).\n\n"

// anchor is the link to a rule's heading, as GitHub makes it.
func anchor(r *diagnose.Rule) string { return strings.ToLower(r.Code + "-" + r.Name) }

type bookPrinter struct{ rulePrinter }

func (p bookPrinter) rule(r *diagnose.Rule) {
	p.line("\n## %s %s\n\n**%s.** %s\n\n", r.Code, r.Name, capital(plain(r.Title)), p.text(r.Sentence))
	p.heading("When, for "+cmp.Or(diagnose.Duration(r.Hold), "a moment"), r.When)
	if r.Critical != nil {
		p.heading("Critical when, for "+diagnose.Duration(r.HoldForCritical()), r.Critical)
	}
	if r.Mild != nil {
		p.heading("Information only while", r.Mild)
	}
	p.all("Surer when", r.Supports)
	p.all("Less sure when", r.Against)
	p.cases(r)
	p.doings("Do", r.Actions)
	if r.Caused != "" {
		p.line("Below a cause instead: %s.\n\n", plain(r.Caused))
	}
	p.bullets("Told apart from", apart(p.book, r))
	p.bullets("Explains", consequences(p.book, r))
	if p.book.MayGrow(r) {
		p.line("It is %s.\n\n", asSevere)
	}
	p.bullets("Explained by", causes(p.book, r))
	p.bullets("Reads", inputs(p.book, r))
	p.line("To settle it: %s.\nSource: %s.\n", marked(r.Settle), plain(r.Source))
}

// text puts the names of figures in the place of each.
func (p bookPrinter) text(text string) string {
	return marked(p.book.FillIn(text, func(s *diagnose.Signal) string { return "‹" + s.Title + "›" }))
}

// marked is a text of a rule whose commands are code.
func marked(text string) string {
	parts := diagnose.SplitCommands(text)
	for i := 0; i < len(parts); i += 2 {
		parts[i] = plain(parts[i])
	}
	return strings.Join(parts, "`")
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// heading writes a test below its label, a comparison a line.
func (p bookPrinter) heading(label string, t diagnose.Test) {
	p.line("%s:\n\n", label)
	p.tree(t, "")
	p.line("\n")
}

func (p bookPrinter) tree(t diagnose.Test, indent string) {
	branch := func(word string, parts []diagnose.Test) {
		p.line("%s- %s\n", indent, word)
		for _, part := range parts {
			p.tree(part, indent+"  ")
		}
	}
	comparison := func(is diagnose.Is, more string) {
		s := p.book.Signal(is.Signal)
		p.line("%s- %s: %s%s (%s)\n", indent, plain(s.Title), diagnose.Fact{Signal: s}.Wants(is), more, plain(string(is.Origin)))
	}
	switch t := t.(type) {
	case diagnose.Is:
		comparison(t, "")
	case diagnose.Also:
		comparison(t.Is, ", where known")
	case diagnose.All:
		branch("all of", t)
	case diagnose.Any:
		branch("one of", t)
	}
}

func (p bookPrinter) all(label string, comparisons []diagnose.Is) {
	if len(comparisons) == 0 {
		return
	}
	p.line("%s:\n\n", label)
	for _, is := range comparisons {
		p.tree(is, "")
	}
	p.line("\n")
}

func (p bookPrinter) cases(r *diagnose.Rule) {
	for _, c := range r.Cases {
		name := "Case"
		if c.Name != "" {
			name = "Case " + plain(c.Name)
		}
		p.line("%s: %s When:\n\n", name, p.text(r.Complete(c).Sentence))
		p.tree(c.If, "")
		p.line("\n")
		p.doings("Then do", c.Actions)
		if c.FarEnd {
			p.line("It is what the far end sees: a consequence of another case of this rule in the same model.\n\n")
		}
	}
}

func (p bookPrinter) doings(label string, actions []diagnose.Action) {
	var lines []string
	for _, a := range actions {
		lines = append(lines, fmt.Sprintf("%s: %s", a.When, strings.Join(instruction(p.book, a.Text, a.Watch), "; watch ")))
	}
	p.bullets(label, lines)
}

func (p bookPrinter) bullets(label string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.line("%s:\n\n", label)
	for _, line := range lines {
		p.line("- %s\n", p.text(line))
	}
	p.line("\n")
}

// named is a rule's code with its title.
func named(b *diagnose.Book, code string) string {
	if r := b.Rule(code); r != nil {
		return code + " " + r.Title
	}
	return "all that stands after it"
}

// apart lists the neighbours of a rule and what tells them apart.
func apart(b *diagnose.Book, r *diagnose.Rule) []string {
	var lines []string
	by := map[string]int{}
	for _, n := range b.ToldApart(r) {
		title := b.Signal(n.Signal).Title
		if i, known := by[n.Code]; known {
			lines[i] += ", " + title
			continue
		}
		by[n.Code] = len(lines)
		lines = append(lines, named(b, n.Code)+" by "+title)
	}
	return lines
}

// consequences lists what a rule explains, by how the subjects belong together.
func consequences(b *diagnose.Book, r *diagnose.Rule) []string {
	var lines []string
	for _, e := range r.Edges() {
		lines = append(lines, named(b, e.Code)+", "+e.Match.String())
	}
	return lines
}

// causes lists the rules that explain one.
func causes(b *diagnose.Book, r *diagnose.Rule) []string {
	var lines []string
	for _, e := range b.CausedBy(r.Code) {
		lines = append(lines, named(b, e.Code)+", "+e.Match.String())
	}
	return lines
}

// inputs lists what a rule reads: what it needs, then what helps.
func inputs(b *diagnose.Book, r *diagnose.Rule) []string {
	var lines []string
	for _, in := range b.Inputs(r) {
		word := "helps"
		if in.Needed {
			word = "needs"
		}
		lines = append(lines, fmt.Sprintf("%s %s; without: %s", word, strings.Join(in.Families, ", "), in.Lack))
	}
	return lines
}
