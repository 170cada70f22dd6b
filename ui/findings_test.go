package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// TestBlocks shares the lines of the findings pane out.
func TestBlocks(t *testing.T) {
	finding := func(severity diagnose.Severity) *diagnose.Finding {
		return &diagnose.Finding{State: diagnose.Firing, Severity: severity}
	}
	bad, warned, told := finding(diagnose.Critical), finding(diagnose.Warning), finding(diagnose.Information)
	long, short := extent{1, 3, 5, 7, 8, 8}, extent{1, 2, 3, 4, 4, 4}
	cut := extent{1, 3, 5, 7, 8, 10}
	const nobody = -1
	for _, row := range []struct {
		name             string
		findings         []*diagnose.Finding
		extents          []extent
		selected, height int
		want             string
	}{
		{"room for all", []*diagnose.Finding{bad, warned}, []extent{long, short}, nobody, 20, "8 4"},
		{"critical first", []*diagnose.Finding{bad, warned}, []extent{long, short}, nobody, 6, "5 1"},
		{"what to do first of each before the rest", []*diagnose.Finding{bad, warned}, []extent{long, short}, nobody, 8, "5 3"},
		{"two critical", []*diagnose.Finding{bad, bad, warned}, []extent{long, long, short}, nobody, 11, "5 5 1"},
		{"the second up to its sentence", []*diagnose.Finding{bad, bad, warned}, []extent{long, long, short}, nobody, 10, "5 3 2"},
		{"no room for the lower ones", []*diagnose.Finding{bad, warned, warned}, []extent{long, short, short}, nobody, 4, "5 1 1"},
		{"two warnings", []*diagnose.Finding{warned, warned}, []extent{long, short}, nobody, 6, "3 3"},
		{"a selected warning", []*diagnose.Finding{bad, warned, warned}, []extent{long, long, short}, 1, 9, "5 8 1"},
		{"information beside what is wrong", []*diagnose.Finding{warned, told}, []extent{long, short}, nobody, 20, "8 1"},
		{"selected information", []*diagnose.Finding{warned, told}, []extent{long, short}, 1, 20, "8 4"},
		{"lines left over for what would be cut", []*diagnose.Finding{bad, warned}, []extent{cut, short}, nobody, 14, "10 4"},
		{"nobody loses a part to what would be cut", []*diagnose.Finding{bad, warned}, []extent{cut, short}, nobody, 13, "8 4"},
		{"information alone", []*diagnose.Finding{told}, []extent{short}, nobody, 20, "4"},
	} {
		p := findingsPane{reserved: map[itemKey]extent{}}
		for i, f := range row.findings {
			key := itemKey{what: string(rune('a' + i))}
			p.items = append(p.items, item{key: key, finding: f})
			p.reserved[key] = row.extents[i]
		}
		p.cursor.settle(p.keys())
		if row.selected != nobody {
			p.cursor.choose(p.items[row.selected].key)
		}
		var got []float64
		for _, n := range p.blocks(row.height) {
			got = append(got, float64(n))
		}
		if show(got) != row.want {
			t.Errorf("%s: %s, want %s", row.name, show(got), row.want)
		}
	}
}

// TestLack draws what cannot be judged: on a narrow screen what to do about it stays, and what is missing and where go.
func TestLack(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	model := diagnose.Subject{Level: diagnose.Model, Model: "meta-llama/Llama-3.1-8B-Instruct"}
	s := screen(t, Options{}, 80, 24, r).scene
	const (
		history  = "too little history to compare with: wait until a hundred requests are older than a quarter of an hour"
		noGPU    = "no GPU metrics: add --gpu URL"
		noFigure = "no GPU metrics at all: add --gpu URL (dcgm-exporter)"
	)
	p := findingsPane{}
	for _, row := range []struct {
		codes  []string
		enable string
		full   bool
		want   []string
	}{
		{[]string{"C7"}, noGPU, false, []string{" ? cannot judge C7 on Llama-3.1-8B-Instruct: no GPU metrics: add --gpu URL"}},
		{[]string{"C7"}, noFigure, false, []string{" ? cannot judge C7 on Llama-3.1-8B-Instruct: add --gpu URL (dcgm-exporter)"}},
		{[]string{"C1", "C2", "C3", "C4", "C5", "C7"}, noFigure, false, []string{" ? C1 C2 C3 C4 +2 on Llama-3.1-8B-Instruct: add --gpu URL (dcgm-exporter)"}},
		{[]string{"F1", "F6"}, history, false, []string{" ? F1 F6: wait until a hundred requests are older than a quarter of an hour"}},
		{[]string{"F1", "F6"}, history, true, []string{
			" ? cannot judge F1 F6 on Llama-3.1-8B-Instruct: too little history to compare",
			"   with: wait until a hundred requests are older than a quarter of an hour",
		}},
		{[]string{"C1", "C2", "C3", "C4", "C5"}, history, false, []string{" ? C1 C2 C3 C4 +1: wait until a hundred requests are older than a quarter of …"}},
	} {
		one := item{key: itemKey{what: "history"}, lack: &diagnose.Lack{Codes: row.codes, Subjects: []diagnose.Subject{model}, Enable: row.enable}}
		lines := p.text(&s, &one, false, 80, row.full)[0]
		for i := range lines {
			lines[i] = ansi.Strip(lines[i])
		}
		if !slices.Equal(lines, row.want) {
			t.Errorf("%v, in full %v:\n%q, want\n%q", row.codes, row.full, lines, row.want)
		}
	}
}

