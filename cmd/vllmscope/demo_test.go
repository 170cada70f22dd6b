package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
	"github.com/vllmscope/vllmscope/ui"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestDemoListsItsScenarios(t *testing.T) {
	got := program(t, "demo", "--list")
	lines := strings.Split(strings.TrimSuffix(got.out, "\n"), "\n")
	all := simulate.Scenarios()
	if len(lines) != len(all) || got.code != exitFine {
		t.Fatalf("exit %d, %d lines for %d scenarios:\n%s", got.code, len(lines), len(all), got.out)
	}
	for i, s := range all {
		if name, text, _ := strings.Cut(lines[i], " "); name != s.Name || strings.TrimSpace(text) != s.Description {
			t.Errorf("line %q is not a name and a description", lines[i])
		}
	}
}

// On a terminal the scenarios stand under what they are about, and no line is longer than the screen.
func TestDemoListsByGroupOnATerminal(t *testing.T) {
	var out, errs bytes.Buffer
	run(t.Context(), []string{"demo", "--list"}, nil, streams{out: &out, err: &errs, terminal: true})
	words := strings.Join(strings.Fields(out.String()), " ")
	for line := range strings.Lines(out.String()) {
		if n := ansi.StringWidth(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	before := ""
	for _, s := range simulate.Scenarios() {
		entry := s.Name + " " + strings.Join(strings.Fields(s.Description), " ")
		if s.Group != before {
			entry = s.Group + " " + entry
		}
		if before = s.Group; strings.Count(words, entry) != 1 || s.Group == "" {
			t.Errorf("%q stands there %d times:\n%s", entry, strings.Count(words, entry), &out)
		}
	}
}

// demoOf is a demo without a screen, with the flags' defaults.
func demoOf() *demoOptions {
	return &demoOptions{
		options: &options{config: &configuration{}, interval: duration(5 * time.Second), window: duration(time.Minute), slo: "chat"},
		seed:    1, speed: 1,
	}
}

// reportsOf plays a stop and hands over its reports as they come, until see says that it has seen enough.
func reportsOf(t *testing.T, d *demoOptions, s stop, see func(*diagnose.Report) (enough bool)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tour := newTour(d, []stop{s})
	entered, failed := tour.enter(), make(chan error, 1)
	go func() { failed <- tour.run(ctx) }()
	for enough := false; !enough; {
		select {
		case r := <-entered.Reports:
			enough = see(r)
		case err := <-failed:
			t.Fatalf("%s ended: %v", s.title, err)
		}
	}
	cancel()
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

// At every stop of the tour the first thing on the screen is what was done to the fleet.
func TestTourShowsItsFaultsAtOnce(t *testing.T) {
	stops, err := tourStops()
	if err != nil || len(stops) != 10 {
		t.Fatalf("%d stops, %v", len(stops), err)
	}
	for i, s := range stops {
		if underRace && i%5 > 0 {
			continue // they run the same code
		}
		t.Run(s.title, func(t *testing.T) {
			t.Parallel()
			reportsOf(t, demoOf(), s, func(r *diagnose.Report) bool {
				if first := firstOf(r); first == nil || first.Rule.Code != s.scenario.Cause {
					t.Errorf("first is %s, want %s", told(first), s.scenario.Cause)
				}
				if seen := r.Time.Sub(r.Begin); seen < before+healthy-15*time.Second {
					t.Errorf("only %v were seen", seen)
				}
				return true
			})
		})
	}
}

// A fleet that runs fast has its own times, and true rates: two servers with six requests a second.
func TestSpeedChangesNoFigure(t *testing.T) {
	if underRace {
		t.Skip("nothing here that other tests do not do at once")
	}
	for _, speed := range []float64{1, 60} {
		d := demoOf()
		d.speed = speed
		s := named(t, "healthy")
		var times []time.Time
		began := time.Now()
		reportsOf(t, d, stop{scenario: s}, func(r *diagnose.Report) bool {
			times = append(times, r.Time)
			perMinute := 0.0
			for _, replica := range r.Replicas {
				perMinute += r.Fact("requests_per_minute", replica).Value
			}
			if perMinute < 600 || perMinute > 850 {
				t.Errorf("at speed %g there are %g requests a minute, want about 720", speed, perMinute)
			}
			return speed == 1 || len(times) == 12
		})
		if fleet, real := times[len(times)-1].Sub(times[0]), time.Since(began); speed > 1 && (fleet < 55*time.Second || real > 30*time.Second) {
			t.Errorf("at speed %g, %v passed for the fleet in %v", speed, fleet, real)
		}
	}
}

func TestIntervalOfADemoChanges(t *testing.T) {
	s := named(t, "healthy")
	d := demoOf()
	d.speed = 60
	tour := newTour(d, []stop{{scenario: s}})
	entered := tour.enter()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- tour.run(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	<-entered.Reports
	if err := tour.setInterval(ctx, 15*time.Second); err != nil {
		t.Fatal(err)
	}
	for r := range entered.Reports {
		if r.Settings.Step == 15*time.Second {
			if r.Time.UnixMilli()%15000 != 0 {
				t.Errorf("the tick %v is not on the grid", r.Time)
			}
			return
		}
	}
}

func TestTourTurns(t *testing.T) {
	stops, err := tourStops()
	if err != nil {
		t.Fatal(err)
	}
	tour := newTour(demoOf(), stops[:2])
	tour.enter()
	for _, step := range []struct {
		by          int
		title, fail string
		anew        bool
	}{
		{-1, "", "this is the first stop of the tour", false},
		{1, "tour 2 of 2: seed-case", "", true},
		{1, "end of the tour", "", false},
		{1, "", "the tour has ended", false},
		{-1, "tour 2 of 2: seed-case", "", false},
		{-1, "tour 1 of 2: sequence-cap", "", true},
	} {
		before := tour.stage
		got, err := tour.turn(step.by)
		if fmt.Sprint(err)[:5] != (step.fail + "<nil>")[:5] || got.Title != step.title || (got.Reports != nil) != step.anew {
			t.Errorf("by %d: %q, %v, reports: %t", step.by, got.Title, err, got.Reports != nil)
		}
		select {
		case <-before.left:
			if !step.anew {
				t.Errorf("by %d: the stage is left", step.by)
			}
		default:
			if step.anew {
				t.Errorf("by %d: the stage before goes on", step.by)
			}
		}
	}
}

// What the tour tells is cut at no size.
func TestTourTexts(t *testing.T) {
	stops, err := tourStops()
	if err != nil {
		t.Fatal(err)
	}
	d := demoOf()
	d.speed = 10
	tour := newTour(d, stops)
	captions := []ui.Caption{}
	for tour.at = range stops {
		captions = append(captions, tour.caption(time.Date(2026, 11, 29, 14, 7, 1, 0, time.UTC)))
	}
	captions = append(captions, tour.end())
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		var b strings.Builder
		for _, c := range captions {
			m := ui.New(ui.Options{Caption: c, Deeds: ui.Deeds{Turn: tour.turn, SetInterval: tour.setInterval}})
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			lines := strings.Split(ansi.Strip(m.View().Content), "\n")
			caption := strings.Join(lines[size[1]-4:size[1]-1], " ")
			if words := strings.Join(strings.Fields(caption), " "); !strings.Contains(words, c.Text) || !strings.Contains(words, c.Title+" ") || !strings.Contains(words, c.Remark) {
				t.Errorf("at %v this is cut: %s", size, words)
			}
			for _, line := range lines[size[1]-4:] {
				b.WriteString(strings.TrimRight(line, " ") + "\n")
			}
		}
		golden(t, fmt.Sprintf("tour-%dx%d.txt", size[0], size[1]), b.String())
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got; -update writes it anew):\n%s", file, diff)
	}
}

// In and out, with a turn on the way: nothing is left behind.
func TestTourLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	in, keys := io.Pipe()
	out := &screen{}
	code := make(chan int)
	go func() {
		code <- run(t.Context(), []string{"demo", "tour", "--theme", "dark"}, []string{"TERM=xterm-256color", "HOME=" + dir},
			streams{in: in, out: out, err: out, terminal: true})
	}()
	waitUntil(t, func() bool { return strings.Contains(out.String(), alternateScreenOn) && len(stores(t, dir)) == 1 })
	first := stores(t, dir)[0]
	_, _ = io.WriteString(keys, "n")
	waitUntil(t, func() bool { left := stores(t, dir); return len(left) == 1 && left[0] != first })
	_, _ = io.WriteString(keys, "q")
	if got := <-code; got != exitFine {
		t.Errorf("exit %d", got)
	}
	if left := stores(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func waitUntil(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("nothing of the kind within a minute")
		}
	}
}

func TestDemoServes(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	out, errs := &screen{}, &screen{}
	code := make(chan int)
	go func() {
		code <- run(ctx, []string{"demo", "sequence-cap", "--serve", "--port", "0", "--speed", "10"}, nil, streams{out: out, err: errs})
	}()
	waitUntil(t, func() bool { return strings.Contains(errs.String(), "divide rates by 10") })
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("printed %q", out)
	}
	for i, want := range []string{"vllm:num_requests_running", "DCGM_FI_DEV_GPU_UTIL"} {
		fields := strings.Fields(lines[i])
		if page := pageAt(t, fields[2]); !strings.Contains(page, want) {
			t.Errorf("%s answers without %s", lines[i], want)
		}
	}
	if text := errs.String(); !strings.Contains(text, "fault at ") || !strings.Contains(text, "vllmscope 127.0.0.1:") || !strings.Contains(text, " --gpu 127.0.0.1:") {
		t.Errorf("said %s", text)
	}
	interrupt()
	if got := <-code; got != exitFine {
		t.Errorf("interrupted, it exits with %d", got)
	}
}

