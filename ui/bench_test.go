package ui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// busyFleet is a scene of n servers with GPUs on which every figure moves at every value. It is the same each time.
func busyFleet(n int) sceneFile {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a benchmark wants the same numbers each time
	var b strings.Builder
	for i := range n {
		host := fmt.Sprintf("10.0.%d.%d", i/200, i%200+1)
		fmt.Fprintf(&b, "server %s:8000 llama-70b\n", host)
		for name, walk := range map[string]func() string{
			"running":   func() string { return walk(random, 8, 48, 3) },
			"waiting":   func() string { return walk(random, 0, 12, 2) },
			"kv":        func() string { return walk(random, 0.2, 0.85, 0.03) },
			"generated": func() string { return climb(random, 1000, 4000) },
			"finished":  func() string { return climb(random, 5, 30) },
		} {
			fmt.Fprintf(&b, "%s = %s\n", name, walk())
		}
		fmt.Fprintf(&b, "ttft = 0.08:%d 0.1:20 0.25:40 0.5:50 1:55 2.5:60 5:60 7.5:60 10:60 20:60 +Inf:60\n", i%10)
		fmt.Fprintf(&b, "gpu %s:9400 0\nbusy = %s\npower = %s\n", host, walk(random, 0.5, 0.99, 0.04), walk(random, 400, 690, 10))
	}
	return sceneFile{b.String()}
}

const sceneValues = 145

// walk is a random walk between two bounds.
func walk(random *rand.Rand, low, high, step float64) string {
	var b strings.Builder
	v := (low + high) / 2
	for range sceneValues {
		v = min(max(v+step*(2*random.Float64()-1), low), high)
		if step >= 1 {
			fmt.Fprintf(&b, "%.0f ", v)
		} else {
			fmt.Fprintf(&b, "%.4f ", v)
		}
	}
	return b.String()
}

// climb is a counter that rises by a random number between two bounds.
func climb(random *rand.Rand, least, most float64) string {
	var b strings.Builder
	v := 0.0
	for range sceneValues {
		v += least + (most-least)*random.Float64()
		fmt.Fprintf(&b, "%.0f ", v)
	}
	return b.String()
}

// BenchmarkFrame composes a whole frame after each report: everything changes, nothing is kept.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		reports := judgedEach(b, busyFleet(n), sceneEnd-3*sceneStep)
		for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}} {
			for name, keys := range map[string][]string{"overview": nil, "why": {"3"}} {
				b.Run(fmt.Sprintf("%s/%d-replicas/%dx%d", name, n, size.width, size.height), func(b *testing.B) {
					m := press(screen(b, Options{}, size.width, size.height, reports[0]), keys...)
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						r := reports[i%len(reports)]
						m.Update(reportMsg{r, r.Time})
						m.View()
					}
				})
			}
		}
	}
}

// BenchmarkKey moves the selection at 64 replicas: the charts change with it.
func BenchmarkKey(b *testing.B) {
	r := judged(b, busyFleet(64), sceneEnd)
	m := press(screen(b, Options{}, 120, 40, r), "tab")
	down, up := keyNamed("down"), keyNamed("up")
	for b.Loop() {
		m.Update(down)
		m.View()
		m.Update(up)
		m.View()
	}
}

// BenchmarkBytes counts what a refresh sends to the terminal, in true colour, while every figure changes.
func BenchmarkBytes(b *testing.B) {
	for _, n := range []int{1, 8} {
		all := judgedEach(b, busyFleet(n), sceneEnd-30*sceneStep)
		for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}} {
			b.Run(fmt.Sprintf("%d-replicas/%dx%d", n, size.width, size.height), func(b *testing.B) {
				sent, most, refreshes := 0, 0, 0
				for b.Loop() {
					for _, bytes := range refreshBytes(b, all, size.width, size.height) {
						sent, most, refreshes = sent+bytes, max(most, bytes), refreshes+1
					}
				}
				b.ReportMetric(float64(sent)/float64(refreshes), "bytes/refresh")
				b.ReportMetric(float64(most), "bytes/largest")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// refreshBytes shows reports one after the other and tells how many bytes each took, but the first.
func refreshBytes(b *testing.B, all []*diagnose.Report, width, height int) []int {
	reports := make(chan *diagnose.Report)
	o := Options{Reports: reports, Interval: time.Hour, Location: time.UTC, Theme: Dark}
	_, out, ended := terminal(b, New(o), o, width, height)
	var sizes []int
	before := 0
	for i, r := range all {
		reports <- r
		wait(b, "end of a refresh", func() bool {
			out.mu.Lock()
			defer out.mu.Unlock()
			return out.text.Len() > before && time.Since(out.last) > 15*time.Millisecond
		})
		if now := len(out.String()); i > 0 {
			sizes, before = append(sizes, now-before), now
		} else {
			before = now
		}
	}
	close(reports)
	_ = ended
	return sizes
}

// BenchmarkFirstFrame is from New to the first frame.
func BenchmarkFirstFrame(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m := New(Options{Theme: Dark, Location: time.UTC})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		m.View()
	}
}
