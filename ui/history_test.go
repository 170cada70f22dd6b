package ui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// at is so many seconds after an hour that is no multiple of odd spans.
func at(seconds int) time.Time { return time.Unix(1_700_000_000+int64(seconds), 0).UTC() }

// values makes a history from "1 2 _ 4", a value each five seconds.
func values(text string) history {
	h := history{first: at(0), step: 5 * time.Second}
	for field := range strings.FieldsSeq(text) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			v = math.NaN()
		}
		h.values = append(h.values, v)
	}
	return h
}

func show(values []float64) string {
	var b strings.Builder
	for _, v := range values {
		if math.IsNaN(v) {
			b.WriteString("_ ")
		} else {
			fmt.Fprintf(&b, "%g ", v)
		}
	}
	return strings.TrimSpace(b.String())
}

func TestColumns(t *testing.T) {
	for _, row := range []struct {
		name   string
		values string
		end    int // seconds
		span   time.Duration
		n      int
		want   string
	}{
		{"a tick a column", "1 2 3 4", 15, 20 * time.Second, 4, "1 2 3 4"},
		{"two ticks a column", "1 3 5 7", 15, 20 * time.Second, 2, "2 6"},
		{"the last column is young", "1 3 5", 10, 20 * time.Second, 2, "2 5"},
		{"older than the data", "1 3", 5, 40 * time.Second, 4, "_ _ _ 2"},
		{"two columns a tick", "1 2", 9, 10 * time.Second, 4, "1 1 2 2"},
		{"a tick stands for no more than its step", "1 _ 3", 14, 15 * time.Second, 6, "1 1 _ _ 3 3"},
		{"a gap", "1 _ _ 4", 15, 20 * time.Second, 4, "1 _ _ 4"},
		{"a gap in part of a column", "1 _ 5 7", 15, 20 * time.Second, 2, "1 6"},
		{"nothing", "", 15, 20 * time.Second, 3, "_ _ _"},
		{"no columns", "1 2", 15, 20 * time.Second, 0, ""},
		{"fewer than none", "1 2", 15, 20 * time.Second, -1, ""},
	} {
		if got := show(values(row.values).columns(at(row.end), row.span, row.n, mean)); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
	}
}

// TestColumnsAreBoundToTheClock lets time pass: every column but the last is what it was, moved by as many as have ended.
func TestColumnsAreBoundToTheClock(t *testing.T) {
	const n = 12
	all := values(strings.Repeat("1 5 2 8 3 9 4 7 ", 30))
	span := 2 * time.Minute
	before := all.columns(at(600), span, n, highest)
	for seconds := 605; seconds < 1000; seconds += 5 {
		now := all.columns(at(seconds), span, n, highest)
		moved := int(at(seconds).UnixMilli()/10_000 - at(seconds-5).UnixMilli()/10_000)
		if !slices.Equal(before[moved:n-1], now[:n-1-moved]) {
			t.Fatalf("at %d: %s, before %s", seconds, show(now), show(before))
		}
		before = now
	}
}

func TestTrend(t *testing.T) {
	for _, row := range []struct {
		values string
		least  float64
		want   int
		ok     bool
	}{
		{"0 0 0 0 0 0 0 0 0 0 0 0", 1, level, true},
		{"0 0 0 0 0 0 1 2 3 4 5 6", 1, rising, true},
		{"9 9 9 9 9 9 9 9 9 9 9 0", 1, falling, true},
		{"100 100 100 100 100 100 104 104 104 104 104 104", 1, level, true},
		{"0.1 0.1 0.1 0.1 0.1 0.1 0.4 0.4 0.4 0.4 0.4 0.4", 1, level, true},
		{"_ _ _ _ _ _ 1 2 3 4 5 6", 1, level, false},
		{"1", 1, level, false},
		{"", 1, level, false},
	} {
		got, ok := values(row.values).trend(at(55), time.Minute, row.least)
		if got != row.want || ok != row.ok {
			t.Errorf("trend of %q: %d %t, want %d %t", row.values, got, ok, row.want, row.ok)
		}
	}
}

func TestSpark(t *testing.T) {
	for _, row := range []struct {
		values, want, ascii string
		top                 float64
	}{
		{"0 1 2 3 4 5 6 7 8", "▁▂▃▄▅▆▇██", "_.:-=+*##", 8},
		{"1 _ 1", "█ █", "# #", 1},
		{"0 0 0", "▁▁▁", "___", 0},
		{"-1 100", "▁█", "_#", 10},
		{"", "", "", 1},
	} {
		h := values(row.values)
		if got := newLook(Dark, false).spark(h.values, row.top); got != row.want {
			t.Errorf("spark of %q: %q, want %q", row.values, got, row.want)
		}
		if got := newLook(Dark, true).spark(h.values, row.top); got != row.ascii {
			t.Errorf("in ASCII, spark of %q: %q, want %q", row.values, got, row.ascii)
		}
	}
}

func TestBar(t *testing.T) {
	for _, row := range []struct {
		share float64
		want  string
		ascii string
	}{{0, "", ""}, {1, "████", "####"}, {2, "████", "####"}, {0.5, "██", "##"}, {0.53, "██▏", "##"}, {math.NaN(), "", ""}, {-1, "", ""}} {
		if got := newLook(Dark, false).bar(row.share, 4); got != row.want {
			t.Errorf("bar of %v: %q, want %q", row.share, got, row.want)
		}
		if got := newLook(Dark, true).bar(row.share, 4); got != row.ascii {
			t.Errorf("in ASCII, bar of %v: %q, want %q", row.share, got, row.ascii)
		}
	}
}

func TestNiceTop(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 1: 1, 1.1: 2, 3: 5, 7: 10, 0.03: 0.05, 412: 500, math.Inf(1): 1} {
		if got := niceTop(v); got != want {
			t.Errorf("niceTop(%v) = %v, want %v", v, got, want)
		}
	}
	if got := niceTop(math.NaN()); got != 1 {
		t.Errorf("niceTop(NaN) = %v", got)
	}
}

func TestJoin(t *testing.T) {
	if got := show(values("1 _ 3").join(values("5 6 _ 7"), sum).values); got != "6 6 3 7" {
		t.Errorf("joined: %s", got)
	}
}

// Whatever the figures are, a sparkline has a sign for each.
func FuzzSpark(f *testing.F) {
	for _, v := range []float64{0, -1, 1, 1e308, math.Inf(1), math.Inf(-1), math.NaN()} {
		f.Add(v, 1.0)
		f.Add(1.0, v)
	}
	f.Fuzz(func(t *testing.T, v, top float64) {
		if got := newLook(Dark, false).spark([]float64{v, v}, top); ansi.StringWidth(got) != 2 {
			t.Errorf("%v of %v: %q", v, top, got)
		}
	})
}
