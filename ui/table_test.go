package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

func TestSettle(t *testing.T) {
	ahead, clear := func(a, b float64) bool { return a > b }, func(a, b float64) bool { return a-b > 2 }
	for _, row := range []struct {
		name string
		list []float64
		want string
	}{
		{"small differences change nothing", []float64{5, 6, 5.5, 7}, "5 6 5.5 7"},
		{"a clear one does", []float64{1, 9, 2}, "9 1 2"},
		{"all the way up", []float64{1, 2, 3, 9}, "9 1 2 3"},
		{"a ramp of small differences", []float64{0, 1.5, 3, 4.5, 6}, "4.5 6 1.5 3 0"},
		{"nothing", nil, ""},
	} {
		settle(row.list, ahead, clear)
		if got := show(row.list); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
}

// TestSortedRowsSettle sorts by a column and lets figures change: rows trade places when one is clearly ahead, or when asked.
func TestSortedRowsSettle(t *testing.T) {
	scene := func(waitingA, waitingB string) sceneFile {
		return sceneFile{"server a:8000 m\nwaiting = " + waitingA + "x144\nserver b:8000 m\nwaiting = " + waitingB + "x144\n"}
	}
	names := func(m *Model) string {
		var all []string
		for i := range m.table.rows {
			all = append(all, m.table.rows[i].key.subject.Instance)
		}
		return strings.Join(all, " ")
	}
	m := press(screen(t, Options{}, 120, 40, judged(t, scene("10", "12"), sceneEnd)), "s", "s")
	for _, row := range []struct{ a, b, want string }{
		{"10", "12", "b:8000 a:8000"},
		{"12", "11", "b:8000 a:8000"},
		{"20", "11", "a:8000 b:8000"},
		{"20", "21", "a:8000 b:8000"},
	} {
		r := judged(t, scene(row.a, row.b), sceneEnd)
		m.Update(reportMsg{r, r.Time})
		if got := names(m); got != row.want {
			t.Errorf("with %s and %s waiting: %s, want %s", row.a, row.b, got, row.want)
		}
	}
	if got := names(press(m, "S", "S")); got != "b:8000 a:8000" {
		t.Errorf("asked for again: %s", got)
	}
}

// TestGrant checks which columns a screen has, by its width.
func TestGrant(t *testing.T) {
	k := &scene{look: newLook(Dark, false)}
	for _, row := range []struct {
		width, models int
		want          string // columns with room, an asterisk for a sparkline
	}{
		{60, 1, "REPLICA waiting running KV cache TTFT p99"},
		{80, 1, "REPLICA waiting running KV cache TTFT p99 TPOT p99 out tok/s GPU"},
		{80, 2, "REPLICA MODEL waiting running KV cache TTFT p99 TPOT p99"},
		{120, 1, "REPLICA MODEL waiting* running KV cache* TTFT p99* TPOT p99 out tok/s* GPU"},
		{140, 1, "REPLICA MODEL waiting* running KV cache* TTFT p99* TPOT p99* out tok/s* GPU* req/min"},
		{160, 1, "REPLICA MODEL waiting* running KV cache* TTFT p99* TPOT p99* out tok/s* GPU* req/min preempt/min"},
	} {
		var got []string
		used := indent
		for _, c := range grant(k.columns(), wishes(14, 10, row.models), row.width) {
			if c.shown() {
				used += 1 + c.width()
				title := c.title
				if c.spark > 0 {
					title += "*"
				}
				got = append(got, title)
			}
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%d columns, %d models: %s\nwant %s", row.width, row.models, strings.Join(got, " "), row.want)
		}
		if used > row.width+1 {
			t.Errorf("%d columns, %d models: %d used", row.width, row.models, used)
		}
	}
}

func TestScrolled(t *testing.T) {
	for _, row := range []struct{ top, start, end, n, height, want int }{
		{0, 0, 1, 5, 10, 0},   // all fits
		{0, 9, 10, 20, 5, 5},  // down
		{5, 3, 4, 20, 5, 3},   // up
		{5, 6, 7, 20, 5, 5},   // in sight
		{15, 9, 10, 10, 5, 5}, // the list got shorter
		{0, 2, 9, 20, 5, 2},   // higher than the pane: its beginning
		{3, 0, 0, 0, 5, 0},
	} {
		if got := scrolled(row.top, row.start, row.end, row.n, row.height); got != row.want {
			t.Errorf("scrolled(%d, %d, %d, %d, %d) = %d, want %d", row.top, row.start, row.end, row.n, row.height, got, row.want)
		}
	}
}

// TestFiguresOfTheScreensWindow asks for a window that is not the rules': table and charts show what the text of check prints, and what y
// copies as PromQL.
func TestFiguresOfTheScreensWindow(t *testing.T) {
	set := sceneSettings()
	set.Window = 5 * time.Minute
	store := promqltest.LoadedStorage(t, readScene(t, "thrash").load(t))
	r, err := diagnose.NewWatch(prom.NewEngine(sceneStore{store}, sceneStep), diagnose.Default(), set, time.Hour).Advance(t.Context(), time.UnixMilli(0).Add(6*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	m := screen(t, Options{}, 180, 40, r)
	columns, charts := m.scene.columns(), m.scene.pictures(r.Replicas[:1])
	for _, one := range []struct {
		signal, got string
	}{
		{"generation_tokens_per_second", m.scene.fact(&m.table.rows[0], &columns[outputColumn]).Text()},
		{"ttft_p99", m.scene.fact(&m.table.rows[0], &columns[ttftColumn]).Text()},
		{"ttft_p95", charts[2].series[1].now},
	} {
		want, rules := r.Figure(one.signal, r.Replicas[0]).Text(), r.Fact(one.signal, r.Replicas[0]).Text()
		if want == rules {
			t.Fatalf("%s is the same in both windows: %s", one.signal, want)
		}
		if squeeze(one.got, 0) != squeeze(want, 0) {
			t.Errorf("%s is shown as %s; over the screen's window it is %s, over the rules' %s", one.signal, one.got, want, rules)
		}
	}
}
