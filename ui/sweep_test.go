package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

var (
	sweepWidths  = []int{1, 2, 3, 10, 27, 59, 60, 61, 79, 80, 100, 120, 121, 158, 200, 300}
	sweepHeights = []int{1, 2, 5, 14, 15, 16, 20, 24, 25, 30, 40, 54, 100}
)

// TestSizes draws every page at every size: exactly as many lines as the screen has, none wider.
func TestSizes(t *testing.T) {
	for _, row := range []struct {
		scene string
		keys  []string
		ascii bool
	}{
		{"thrash", nil, false},
		{"thrash", nil, true},
		{"thrash", []string{"enter", "a"}, false},
		{"thrash", []string{"enter", "a"}, true},
		{"thrash", []string{"?"}, false},
		{"hostile", nil, false},
		{"hostile", []string{"3"}, true},
		{"fleet", []string{"o", "tab"}, false},
		{"fleet", []string{"/", "x"}, false},
		{"down", nil, false},
	} {
		m := press(screen(t, Options{ASCII: row.ascii}, 80, 24, judged(t, readScene(t, row.scene), sceneEnd)), row.keys...)
		for _, width := range sweepWidths {
			for _, height := range sweepHeights {
				m.Update(tea.WindowSizeMsg{Width: width, Height: height})
				checkSize(t, row.scene+" "+strings.Join(row.keys, " "), m.View().Content, width, height)
			}
		}
	}
}

func checkSize(t *testing.T, name, content string, width, height int) {
	t.Helper()
	lines := strings.Split(content, "\n")
	if len(lines) != height {
		t.Errorf("%s at %d×%d: %d lines", name, width, height, len(lines))
	}
	for i, line := range lines {
		if got := ansi.StringWidth(line); got > width {
			t.Errorf("%s at %d×%d: line %d is %d wide: %q", name, width, height, i, got, ansi.Strip(line))
		}
	}
}

func TestWithoutReportEverySize(t *testing.T) {
	m := screen(t, Options{}, 0, 0, nil)
	checkSize(t, "unknown size", m.View().Content, defaultWidth, defaultHeight)
	for _, width := range sweepWidths {
		for _, height := range sweepHeights {
			m.Update(tea.WindowSizeMsg{Width: width, Height: height})
			checkSize(t, "waiting", m.View().Content, width, height)
		}
	}
}

// TestSizeHasNoMemory shrinks the screen and widens it again: what is drawn is what a new screen of that size shows.
func TestSizeHasNoMemory(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	m := screen(t, Options{}, 120, 40, r)
	want := m.View().Content
	for _, size := range []tea.WindowSizeMsg{{Width: 10, Height: 3}, {Width: 70, Height: 18}, {Width: 300, Height: 100}, {Width: 120, Height: 40}} {
		m.Update(size)
		m.View()
	}
	if got := m.View().Content; got != want {
		t.Errorf("after shrinking and widening:\n%s\nwant:\n%s", ansi.Strip(got), ansi.Strip(want))
	}
}

// TestPanesStayPut lets time pass: no pane moves while the rows are the same.
func TestPanesStayPut(t *testing.T) {
	m := screen(t, Options{}, 120, 40, nil)
	var want []rectangle
	for i, r := range judgedEach(t, readScene(t, "thrash"), sceneEnd-2*time.Minute) {
		m.Update(reportMsg{r, r.Time})
		m.View()
		if got := m.layout(); i == 0 {
			want = got
		} else if !slices.Equal(got, want) {
			t.Fatalf("at %s the panes are at %v, before at %v", r.Time, got, want)
		}
	}
}
