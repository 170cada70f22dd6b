package ui

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/prometheus/prometheus/promql/promqltest"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

func TestChart(t *testing.T) {
	c := chart{
		unit: diagnose.Count, limit: 8, end: at(55), span: time.Minute, restart: at(30),
		series: []trace{{plain, "queue", "7", values("0 1 2 3 4 5 _ _ 6 6 7 7")}},
	}
	for _, row := range []struct {
		ascii bool
		want  string
	}{
		{false, `
queue 7
    10│
      │╌╌╌╌╌╌╌╌╌╌⢠⠤
      │    ⢀⡰⠂ ⠈⠉⠁
     4│  ⢀⡰⠊
      │⢀⡰⠊
     0└──────⟲─────
      -1m       now`},
		{true, `
queue 7
    10|
      |----------**
      |    **  **
     4|  **
      |**
     0+------R-----
      -1m       now`},
	} {
		lines := newLook(Dark, row.ascii).chart(&c, 19, 8)
		for i := range lines {
			lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
		}
		if got := "\n" + strings.Join(lines, "\n"); got != row.want {
			t.Errorf("got:%s\nwant:%s", got, row.want)
		}
	}
}

// FuzzChart gives the library what it cannot bear, and sizes without room.
func FuzzChart(f *testing.F) {
	f.Add(1.0, math.NaN(), math.Inf(1), 30, 8, 5.0, 0.0, int64(60))
	f.Add(0.0, -1.0, math.Inf(-1), -1, 5, math.NaN(), math.Inf(1), int64(0))
	f.Add(1e308, -1e308, 0.0, 5, -1, 1e-300, 1e300, int64(-5))
	for size := -1; size <= 5; size++ {
		f.Add(1.0, 2.0, 3.0, size, size, 1.0, 0.0, int64(60))
	}
	f.Fuzz(func(t *testing.T, a, b, c float64, width, height int, limit, top float64, seconds int64) {
		width, height = min(width, 200), min(height, 60)
		h := history{first: at(0), step: 5 * time.Second, values: []float64{a, b, math.NaN(), c, a, b, c}}
		one := chart{
			unit: diagnose.Seconds, limit: limit, top: top, end: at(30),
			span: time.Duration(seconds%100_000) * time.Second, restart: at(10), series: []trace{{plain, "chart", "5", h}, {faint, "", "", history{}}},
		}
		for _, ascii := range []bool{false, true} {
			lines := newLook(Dark, ascii).chart(&one, width, height)
			if len(lines) != max(0, height) {
				t.Errorf("%d lines in a height of %d", len(lines), height)
			}
			for _, line := range lines {
				if n := ansi.StringWidth(line); n > max(0, width) {
					t.Errorf("a line is %d wide in %d: %q", n, width, line)
				}
			}
		}
	})
}

func TestChartTitleFits(t *testing.T) {
	c := chart{series: []trace{{plain, "TTFT p50", "~40–80 s", history{}}, {plain, "p95", "~80 s–2m40s", history{}}}}
	for width, want := range map[int]string{40: "TTFT p50 ~40–80 s p95 ~80 s–2m40s", 33: "TTFT p50 ~40–80 s p95 ~80 s–2m40s", 32: "TTFT p50 p95 ~80 s–2m40s", 10: "TTFT p50 …"} {
		if got := strings.TrimRight(ansi.Strip(newLook(Dark, false).chart(&c, width, 1)[0]), " "); got != want {
			t.Errorf("in %d cells %q, want %q", width, got, want)
		}
	}
}

// TestChartsAreKept draws twice: what has not changed is not drawn again.
func TestChartsAreKept(t *testing.T) {
	m := screen(t, Options{}, 120, 40, judged(t, readScene(t, "thrash"), sceneEnd))
	m.View()
	kept := &m.charts.lines[0]
	press(m, "tab").View()
	if &m.charts.lines[0] != kept {
		t.Error("the charts were drawn again though nothing about them changed")
	}
	press(m, "down").View()
	if &m.charts.lines[0] == kept {
		t.Error("the charts are still about another replica")
	}
}

// TestKVLineIsTheRules draws the KV cache against the threshold of the rule, also where the user has set another one.
func TestKVLineIsTheRules(t *testing.T) {
	book, err := diagnose.Default().With(map[string]diagnose.Override{"D1": {Thresholds: map[string]float64{"kv_highest": 0.7}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		book *diagnose.Book
		want float64
	}{{diagnose.Default(), 0.9}, {book, 0.7}} {
		store := promqltest.LoadedStorage(t, readScene(t, "healthy").load(t))
		watch := diagnose.NewWatch(prom.NewEngine(sceneStore{store}, sceneStep), row.book, sceneSettings(), time.Hour)
		r, err := watch.Advance(t.Context(), time.UnixMilli(0).Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		s := screen(t, Options{}, 80, 24, r).scene
		if got := s.pictures(r.Replicas)[1].limit; got != row.want {
			t.Errorf("the line is at %v, want %v", got, row.want)
		}
	}
}
