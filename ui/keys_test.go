package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/promqltest"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// allDeeds can do everything; what was done is noted.
func allDeeds(done *[]string) Deeds {
	return Deeds{
		ScrapeNow: func(context.Context) error { *done = append(*done, "scrape"); return nil },
		SetInterval: func(_ context.Context, d time.Duration) error {
			*done = append(*done, "interval "+d.String())
			return nil
		},
		Turn: func(by int) (Stop, error) {
			*done = append(*done, fmt.Sprint("turn ", by))
			return Stop{}, nil
		},
	}
}

func TestKeys(t *testing.T) {
	thrash, fleet, healthy := judged(t, readScene(t, "thrash"), sceneEnd), judged(t, readScene(t, "fleet"), sceneEnd), judged(t, readScene(t, "healthy"), sceneEnd)
	young := judged(t, readScene(t, "healthy"), 30*time.Second)
	for _, row := range []struct {
		name string
		r    *diagnose.Report
		keys string
		want string // on the screen
		not  string // not on the screen
	}{
		{"down selects the next finding", thrash, "down", "▸▲ C1", "▸● D1"},
		{"j does too", thrash, "j", "▸▲ C1", "▸● D1"},
		{"up goes back", thrash, "j k", "▸● D1", "▸▲ C1"},
		{"G goes to the last", thrash, "G", "▸? cannot judge C4", "▸● D1"},
		{"g goes to the first", thrash, "G g", "▸● D1", "▸? D7"},
		{"pgdown goes a page down", thrash, "pgdown", "▸? cannot judge C4", "▸● D1"},
		{"pgup goes a page up", thrash, "G pgup", "▸● D1", "▸? D7"},
		{"tab goes to the table", thrash, "tab down", "▸✓ gpu-b:8000", ""},
		{"tab skips the charts", thrash, "tab tab down", "▸▲ C1", ""},
		{"shift+tab goes back", thrash, "shift+tab down", "▸✓ gpu-b:8000", ""},
		{"enter on a finding tells why", thrash, "enter", "why: llama-70b on gpu-a:8000", "findings"},
		{"enter on a row tells why", thrash, "tab down enter", "why: mistral-24b on gpu-b:8000", "findings"},
		{"enter on what cannot be judged tells what it lacks", thrash, "G enter", "▸  C4 link degraded", "── findings"},
		{"enter on the line that nothing is wrong opens nothing", healthy, "enter", "no details of this line", "why:"},
		{"enter on a row below it does", healthy, "tab enter", "why:", "findings"},
		{"3 tells why", thrash, "3", "why: llama-70b on gpu-a:8000", "findings"},
		{"1 is the overview", thrash, "3 1", "findings", "why:"},
		{"esc goes back", thrash, "enter esc", "findings", "why:"},
		{"esc gives the selection up", thrash, "down esc", "▸● D1", "▸▲ C1"},
		{"right shows more signals", thrash, "enter right", "signals 2–6", ""},
		{"l does too, h goes back", thrash, "enter l l h", "signals 2–6", ""},
		{"a shows all rules", thrash, "enter a", "all rules", "rules that are near"},
		{"a again shows those near", thrash, "enter a a", "rules that are near", "all rules"},
		{"/ filters as it is typed", fleet, "/ 1 0 . 0 . 0 . 3", "1 of 8", "10.0.0.4"},
		{"backspace takes back", fleet, "/ . 3 : x backspace", "10.0.0.3", "10.0.0.4:8000"},
		{"! inverts", fleet, "/ ! q w e n", "10.0.0.4", "10.0.0.5"},
		{"enter keeps the filter", fleet, "/ q w e n enter", "filter: qwen (esc clears)", "10.0.0.4"},
		{"keys count again behind a filter", fleet, "/ q w e n enter tab j", "▸✓ 10.0.0.6", ""},
		{"esc clears the filter while typed", fleet, "/ q w e n esc", "10.0.0.4", "filter:"},
		{"esc clears the filter later", fleet, "/ q w e n enter esc", "10.0.0.4", "filter:"},
		{"q is text in a filter", fleet, "/ q", "filter: q", ""},
		{"s sorts by the next column", thrash, "s", "MODEL▾", "REPLICA▾"},
		{"S turns the order round", thrash, "S", "REPLICA▴", "REPLICA▾"},
		{"o folds models", fleet, "o", "median of 4", "10.0.0.3:8000"},
		{"o unfolds them", fleet, "o o", "10.0.0.3:8000", "median of 4"},
		{"] is a longer span", thrash, "]", "last 15m", "last 5m"},
		{"[ is a shorter span", thrash, "[", "last 1m", "last 5m"},
		{"[ ends at a minute", thrash, "[ [ [", "last 1m", "last 5m"},
		{"space pauses", thrash, "space", "paused at 00:12:00", "live 5s"},
		{"space goes on", thrash, "space space", "live 5s", "paused"},
		{"t changes the theme", thrash, "t", "theme: light", ""},
		{"m switches the mouse on", thrash, "m", "mouse on", ""},
		{"m switches the mouse off", thrash, "m m", "mouse off", ""},
		{"r scrapes", thrash, "r", "scraping now", ""},
		{"+ is a longer interval", thrash, "+", "interval 10s", ""},
		{"- is a shorter interval", thrash, "-", "interval 2s", ""},
		{"y copies the column's signal", thrash, "tab s s y", "copied the PromQL of waiting", ""},
		{"y copies the evidence's signal", thrash, "enter tab j y", "copied the PromQL of preemptions per admission", ""},
		{"y copies the command of a finding", thrash, "down y", "copied the command: nvidia-smi -i GPU-gpu-c:94003 -pl WATTS", ""},
		{"y copies it of a row that tells why", thrash, "down enter y", "copied the command: nvidia-smi -i GPU-gpu-c:94003 -pl WATTS", ""},
		{"y says how a rate of a new target differs", young, "tab s s s s s s s y", "copied the PromQL of output tokens: it divides by the whole window, the figure here by the 33s", ""},
		{"y says nothing of a gauge's", young, "tab s s y", "copied the PromQL of waiting", "the whole window"},
		{"y says what it needs", thrash, "tab y", "nothing to copy", ""},
		{"? is the help", thrash, "?", "suspend", "findings"},
		{"? closes the help", thrash, "? ?", "findings", "suspend"},
		{"esc closes the help", thrash, "? esc", "findings", "suspend"},
		{"q closes the help", thrash, "? q", "findings", "suspend"},
		{"another key does nothing", thrash, "Z", "▸● D1", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var done []string
			m := press(screen(t, Options{Deeds: allDeeds(&done)}, 120, 40, row.r), strings.Fields(row.keys)...)
			got := text(m)
			if !strings.Contains(got, row.want) || row.not != "" && strings.Contains(got, row.not) {
				t.Errorf("after %s the screen wants %q and not %q:\n%s", row.keys, row.want, row.not, got)
			}
		})
	}
}