// TestInFull selects a line that is cut: the rule of the pane says that this tells it in full, and it does.
func TestInFull(t *testing.T) {
	m := screen(t, Options{}, 80, 24, judged(t, readScene(t, "thrash"), sceneEnd))
	const hint, rest = "j, k: in full", "dcgm-exporter's counters file\n"
	if got := text(m); !strings.Contains(got, hint) || strings.Contains(got, "_MAX_LINK_ rows, in\n   "+rest) {
		t.Errorf("no line is cut, or nothing says how to read it:\n%s", got)
	}
	press(m, "G")
	if got := text(m); !strings.Contains(got, "and both _MAX_LINK_ rows, in\n   "+rest) {
		t.Errorf("the selected line is cut:\n%s", got)
	}
	press(m, "enter")
	if got := text(m); !strings.Contains(got, "to judge   no PCIe link: enable") {
		t.Errorf("the evidence of what cannot be judged lacks what would enable it:\n%s", got)
	}
}

// TestReservedLines makes a sentence longer and shorter again: what is below it does not move back.
func TestReservedLines(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	m := screen(t, Options{}, 80, 40, r)
	m.View()
	key := m.findings.items[0].key
	lines := m.findings.reserved[key][toldAll]
	longer := *r
	longer.Findings = append([]diagnose.Finding(nil), r.Findings...)
	longer.Findings[0].Sentence += " And this is a sentence that makes it longer than it was by one line at least."
	for range 2 {
		m.Update(reportMsg{&longer, r.Time})
		m.View()
		m.Update(reportMsg{r, r.Time})
		m.View()
	}
	if got := m.findings.reserved[key][toldAll]; got != lines+1 {
		t.Errorf("%d lines are reserved, before the longer sentence it was %d", got, lines)
	}
}

// TestPlaceIsReadable lets targets with long names be down: a title gets shorter before a place does.
func TestPlaceIsReadable(t *testing.T) {
	for _, row := range []struct {
		instance string
		width    int
		want     string
	}{
		{"localhost:22000", 80, "● A1 scrape f…: nothing listens  localhost:22000 "},
		{"localhost:22000", 120, "● A1 scrape fails: nothing listens  localhost:22000 "},
		{"vllm-0.inference.svc:8000", 80, "● A1 scrape fails: n…  vllm-0.inference.svc:8000 "},
		{"vllm-0.inference.svc:8000", 80, "● vllm-0.inference.svc:8000 no metrics yet: connection refused"},
		{"vllm-0.inference.svc.cluster.local:8000", 80, "● A1 scr…  vllm-0.inference.s…cluster.local:8000 "},
	} {
		r := judged(t, sceneFile{"silent " + row.instance + " -\n"}, sceneEnd)
		if got := text(screen(t, Options{}, row.width, 24, r)); !strings.Contains(got, row.want) {
			t.Errorf("%s at %d columns lacks %q:\n%s", row.instance, row.width, row.want, got)
		}
	}
}

// TestHidesWhose lets a finding explain another of the same rule: whose that is has to be said.
func TestHidesWhose(t *testing.T) {
	s := screen(t, Options{}, 80, 24, judged(t, readScene(t, "thrash"), sceneEnd)).scene
	other := diagnose.Subject{Level: diagnose.Server, Instance: "b:8000"}
	got := s.titles([]diagnose.Ref{{Code: "H1", Subject: other}, {Code: "E6"}, {Code: "E6"}}, "H1")
	if want := "H1 KV transfers on b:8000 · E6 latency objective missed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAllSilent lets no target answer: one line says so and what to look at first, what is alike is told once below it, and the charts are
// of no single one of them.
func TestAllSilent(t *testing.T) {
	silent := sceneFile{"silent a:8000 -\nsilent b:8000 -\n"}
	r := judged(t, silent, sceneEnd)
	for _, width := range []int{80, 120} {
		got := text(screen(t, Options{}, width, 40, r))
		for _, want := range []string{"no target of 2 has answered, all refuse: see if a port-forward ended", "charts: no engine known yet"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q:\n%s", want, got)
			}
		}
		if n := strings.Count(got, "A1 scrape fails"); n != 1 {
			t.Errorf("the same is told %d times:\n%s", n, got)
		}
	}
	lost := *r
	lost.Targets = slices.Clone(r.Targets)
	lost.Targets[1].ErrorClass = "timeout"
	if got := text(screen(t, Options{}, 80, 24, &lost)); !strings.Contains(got, "no target of 2 has answered: check your own network first") {
		t.Errorf("nothing says what to look at first:\n%s", got)
	}
	alone := *r
	alone.Targets = slices.Clone(r.Targets)
	alone.Targets[1].Kind = "dcgm"
	if got := text(screen(t, Options{}, 80, 24, &alone)); !strings.Contains(got, "no target of 2 has answered") || strings.Contains(got, "port-forward ended") {
		t.Errorf("of one server its own finding says what to do:\n%s", got)
	}
}

// TestTableFollows selects findings about one replica after the other: the row of the table and the title of the charts are its.
func TestTableFollows(t *testing.T) {
	m := screen(t, Options{}, 120, 40, judged(t, readScene(t, "thrash"), sceneEnd))
	for range m.findings.items {
		replicas := replicasOf(m.scene.report, m.scene.subject)
		if got := text(m); len(replicas) == 1 {
			row, title := m.table.cursor.key.subject, "charts: "+m.scene.report.Where(replicas[0])
			if row != replicas[0] || !strings.Contains(got, title) {
				t.Errorf("selected is the row of %s, the charts are not %q:\n%s", row.Instance, title, got)
			}
		}
		press(m, "j")
	}
}
