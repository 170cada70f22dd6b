package ui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// TestPause lets reports come in while the screen is paused: it shows the old one and says so, and the newest when it goes on.
func TestPause(t *testing.T) {
	all := judgedEach(t, readScene(t, "thrash"), sceneEnd-time.Minute)
	first, last := all[0], all[len(all)-1]
	m := press(screen(t, Options{}, 120, 40, first), "space")
	for _, r := range all[1:] {
		m.Update(reportMsg{r, r.Time})
	}
	if got := text(m); !strings.Contains(got, "paused at 00:11:00, 1m ago") || m.scene.report != first {
		t.Errorf("paused:\n%s", got)
	}
	if got := text(press(m, "space")); !strings.Contains(got, "as of 00:12:00") || m.scene.report != last {
		t.Errorf("gone on:\n%s", got)
	}
}

// TestLate lets no report come: ages grow, and the screen says that what it shows is old.
func TestLate(t *testing.T) {
	m := screen(t, Options{}, 120, 40, judged(t, readScene(t, "down"), sceneEnd))
	at := m.arrived
	for _, row := range []struct {
		after   time.Duration
		want    string
		another bool // look again
	}{
		{6 * time.Second, "  as of 00:12:00", true},
		{10 * time.Second, "no report for 10s, as of 00:12:00", true},
		{70 * time.Second, "has answered for 2m15s: check your own network first", true},
		{70 * time.Second, "read 2m15s ago: connection refused", true},
	} {
		_, cmd := m.Update(lateMsg(at.Add(row.after)))
		if got := text(m); !strings.Contains(got, row.want) || (cmd != nil) != row.another {
			t.Errorf("%s after the last report the screen lacks %q:\n%s", row.after, row.want, got)
		}
	}
	r := judged(t, readScene(t, "healthy"), sceneEnd)
	m.Update(reportMsg{r, at.Add(time.Hour)})
	if got := text(m); !strings.Contains(got, "live 5s") {
		t.Errorf("after a new report:\n%s", got)
	}
}

// TestLooksWhenLate waits for the look at the clock that the first report starts, and for the next: two intervals after a report, and
// then one interval later each time.
func TestLooksWhenLate(t *testing.T) {
	r := judged(t, readScene(t, "healthy"), sceneEnd)
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan *diagnose.Report)
		close(ended)
		m := New(Options{Interval: sceneStep, Reports: ended})
		begin := time.Now()
		_, cmd := m.Update(reportMsg{r, begin})
		batch, ok := cmd().(tea.BatchMsg)
		if !ok || len(batch) != 2 {
			t.Fatalf("the first report starts %v", batch)
		}
		for _, want := range []time.Duration{2 * sceneStep, 3 * sceneStep, 4 * sceneStep} {
			look := batch[len(batch)-1]
			msg, ok := look().(lateMsg)
			if got := time.Since(begin); !ok || got != want {
				t.Errorf("a look after %s, want %s", got, want)
			}
			_, next := m.Update(msg)
			batch = tea.BatchMsg{next}
			if m.scene.late != want {
				t.Errorf("late for %s after %s", m.scene.late, want)
			}
		}
	})
}

func TestEnd(t *testing.T) {
	m := screen(t, Options{}, 120, 40, judged(t, readScene(t, "healthy"), sceneEnd))
	m.Update(endedMsg{})
	if got := text(m); !strings.Contains(got, "end of the data at 00:12:00") {
		t.Errorf("at the end of the data:\n%s", got)
	}
	if _, cmd := m.Update(lateMsg(m.arrived.Add(time.Hour))); cmd != nil {
		t.Error("the clock is looked at after the end of the data")
	}
}

// TestOnlyOneWaits counts commands: each report has one that waits for the next, and only the first starts to look at the clock.
func TestOnlyOneWaits(t *testing.T) {
	r := judged(t, readScene(t, "healthy"), sceneEnd)
	ended := make(chan *diagnose.Report)
	close(ended)
	m := New(Options{Interval: sceneStep, Reports: ended})
	for i, want := range []int{2, 1, 1} {
		got := 1
		_, cmd := m.Update(reportMsg{r, r.Time})
		if batch, ok := cmd().(tea.BatchMsg); ok {
			got = len(batch)
		}
		if got != want {
			t.Errorf("report %d starts %d commands, want %d", i, got, want)
		}
	}
}