// TestNothingToCopyFits presses y on a finding that names no command, on a narrow screen.
func TestNothingToCopyFits(t *testing.T) {
	got := text(press(screen(t, Options{}, 80, 24, judged(t, readScene(t, "thrash"), sceneEnd)), "tab", "y"))
	if !strings.Contains(got, "or a finding with a command\n") && !strings.HasSuffix(got, "or a finding with a command") {
		t.Errorf("the way out is cut:\n%s", got)
	}
}

func TestQuitKeys(t *testing.T) {
	r := judged(t, readScene(t, "healthy"), sceneEnd)
	for _, row := range []struct {
		keys string
		want tea.Msg
	}{
		{"q", tea.QuitMsg{}},
		{"ctrl+c", tea.QuitMsg{}},
		{"/ ctrl+c", tea.QuitMsg{}},
		{"? ctrl+c", tea.QuitMsg{}},
		{"ctrl+z", tea.SuspendMsg{}},
	} {
		keys := strings.Fields(row.keys)
		m := press(screen(t, Options{}, 80, 24, r), keys[:len(keys)-1]...)
		_, cmd := m.Update(keyNamed(keys[len(keys)-1]))
		if cmd == nil || cmd() != row.want {
			t.Errorf("%s does not end in %T", row.keys, row.want)
		}
	}
}

