package ui

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/vllmscope/vllmscope/diagnose"
)

// TestJudgesLikeTheBook compares what the signal table says of each finding with the finding's own evidence, while that is of
// the same moment.
func TestJudgesLikeTheBook(t *testing.T) {
	for _, scene := range []string{"thrash", "fleet", "down", "partly", "healthy"} {
		r := judged(t, readScene(t, scene), sceneEnd)
		for i := range r.Findings {
			f := &r.Findings[i]
			row := reasonFor(r, f.Rule, f.Subject)
			for _, e := range f.Evidence {
				for _, c := range row.conditions {
					if f.Quiet == 0 && c.Is == e.Is && !e.Plain && c.Outcome != e.Outcome {
						t.Errorf("%s: %s on %s: %s is %s, the finding says %s", scene, f.Rule.Code, f.Subject.Name(), e.Is, c.Outcome, e.Outcome)
					}
				}
			}
			if f.State == diagnose.Firing && f.Quiet == 0 && row.truth != diagnose.True {
				t.Errorf("%s: %s on %s fires and is %s", scene, f.Rule.Code, f.Subject.Name(), row.truth)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	s := &scene{look: newLook(Dark, false), report: r}
	replica := func(instance string) diagnose.Subject {
		for _, one := range r.Replicas {
			if one.Instance == instance {
				return one
			}
		}
		t.Fatalf("no replica %s", instance)
		return diagnose.Subject{}
	}
	var got []string
	for _, row := range reasons(r, replica("gpu-a:8000"), true) {
		_, verdict := s.verdict(&row)
		got = append(got, row.rule.Code+" "+verdict)
	}
	for _, want := range []string{
		"D1 holds 6m10s, confirmed", "E1 consequence of D1", "E6 consequence of D1", "A1 no: up yes",
		"C1 no: held down by heat 0 %",
	} {
		if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+want+"\n") {
			t.Errorf("lacks %q:\n%s", want, strings.Join(got, "\n"))
		}
	}
	if !strings.HasPrefix(got[0], "D1") || len(got) != len(r.Book().Rules) {
		t.Errorf("%d rows, the first %q", len(got), got[0])
	}
	for _, row := range reasons(r, replica("gpu-b:8000"), true) {
		if _, verdict := s.verdict(&row); row.rule.Code == "D7" && verdict != "cannot judge: lacks tensor pipe" {
			t.Errorf("D7 without GPU metrics: %q", verdict)
		}
	}
}

// TestReasonsHaveTheChain asks for the cause: what it hides is there too, though it is about something else.
func TestReasonsHaveTheChain(t *testing.T) {
	r := judged(t, readScene(t, "fleet"), sceneEnd)
	var codes []string
	for _, row := range reasons(r, r.Findings[0].Subject, false) {
		codes = appendNew(codes, row.rule.Code)
	}
	if got := strings.Join(codes, " "); got != "H3 E1 D3 I4 F1" {
		t.Errorf("about %s: %s", r.Findings[0].Rule.Code, got)
	}
}

// TestOwnFindingsComeFirst has two servers of a model run out of KV cache. What is found of the first explains what is found of the model, and
// is on the page of the second too: behind what is found of that one, and named.
func TestOwnFindingsComeFirst(t *testing.T) {
	scene := readScene(t, "thrash")
	server, _, _ := strings.Cut(scene.text, "gpu gpu-a")
	scene.text += strings.ReplaceAll(server, "gpu-a", "gpu-d")
	m := screen(t, Options{}, 120, 40, judged(t, scene, sceneEnd))
	for press(m, "tab"); m.table.cursor.key.subject.Instance != "gpu-d:8000"; {
		before := m.table.cursor.row
		if press(m, "down"); m.table.cursor.row == before {
			t.Fatalf("no row of it:\n%s", text(m))
		}
	}
	got := text(press(m, "enter"))
	own, other := strings.Index(got, "▸● D1 gpu-d:8000 KV thrash"), strings.Index(got, " ● D1 gpu-a:8000 KV thrash")
	if m.why.cursor.row != 0 || own < 0 || other < own {
		t.Errorf("row %d is selected:\n%s", m.why.cursor.row, got)
	}
}

// TestCannotJudgeIsCounted asks all rules of all replicas: those that cannot be judged are those that the header counts. What lacks a
// value for now says so in other words.
func TestCannotJudgeIsCounted(t *testing.T) {
	seen := map[string]int{}
	for _, row := range []struct {
		scene string
		at    time.Duration
	}{{"thrash", sceneEnd}, {"down", sceneEnd}, {"partly", sceneEnd}, {"healthy", sceneEnd}, {"first", 6 * time.Second}} {
		r := judged(t, readScene(t, row.scene), row.at)
		s := &scene{look: newLook(Dark, false), report: r}
		for _, replica := range r.Replicas {
			for _, one := range reasons(r, replica, true) {
				_, verdict := s.verdict(&one)
				kind, _, _ := strings.Cut(verdict, ":")
				seen[kind]++
				counted := slices.ContainsFunc(r.Unknown, func(u diagnose.Unjudged) bool { return u.Code == one.rule.Code && u.Subject == one.subject })
				if kind == "cannot judge" && !counted || counted && one.finding == nil && one.truth == diagnose.Unknown && kind != "cannot judge" {
					t.Errorf("%s: %s of %s: %q, counted: %t", row.scene, one.rule.Code, one.subject.Name(), verdict, counted)
				}
			}
		}
	}
	for _, kind := range []string{"cannot judge", "not yet", "no value now", "no"} {
		if seen[kind] == 0 {
			t.Errorf("no rule says %q: %v", kind, seen)
		}
	}
}

func TestShortTitles(t *testing.T) {
	k := newLook(Dark, false)
	all := maps.Clone(shortTitles)
	maps.Copy(all, shortGPUTitles)
	shown := signalsShown(diagnose.Default())
	for id, title := range all {
		if !shown[id] {
			t.Errorf("no rule compares or shows a signal %s", id)
		}
		if n := ansi.StringWidth(k.text(title)); n > signalWidth {
			t.Errorf("%s: %q is %d wide", id, title, n)
		}
	}
}

// signalsShown are the signals that the Why page may name: those that rules compare, and their further evidence.
func signalsShown(b *diagnose.Book) map[string]bool {
	shown := map[string]bool{}
	for _, rule := range b.Rules {
		ids := slices.Clone(rule.Evidence)
		for _, c := range rule.Cases {
			ids = append(ids, c.Evidence...)
		}
		for _, test := range []diagnose.Test{rule.When, rule.Critical, rule.Mild} {
			if test == nil {
				continue
			}
			for _, is := range diagnose.Comparisons(test) {
				ids = append(ids, is.Signal)
			}
		}
		for _, id := range ids {
			shown[id] = true
		}
	}
	return shown
}

// TestSignalsExist reads every signal that the screen names itself.
func TestSignalsExist(t *testing.T) {
	r := judged(t, readScene(t, "healthy"), sceneEnd)
	ids := []string{"told_sequence_cap", "frontend_gap", "queue_average", "prefill_average", "decode_average", "finished", "ttft_p50", "ttft_p95", "tpot_p50", "tpot_p95"}
	for _, c := range (&scene{report: r}).columns() {
		if c.signal != "" {
			ids = append(ids, c.signal)
		}
	}
	for _, id := range ids {
		if r.Book().Signal(id) == nil {
			t.Errorf("there is no signal %s", id)
		} else if f := r.Fact(id, r.Replicas[0]); !f.Known() && id != "told_sequence_cap" {
			t.Errorf("%s of a healthy replica: %s", id, f.Absence)
		}
	}
}

// TestReadings reads a signal of slow rules at every tick: it is known at each, though not read at each.
func TestReadings(t *testing.T) {
	for _, r := range judgedEach(t, readScene(t, "thrash"), sceneEnd-6*sceneStep) {
		if f := r.Fact("prefill_average", r.Replicas[0]); !f.Known() {
			t.Errorf("at %s: %s", r.Time.UTC(), f.Absence)
		}
	}
}

// TestWhyWithoutEngines asks why of targets that never answered: of the worst, and of the selected one.
func TestWhyWithoutEngines(t *testing.T) {
	r := judged(t, readScene(t, "never"), sceneEnd)
	for _, row := range []struct {
		keys []string
		want string
	}{
		{[]string{"enter"}, "A1 scrape fails · host-a:8000"},
		{[]string{"3"}, "A1 scrape fails · host-a:8000"},
		{[]string{"down", "enter"}, "A1 scrape fails · host-a:8000"},
		{[]string{"tab", "down", "enter"}, "A1 scrape fails · host-b:8000"},
	} {
		if got := text(press(screen(t, Options{}, 120, 40, r), row.keys...)); !strings.Contains(got, "evidence: "+row.want) {
			t.Errorf("after %v no evidence of %s:\n%s", row.keys, row.want, got)
		}
	}
}

// TestLabelsOfEvidence gives each figure that a rule shows a label in words at the least width, and its own title where there is room.
func TestLabelsOfEvidence(t *testing.T) {
	s := &scene{look: newLook(Dark, false), report: judged(t, readScene(t, "healthy"), sceneEnd)}
	for _, rule := range s.report.Book().Rules {
		ids := slices.Clone(rule.Evidence)
		_, conditions := s.report.Weigh(&rule, s.report.Replicas[0])
		for _, c := range conditions {
			ids = append(ids, c.Is.Signal)
		}
		for _, id := range ids {
			if label := s.label(s.report.Book().Signal(id), leastLabel, leastWidth).String(); strings.Contains(label, s.sign.cut) {
				t.Errorf("%s: the label of %s is cut: %q", rule.Code, id, label)
			}
		}
	}
	got := text(press(screen(t, Options{}, 120, 40, judged(t, readScene(t, "never"), sceneEnd)), "enter"))
	if !strings.Contains(got, " duration of the last scrape  0.39 ms") {
		t.Errorf("evidence of a refusal:\n%s", got)
	}
}

// TestPhases asks where time goes, of a server that does not say how long prefill takes too: what is unknown is no number.
func TestPhases(t *testing.T) {
	for _, row := range []struct{ scene, want string }{
		{"server host-a:8000 m\n", "prefill 100 ms | decode 1.7 s"},
		{"server host-a:8000 m\nprefill = _x144\n", "where time goes: frontend 48 ms | queue 2 ms  mean of n="},
	} {
		got := text(press(screen(t, Options{}, 120, 40, judged(t, sceneFile{row.scene}, sceneEnd)), "3"))
		if !strings.Contains(got, row.want) {
			t.Errorf("lacks %q:\n%s", row.want, got)
		}
	}
}
