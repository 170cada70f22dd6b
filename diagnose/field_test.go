package diagnose_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

var writeTo = flag.String("write", "", "TestFieldCases: file to write the table of field cases to")

// A field is what somebody met with and told in public. Its case has these lines, before the first "at":
//
//	seen run 0, wait 6, nothing moves      what the metrics showed
//	was the scheduler admits nobody        what it really was, as far as it was found out
//	expected B4                            what has to be said of it
//	outcome right                          right, untold (metrics cannot tell it, and the script holds that it is not
//	                                       guessed), wrong (the script holds what is said today), or left out
//	since no client metric is read         why it is untold, wrong or left out
//	from [vllm 1](https://…)               where it was told
type field struct {
	seen, was, expected, outcome, since, from string
}

// set takes a line of a script, if it is one of a field case.
func (f *field) set(word, text string) bool {
	part, known := map[string]*string{
		"seen": &f.seen, "was": &f.was, "expected": &f.expected, "outcome": &f.outcome, "since": &f.since, "from": &f.from,
	}[word]
	if known {
		*part = text
	}
	return known
}

// fault is what is missing from the case of a field.
func (c *scriptCase) fault() string {
	f, told := c.field, len(c.checks) > 0
	switch {
	case f.seen == "" || f.was == "" || f.from == "":
		return "wants seen, was and from"
	case !slices.Contains([]string{"right", "untold", "wrong", "left out"}, f.outcome):
		return "has no outcome"
	case told != (f.outcome != "left out"):
		return "is left out without checks, and only then"
	case told && f.expected == "":
		return "wants what is expected"
	case f.outcome != "right" && f.since == "":
		return "wants a reason"
	}
	return ""
}

// TestFieldCases holds docs/field-cases.md against the scripts in testdata/field*.test, which TestScripts holds against the rules.
// With -args -write ../docs/field-cases.md it writes the page.
func TestFieldCases(t *testing.T) {
	files, err := filepath.Glob("testdata/field*.test")
	if err != nil || len(files) == 0 {
		t.Fatalf("no field cases: %v", err)
	}
	var page strings.Builder
	count := map[string]int{}
	rows := ""
	for _, file := range files {
		for _, c := range readScript(t, file) {
			if fault := c.fault(); fault != "" {
				t.Errorf("%s: %s %s", file, c.name, fault)
			}
			count[c.field.outcome]++
			rows += c.row(filepath.Base(file))
		}
	}
	fmt.Fprintf(&page, fieldHead, count["right"], count["untold"], count["wrong"], count["left out"])
	page.WriteString(rows)
	if *writeTo != "" {
		if err := os.WriteFile(*writeTo, []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if now, err := os.ReadFile("../docs/field-cases.md"); err != nil || string(now) != page.String() {
		t.Errorf("docs/field-cases.md is not what the scripts say (%v): write it anew with "+
			"go test ./diagnose -run FieldCases -args -write ../docs/field-cases.md", err)
	}
}

const fieldHead = `<!-- made by: go test ./diagnose -run FieldCases -args -write ../docs/field-cases.md -->

# Field cases

What happened to other people, told in public, and what vllmscope says of it. Each case that metrics can show is a script in
diagnose/testdata: a healthy server's series with the figures of the report, and what the diagnosis has to be. Figures that a report
does not give are the healthy server's, or assumed so that they fit it. The scripts run with the tests, and this page is made from
them. The rules are told in [rules.md](rules.md).

| Outcome | Cases | |
|---|---|---|
| right | %d | the cause is named, or nothing where nothing is wrong |
| untold | %d | metrics cannot tell the cause, and no wrong one is named |
| wrong | %d | something else is said today |
| left out | %d | not a matter of metrics, or not to be told in them |

| Case | What was seen | What it was | Expected | Said | Outcome | Source |
|---|---|---|---|---|---|---|
`

// row is a case's row of the page.
func (c *scriptCase) row(file string) string {
	f := c.field
	said, where := c.said(), "["+strings.TrimSuffix(file, ".test")+"](../diagnose/testdata/"+file+")"
	if f.outcome == "left out" {
		where = "no script"
	}
	if f.since != "" {
		where = f.since + "; " + where
	}
	cells := []string{c.name, f.seen, f.was, f.expected, said, f.outcome + ": " + where, f.from}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// said is what the checks of a case hold, in words.
func (c *scriptCase) said() string {
	var parts, absent, unknown []string
	add := func(to *[]string, part string) {
		if !slices.Contains(*to, part) {
			*to = append(*to, part)
		}
	}
	for _, k := range c.checks {
		words := strings.Fields(k.line)
		if words[0] == "subject" {
			words = words[2:]
		}
		rest := strings.Join(words[1:], " ")
		switch {
		case len(words) == 1: // nothing, or no cause
			add(&parts, "no warning")
		case words[0] == "causes":
			for _, code := range words[1:] {
				add(&parts, named(code))
			}
		case words[0] == "first":
			add(&parts, named(words[1])+" first")
		case words[0] == "no" || words[0] == "idle":
			add(&absent, rest)
		case words[0] == "unknown" || words[0] == "lacks":
			add(&unknown, words[1])
		case words[0] == "reads":
			add(&parts, strings.Join(words[2:], " "))
		case words[0] == "says" || words[0] == "advises":
			add(&parts, words[0]+" “"+strings.Join(words[2:], " ")+"”")
		default:
			add(&parts, words[0]+" "+rest)
		}
	}
	if len(absent) > 0 {
		add(&parts, "not "+strings.Join(absent, ", "))
	}
	if len(unknown) > 0 {
		add(&parts, "cannot judge "+strings.Join(unknown, ", "))
	}
	return strings.Join(parts, "; ")
}

// named is a rule's code and title.
func named(code string) string {
	if r := diagnose.Default().Rule(code); r != nil {
		return "**" + code + "** " + r.Title
	}
	return code
}

// TestSaid holds the words of the page against checks.
func TestSaid(t *testing.T) {
	c := &scriptCase{checks: []check{{line: "causes B4 F4"}, {line: "no D8"}, {line: "says B4 the GPUs are idle"}, {line: "lacks D7 no GPU"}, {line: "no D2"}}}
	want := "**B4** engine stuck; **F4** errors; says “the GPUs are idle”; not D8, D2; cannot judge D7"
	if got := c.said(); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	if got := (&scriptCase{checks: []check{{line: "nothing"}, {line: "D3 below C1"}}}).said(); got != "no warning; D3 below C1" {
		t.Errorf("said %q", got)
	}
}
