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

// TestPanesStayPut lets time pass: no pane moves while the rows and the causes are the same.
func TestPanesStayPut(t *testing.T) {
	for _, row := range []struct {
		scene         string
		width, height int
	}{{"thrash", 120, 40}, {"thrash", 80, 24}, {"healthy", 80, 24}} {
		m := screen(t, Options{}, row.width, row.height, nil)
		var want []rectangle
		for i, r := range judgedEach(t, readScene(t, row.scene), sceneEnd-2*time.Minute) {
			m.Update(reportMsg{r, r.Time})
			m.View()
			if got := m.layout(); i == 0 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Fatalf("%s at %s: the panes are at %v, before at %v", row.scene, r.Time, got, want)
			}
		}
	}
}

// TestOverviewHeights shares lines out: on a low screen charts take what findings and rows leave.
func TestOverviewHeights(t *testing.T) {
	for _, row := range []struct {
		height, rows, causes int
		want                 []int
	}{
		{37, 3, 4, []int{18, 7, 12}},
		{21, 1, 0, []int{10, 4, 7}},
		{21, 3, 1, []int{9, 5, 7}},
		{21, 4, 1, []int{15, 6, 0}},
		{21, 3, 2, []int{16, 5, 0}},
		{21, 7, 0, []int{5, 9, 7}},
		{21, 8, 0, []int{11, 10, 0}},
		{12, 1, 0, []int{8, 4, 0}},
	} {
		if got := overviewHeights(row.height, row.rows, row.causes); !slices.Equal(got, row.want) {
			t.Errorf("%d lines, %d rows, %d causes: %v, want %v", row.height, row.rows, row.causes, got, row.want)
		}
	}
}
