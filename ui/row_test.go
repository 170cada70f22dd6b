package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
)

// TestHealthyMeansJudged looks at a healthy replica early, late, and where much of it cannot be judged: only what was judged is
// called healthy.
func TestHealthyMeansJudged(t *testing.T) {
	scene := readScene(t, "healthy")
	late := judged(t, scene, sceneEnd)
	with := func(values string, at time.Duration) *diagnose.Report {
		return judged(t, sceneFile{strings.Replace(scene.text, "gpu ", values+"\ngpu ", 1)}, at)
	}
	none := func(names string) string { return strings.ReplaceAll(names, " ", " = _x144\n") + " = _x144" }
	for _, row := range []struct {
		name      string
		report    *diagnose.Report
		line, row string
	}{
		{"after one scrape", judged(t, readScene(t, "first"), 6*time.Second), "· no warning yet · observed 0s · most rules need a minute\n", " · host-a:8000"},
		{"early", judged(t, scene, 10*time.Second), "· nothing found yet · observed 10s · most rules need a minute\n", " · host-a:8000"},
		{"late", late, "✓ nothing found · ", " ✓ host-a:8000"},
		{"early without what D1 takes", with(none("kv preemptions"), 10*time.Second), "? nothing found in what little can be judged · ", " ? host-a:8000"},
		{"without what D1 takes", with(none("kv preemptions"), sceneEnd), "? nothing found in what little can be judged · ", " ? host-a:8000"},
		{"without what few rules take", with(none("ttft queue"), sceneEnd), "✓ nothing found · ", " ✓ host-a:8000"},
		{"while the page says hardly anything", with(none("waiting kv preemptions generated prompts finished ttft itl queue"), sceneEnd), "? nothing found in what little can be judged · ", " ? host-a:8000"},
	} {
		got := strings.ReplaceAll(text(screen(t, Options{}, 120, 40, row.report)), "▸", " ")
		if !strings.Contains(got, row.line) || !strings.Contains(got, row.row) {
			t.Errorf("%s:\n%s", row.name, got)
		}
	}
}

// TestRatesAreMissed looks at the first ticks: that rates need a second scrape is said until there is one, however long that took.
func TestRatesAreMissed(t *testing.T) {
	first := judged(t, readScene(t, "first"), 6*time.Second)
	for i, r := range append([]*diagnose.Report{first}, judgedEach(t, readScene(t, "healthy"), 0)[:3]...) {
		soon := *r
		soon.Observed = min(r.Observed, r.Settings.Step/2) // the first scrape may come between two ticks
		got := text(screen(t, Options{}, 120, 40, &soon))
		known := r.Fact("generation_tokens_per_second", r.Replicas[0]).Known()
		if said := strings.Contains(got, "rates need a second scrape"); said == known || known != (i > 0) {
			t.Errorf("at %s a rate is known: %t; said that it is not: %t", r.Time.UTC(), known, said)
		}
	}
}

// TestDeadRow looks at a replica that died: it has one row, readings stay with their age, and nothing that was an interval becomes an exact
// figure.
func TestDeadRow(t *testing.T) {
	r := judged(t, readScene(t, "down"), sceneEnd)
	for _, width := range []int{60, 80, 120, 200} {
		seen, rows := false, 0
		for line := range strings.SplitSeq(text(screen(t, Options{}, width, 40, r)), "\n") {
			if strings.Contains(line, "● host-a:8000 ") && strings.Contains(line, "31 %") {
				seen = true
				if _, behind, _ := strings.Cut(line, "31 %"); !strings.HasPrefix(strings.TrimSpace(strings.Trim(behind, "█")), "read 1m05s ago: ") {
					t.Errorf("at %d columns: %s", width, line)
				}
			}
			if strings.HasPrefix(strings.TrimPrefix(strings.TrimSpace(line), "▸"), "● host-a:8000 ") {
				rows++
			}
		}
		if !seen {
			t.Errorf("at %d columns there is no row of the dead replica", width)
		}
		if rows != 1 {
			t.Errorf("at %d columns the dead replica has %d rows", width, rows)
		}
	}
}