func pageAt(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDemoDoesNotTakeAnotherPort(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	port := fmt.Sprint(taken.Addr().(*net.TCPAddr).Port)
	got := program(t, "demo", "sequence-cap", "--serve", "--port", port)
	if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, "--port "+port) || !strings.Contains(got.err, "the port is in use: choose another one, or 0 for any free one") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
}

// Where the hosts of a fleet share one address, what is printed is a configuration that maps their GPUs.
func TestDemoTellsWhoseGPUsAreWhose(t *testing.T) {
	var said strings.Builder
	d := &demoOptions{options: &options{streams: streams{err: &said}}}
	one := []simulate.Target{{Name: "gpu-a:8000", Kind: "vllm"}, {Name: "gpu-a:9400", Kind: "dcgm"}}
	if d.tellHosts(one, []string{"http://127.0.0.1:1/metrics", "http://127.0.0.1:2/metrics"}); said.String() != "" {
		t.Errorf("of one host: %s", said.String())
	}
	two := append(one, simulate.Target{Name: "gpu-b:8000", Kind: "vllm"}, simulate.Target{Name: "gpu-b:9400", Kind: "dcgm"})
	d.tellHosts(two, []string{"http://127.0.0.1:1/metrics", "http://127.0.0.1:2/metrics", "http://127.0.0.1:3/metrics", "http://127.0.0.1:4/metrics"})
	_, file, _ := strings.Cut(said.String(), "\n")
	want := "servers:\n  - {instance: \"127.0.0.1:1\", exporters: [\"127.0.0.1:2\"]}\n  - {instance: \"127.0.0.1:3\", exporters: [\"127.0.0.1:4\"]}\n"
	if file != want {
		t.Errorf("printed\n%swant\n%s", file, want)
	}
}

// Of keys that are pressed in a row one interval counts, for the tour and for the stage that is shown.
func TestIntervalsInARow(t *testing.T) {
	tour := newTour(demoOf(), nil)
	for range 100 {
		var keys sync.WaitGroup
		for _, d := range []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second} {
			keys.Go(func() { _ = tour.setInterval(t.Context(), d) })
		}
		keys.Wait()
		if got := <-tour.steps; got != tour.step {
			t.Fatalf("the stage is at %v, the tour at %v", got, tour.step)
		}
	}
}