func TestDeedsAreDone(t *testing.T) {
	var done []string
	m := screen(t, Options{Interval: sceneStep, Advice: func(d time.Duration) string {
		return map[time.Duration]string{10 * time.Second: "ten is long"}[d]
	}, Deeds: allDeeds(&done)}, 80, 24, judged(t, readScene(t, "healthy"), sceneEnd))
	if got := text(press(m, "+")); !strings.Contains(got, "? ten is long") {
		t.Errorf("there is no advice on the new interval:\n%s", got)
	}
	if got := text(press(m, "-")); strings.Contains(got, "ten is long") {
		t.Errorf("there is advice on the interval before:\n%s", got)
	}
	for _, name := range []string{"r", "+", "-"} {
		_, cmd := m.Update(keyNamed(name))
		m.Update(cmd())
	}
	if got := strings.Join(done, ", "); got != "scrape, interval 10s, interval 5s" {
		t.Errorf("done: %s", got)
	}
	m.options.Deeds.SetInterval = func(context.Context, time.Duration) error { return errors.New("set interval: the pool has stopped") }
	_, cmd := m.Update(keyNamed("+"))
	m.Update(cmd())
	if got := text(m); !strings.Contains(got, "the pool has stopped") || m.header.interval != sceneStep {
		t.Errorf("after a deed that failed the interval is %s:\n%s", m.header.interval, got)
	}
}

// TestHelpIsTrue compares the help with what keys can do: everything that is possible and nothing else.
func TestHelpIsTrue(t *testing.T) {
	r := judged(t, readScene(t, "healthy"), sceneEnd)
	var done []string
	able, unable := screen(t, Options{Deeds: allDeeds(&done)}, 200, 60, r), screen(t, Options{NoColor: true}, 200, 60, r)
	for _, row := range []struct {
		text       string
		able, none bool
	}{
		{"scrape now", true, false},
		{"next stop of the tour", true, false},
		{"stop before", true, false},
		{"longer interval", true, false},
		{"shorter interval", true, false},
		{"copy PromQL or command", true, true},
		{"theme: dark, light, mono", true, false},
		{"filter (! inverts)", true, true},
		{"quit, whatever is open", true, true},
	} {
		if got := strings.Contains(text(press(able, "?")), row.text); got != row.able {
			t.Errorf("with every deed the help has %q: %t", row.text, got)
		}
		if got := strings.Contains(text(press(unable, "?")), row.text); got != row.none {
			t.Errorf("without deeds and colours the help has %q: %t", row.text, got)
		}
		press(able, "?")
		press(unable, "?")
	}
}

// TestKeysAreUnambiguous finds keys that are bound twice in one place.
func TestKeysAreUnambiguous(t *testing.T) {
	var done []string
	bound := map[place]map[string]string{}
	for _, c := range newCommands(Options{Deeds: allDeeds(&done)}) {
		if c.Help().Desc == "" || c.do == nil || c.where == 0 || !c.Enabled() {
			t.Errorf("%v lacks something", c.Help())
		}
		for bit := inFindings; bit <= inHelp; bit <<= 1 {
			for _, k := range c.Keys() {
				if bound[bit] == nil {
					bound[bit] = map[string]string{}
				}
				if c.where&bit != 0 && bound[bit][k] != "" {
					t.Errorf("%s is %q and %q", k, bound[bit][k], c.Help().Desc)
				} else if c.where&bit != 0 {
					bound[bit][k] = c.Help().Desc
				}
			}
		}
	}
}

// TestKeysAreDeclaredOnce looks for keys that are told apart anywhere but in keys.go.
func TestKeysAreDeclaredOnce(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, sign := range []string{"WithKeys(", "tea.KeyEnter", "msg.String()", "Keystroke()", "msg.Code"} {
			if file != "keys.go" && !strings.HasSuffix(file, "_test.go") && strings.Contains(string(source), sign) {
				t.Errorf("%s has %s", file, sign)
			}
		}
	}
}