// TestCountsAgree watches a server that never answered beside one that does: both lines of the header count the same servers, and the
// first says of what it counts those that are unknown.
func TestCountsAgree(t *testing.T) {
	scene := readScene(t, "healthy")
	scene.text += "\nsilent host-z:8000 -\n"
	r := judged(t, scene, sceneEnd)
	got := text(screen(t, Options{}, 120, 40, r))
	for _, want := range []string{"2 servers, 1 down", "1 of 2 servers silent", " unjudged "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
	if got := text(screen(t, Options{}, 160, 40, r)); !strings.Contains(got, " rules unjudged ") {
		t.Errorf("nothing says what is unjudged:\n%s", got)
	}
	exporter := *r
	exporter.Settings.GPUTargets = []string{"host-z:8000"}
	if n := len(exporter.Servers()); n != 1 {
		t.Errorf("%d servers, where one of the targets is an exporter of GPUs", n)
	}
}

// TestSelectionStays sorts rows anew under a selection, and takes the selected one away.
func TestSelectionStays(t *testing.T) {
	r := judged(t, readScene(t, "fleet"), sceneEnd)
	m := press(screen(t, Options{}, 120, 40, r), "tab", "j", "j")
	if got := text(press(m, "s", "s", "s")); !strings.Contains(got, "▸✓ 10.0.0.3:8000") || !strings.Contains(got, "running▾") {
		t.Errorf("sorted by running:\n%s", got)
	}
	if row := m.table.rows[0].key.subject.Instance; row != "10.0.0.1:8000" {
		t.Errorf("the row with most running is %s", row)
	}
	press(m, "/", "q", "w", "e", "n", "enter")
	if got := m.table.cursor.key.subject.Model; got != "Qwen/Qwen2.5-7B-Instruct" {
		t.Errorf("when the selected row is gone, %s is selected", got)
	}
}

// TestFirstFindingStaysSelected lets a worse finding come: until somebody chooses, the selection is on the first, whatever that is.
func TestFirstFindingStaysSelected(t *testing.T) {
	before, after := judged(t, readScene(t, "healthy"), sceneEnd), judged(t, readScene(t, "thrash"), sceneEnd)
	m := screen(t, Options{}, 120, 40, before)
	m.Update(reportMsg{after, after.Time})
	if f := m.findings.chosen().finding; f == nil || f.Rule.Code != "D1" {
		t.Errorf("selected: %v", f)
	}
	press(m, "j", "k", "j")
	m.Update(reportMsg{after, after.Time})
	if f := m.findings.chosen().finding; f == nil || f.Rule.Code != "C1" {
		t.Errorf("chosen was C1, selected is %v", f)
	}
}

// TestBeforeTheFirstReport presses every key while there is nothing to show.
func TestBeforeTheFirstReport(t *testing.T) {
	var done []string
	for _, c := range newCommands(Options{Deeds: allDeeds(&done)}) {
		for _, k := range c.Keys() {
			m := press(screen(t, Options{Deeds: allDeeds(&done)}, 120, 40, nil), k)
			checkSize(t, k, m.View().Content, 120, 40)
			press(m, "tab", k, "3", k, "tab", k).View()
		}
	}
}

// TestLastFrameIsEmpty leaves in every way: what is on the screen then may stay in the shell.
func TestLastFrameIsEmpty(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	for _, keys := range [][]string{{"q"}, {"ctrl+c"}, {"enter", "q"}, {"?", "ctrl+c"}, {"/", "x", "ctrl+c"}} {
		m := press(screen(t, Options{}, 120, 40, r), keys...)
		m.Update(reportMsg{r, r.Time})
		if v := m.View(); strings.TrimSpace(v.Content) != "" || !v.AltScreen {
			t.Errorf("after %v the screen is:\n%s", keys, v.Content)
		}
	}
}
