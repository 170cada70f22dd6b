package ui

import (
	"testing"

	"github.com/vllmscope/vllmscope/diagnose"
)

// TestBlocks shares the lines of the findings pane out: the selected finding is told in full before the others.
func TestBlocks(t *testing.T) {
	keys := []itemKey{{what: "a"}, {what: "b"}, {what: "c"}}
	p := findingsPane{items: []item{{key: keys[0]}, {key: keys[1]}, {key: keys[2]}}, reserved: map[itemKey]int{keys[0]: 5, keys[1]: 4, keys[2]: 1}}
	for _, row := range []struct {
		selected, height int
		want             string
	}{
		{0, 20, "5 4 1"}, {0, 10, "5 4 1"}, {0, 9, "5 1 1"}, {1, 9, "1 4 1"}, {2, 9, "5 1 1"}, {0, 2, "5 1 1"},
	} {
		p.cursor.choose(keys[row.selected])
		var got []float64
		for _, n := range p.blocks(row.height) {
			got = append(got, float64(n))
		}
		if show(got) != row.want {
			t.Errorf("item %d of %d lines: %s, want %s", row.selected, row.height, show(got), row.want)
		}
	}
}

// TestReservedLines makes a sentence longer and shorter again: what is below it does not move back.
func TestReservedLines(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	m := screen(t, Options{}, 80, 40, r)
	m.View()
	key := m.findings.items[0].key
	lines := m.findings.reserved[key]
	longer := *r
	longer.Findings = append([]diagnose.Finding(nil), r.Findings...)
	longer.Findings[0].Sentence += " And this is a sentence that makes it longer than it was by one line at least."
	for range 2 {
		m.Update(reportMsg{&longer, r.Time})
		m.View()
		m.Update(reportMsg{r, r.Time})
		m.View()
	}
	if got := m.findings.reserved[key]; got != lines+1 {
		t.Errorf("%d lines are reserved, before the longer sentence it was %d", got, lines)
	}
}