func TestMouse(t *testing.T) {
	m := press(screen(t, Options{}, 120, 40, judged(t, readScene(t, "thrash"), sceneEnd)), "m")
	if m.View().MouseMode != tea.MouseModeCellMotion {
		t.Error("the mouse is off")
	}
	line := func(wanted string) int {
		for i, l := range strings.Split(text(m), "\n") {
			if strings.Contains(l, wanted) && strings.HasPrefix(strings.TrimLeft(l, " ▸"), string([]rune(wanted)[0])) {
				return i
			}
		}
		t.Fatalf("no line with %q", wanted)
		return 0
	}
	m.Update(tea.MouseClickMsg{Y: line("▲ C1")})
	if got := text(m); !strings.Contains(got, "▸▲ C1") {
		t.Errorf("a click on C1 selects something else:\n%s", got)
	}
	m.Update(tea.MouseClickMsg{Y: line("✓ gpu-b:8000")})
	if got := text(m); !strings.Contains(got, "▸✓ gpu-b:8000") || m.focused().place() != inTable {
		t.Errorf("a click on a row selects something else:\n%s", got)
	}
	m.Update(tea.MouseWheelMsg{Y: line("✓ gpu-b:8000"), Button: tea.MouseWheelDown})
	if got := text(m); !strings.Contains(got, "▸▲ gpu-c:8000") {
		t.Errorf("the wheel selects something else:\n%s", got)
	}
}

func TestPaste(t *testing.T) {
	m := press(screen(t, Options{}, 120, 40, judged(t, readScene(t, "fleet"), sceneEnd)), "/")
	m.Update(tea.PasteMsg{Content: "10.0\n.0.\x1b3"})
	if got := text(m); !strings.Contains(got, "filter: 10.0.0.3") || !strings.Contains(got, "1 of 8") {
		t.Errorf("pasted:\n%s", got)
	}
}

// TestThemes checks that colours and styles are all that differs between themes, and that Mono has none.
func TestThemes(t *testing.T) {
	r := judged(t, readScene(t, "thrash"), sceneEnd)
	dark := screen(t, Options{Theme: Dark}, 120, 40, r)
	for _, theme := range []Theme{Light, Mono} {
		m := screen(t, Options{Theme: theme}, 120, 40, r)
		if text(m) != text(dark) {
			t.Errorf("%s says something else", theme)
		}
		if m.View().Content == dark.View().Content {
			t.Errorf("%s looks like dark", theme)
		}
	}
	mono := press(screen(t, Options{NoColor: true}, 120, 40, r), "t")
	for _, code := range []string{"[3", "[9", ";3", ";9", "[4", ";4"} {
		if strings.Contains(mono.View().Content, "\x1b"+code) {
			t.Errorf("without colours there is the code %q", code)
		}
	}
}

func TestBackground(t *testing.T) {
	m := New(Options{})
	m.Update(tea.BackgroundColorMsg{Color: ansi.White})
	if m.scene.theme != Light {
		t.Errorf("on a white background the theme is %s", m.scene.theme)
	}
	m = New(Options{Theme: Dark})
	m.Update(tea.BackgroundColorMsg{Color: ansi.White})
	if m.scene.theme != Dark {
		t.Errorf("a theme that was asked for becomes %s", m.scene.theme)
	}
}

// TestCopiesTheUsersRule copies the expression of an alerting rule of the user's, whose value is no signal of the catalogue.
func TestCopiesTheUsersRule(t *testing.T) {
	const expr = "vllm:num_requests_waiting > 0"
	own := &diagnose.OwnRules{Rules: []diagnose.OwnRule{{
		Rule: diagnose.Rule{Code: "U1", Name: "Mine", Title: "Mine", Level: diagnose.Fleet, Expr: expr, When: diagnose.All{}},
		Tell: func(series labels.Labels, _ float64, _ time.Time) (alert, annotations map[string]string) {
			return map[string]string{"instance": series.Get("instance"), "severity": "critical"}, nil
		},
		Never: func([]string) string { return "" },
	}}}
	store := promqltest.LoadedStorage(t, readScene(t, "thrash").load(t))
	watch := diagnose.NewWatch(prom.NewEngine(sceneStore{store}, sceneStep), diagnose.Default().WithOwn(own), sceneSettings(), time.Hour)
	r, err := watch.Advance(t.Context(), time.UnixMilli(0).Add(sceneEnd))
	if err != nil {
		t.Fatal(err)
	}
	m := press(screen(t, Options{}, 120, 40, r), "3", "down", "tab")
	if got := m.selected(); got != "U1" {
		t.Fatalf("the line of %q is selected, not that of the user's rule:\n%s", got, text(m))
	}
	_, cmd := m.Update(keyNamed("y"))
	if want := tea.SetClipboard(expr)(); cmd == nil || cmd() != want {
		t.Errorf("y copies something else than %s; it says %q", expr, m.status)
	}
}
