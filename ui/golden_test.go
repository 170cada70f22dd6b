package ui

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/vllmscope/vllmscope/diagnose"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a screen with testdata/screens/<name>, so that it can be read as it is.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "screens", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got+"\n", "\n")); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", file, diff)
	}
}

// screen is a dashboard with a report on it.
func screen(t testing.TB, o Options, width, height int, r *diagnose.Report) *Model {
	t.Helper()
	o.Location, o.Interval = time.UTC, sceneStep
	if o.Theme == Auto {
		o.Theme = Dark
	}
	o.Waiting = "waiting for the first scrape of 3 targets"
	m := New(o)
	m.Update(tea.WindowSizeMsg{Width: width, Height: height})
	if r != nil {
		m.Update(reportMsg{r, r.Time})
	}
	return m
}

// text is what is on the screen, without styles and without blanks at the end of lines.
func text(m *Model) string {
	lines := strings.Split(ansi.Strip(m.View().Content), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// press presses keys, by their names, and draws after each as a program does.
func press(m *Model, names ...string) *Model {
	for _, name := range names {
		m.View()
		m.Update(keyNamed(name))
	}
	return m
}

func keyNamed(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"backspace": tea.KeyBackspace,
	}
	if base, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(base)[0], Mod: tea.ModCtrl}
	}
	if base, ok := strings.CutPrefix(name, "shift+"); ok {
		k := keyNamed(base)
		k.Mod = tea.ModShift
		return k
	}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func TestScreens(t *testing.T) {
	for _, row := range []struct {
		name          string
		scene         string
		at            time.Duration
		width, height int
		options       Options
		keys          []string
	}{
		{"healthy-80x24", "healthy", sceneEnd, 80, 24, Options{}, nil},
		{"healthy-120x40", "healthy", sceneEnd, 120, 40, Options{}, nil},
		{"thrash-80x24", "thrash", sceneEnd, 80, 24, Options{}, nil},
		{"thrash-120x40", "thrash", sceneEnd, 120, 40, Options{}, nil},
		{"thrash-200x60", "thrash", sceneEnd, 200, 60, Options{}, nil},
		{"thrash-60x15", "thrash", sceneEnd, 60, 15, Options{}, nil},
		{"thrash-50x10", "thrash", sceneEnd, 50, 10, Options{}, nil},
		{"thrash-ascii-120x40", "thrash", sceneEnd, 120, 40, Options{ASCII: true}, nil},
		{"thrash-pending-120x40", "thrash", 6*time.Minute + 30*time.Second, 120, 40, Options{}, nil},
		{"down-120x40", "down", sceneEnd, 120, 40, Options{}, nil},
		{"frozen-80x24", "frozen", sceneEnd, 80, 24, Options{}, nil},
		{"frozen-120x40", "frozen", sceneEnd, 120, 40, Options{}, nil},
		{"partly-80x24", "partly", sceneEnd, 80, 24, Options{}, nil},
		{"fleet-80x24", "fleet", sceneEnd, 80, 24, Options{}, nil},
		{"fleet-200x60", "fleet", sceneEnd, 200, 60, Options{}, nil},
		{"fleet-folded-120x40", "fleet", sceneEnd, 120, 40, Options{}, []string{"o"}},
		{"fleet-filtered-120x40", "fleet", sceneEnd, 120, 40, Options{}, []string{"/", "q", "w", "e", "n"}},
		{"hostile-120x40", "hostile", sceneEnd, 120, 40, Options{}, nil},
		{"first-120x40", "first", 6 * time.Second, 120, 40, Options{}, nil},
		{"help-80x24", "thrash", sceneEnd, 80, 24, Options{}, []string{"?"}},
		{"why-80x24", "thrash", sceneEnd, 80, 24, Options{}, []string{"enter"}},
		{"why-120x40", "thrash", sceneEnd, 120, 40, Options{}, []string{"enter"}},
		{"why-200x60", "thrash", sceneEnd, 200, 60, Options{}, []string{"enter"}},
		{"why-all-200x60", "thrash", sceneEnd, 200, 60, Options{}, []string{"enter", "a"}},
		{"why-ascii-120x40", "thrash", sceneEnd, 120, 40, Options{ASCII: true}, []string{"enter"}},
		{"why-gpu-120x40", "thrash", sceneEnd, 120, 40, Options{}, []string{"down", "enter"}},
		{"why-healthy-120x40", "healthy", sceneEnd, 120, 40, Options{}, []string{"3"}},
		{"why-never-120x40", "never", sceneEnd, 120, 40, Options{}, []string{"enter"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := judged(t, readScene(t, row.scene), row.at)
			golden(t, row.name, text(press(screen(t, row.options, row.width, row.height, r), row.keys...)))
		})
	}
	t.Run("coloured-80x24", func(t *testing.T) {
		content := screen(t, Options{}, 80, 24, judged(t, readScene(t, "thrash"), sceneEnd)).View().Content
		golden(t, "coloured-80x24", strings.ReplaceAll(content, "\x1b", "^["))
	})
	t.Run("waiting-120x40", func(t *testing.T) { golden(t, "waiting-120x40", text(screen(t, Options{}, 120, 40, nil))) })
}
