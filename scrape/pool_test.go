package scrape

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeSource answers with a page after a while, in the fake time of a test.
type fakeSource struct {
	mu       sync.Mutex
	takes    time.Duration
	gets     int
	underway atomic.Int32
	most     int32
}

func (f *fakeSource) close() {}

func (f *fakeSource) fetch(ctx context.Context, timeout time.Duration, page *bytes.Buffer) (head, *Failure) {
	f.most = max(f.most, f.underway.Add(1))
	defer f.underway.Add(-1)
	f.mu.Lock()
	f.gets++
	takes := f.takes
	fmt.Fprintf(page, "gets %d\n", f.gets)
	f.mu.Unlock()
	select {
	case <-time.After(min(takes, timeout)):
	case <-ctx.Done():
	}
	if takes >= timeout {
		return head{}, newFailure(ClassTimeout, "slow")
	}
	return head{}, nil
}

func (f *fakeSource) set(takes time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.takes = takes
}

// bench is a pool in fake time. Its clock starts at the epoch of the tests plus 1,234 ms.
type bench struct {
	*Pool
	t       *testing.T
	store   *Store
	sources map[string]*fakeSource
	wall    atomic.Int64 // how far the wall clock was set
}

// inFakeTime runs a test with a pool of targets that answer in 10 ms.
func inFakeTime(t *testing.T, options PoolOptions, targets []string, test func(b *bench)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store, err := OpenRing(dir, time.Hour, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := &bench{t: t, store: store, sources: map[string]*fakeSource{}}
		begun := time.Now()
		elapsed := func() time.Duration { return time.Since(begun) }
		start := epoch.Add(1234 * time.Millisecond)
		options.Clock = &Clock{start: start, elapsed: elapsed, wall: func() time.Time { return start.Add(elapsed() + time.Duration(b.wall.Load())) }}
		if b.Pool, err = NewPool(store, options); err != nil {
			t.Fatal(err)
		}
		var opened sync.Mutex
		b.open = func(target Target) (source, error) {
			opened.Lock()
			defer opened.Unlock()
			b.sources[target.Instance] = &fakeSource{takes: 10 * time.Millisecond}
			return b.sources[target.Instance], nil
		}
		for _, instance := range targets {
			if err := b.add(Target{URL: instance, Job: "j", Instance: instance}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx, nil) }()
		synctest.Wait()
		test(b)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
}

// pass lets fake time go by.
func (b *bench) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// ups returns the samples of up of each instance.
func (b *bench) ups() map[string]string {
	b.t.Helper()
	got := map[string]string{}
	querier := b.store
	for instance := range b.sources {
		lines := timelineOf(b.t, querier, "up", instance)
		got[instance] = lines[`{__name__="up"}`]
	}
	return got
}

// samplesUpTo counts the samples of up that are not after a time.
func (b *bench) samplesUpTo(mark time.Time) (n int) {
	for _, line := range b.ups() {
		for sample := range strings.FieldsSeq(line) {
			at, _, _ := strings.Cut(sample, ":")
			if s, _ := strconv.ParseFloat(at, 64); s <= seconds(mark) {
				n++
			}
		}
	}
	return n
}

// underway returns the times of the scrapes that are under way.
func (b *bench) underway() (begun []time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.loops {
		if !l.inFlight.IsZero() {
			begun = append(begun, l.inFlight)
		}
	}
	return begun
}

func (b *bench) expect(want map[string]string) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.ups()); diff != "" {
		b.t.Error(diff)
	}
}

// seconds is a time in seconds since the epoch of the tests.
func seconds(at time.Time) float64 { return at.Sub(epoch).Seconds() }

func TestPoolScrapesOnTheGrid(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"a"}, func(b *bench) {
		b.pass(20 * time.Second)
		b.expect(map[string]string{"a": "1.234:1 5:1 10:1 15:1 20:1"})
	})
}

func TestScrapesAreAlignedWhenNearlyOnTime(t *testing.T) {
	for _, row := range []struct {
		interval, late time.Duration
		onTime         bool
		want           time.Duration
	}{
		{5 * time.Second, 0, true, 0},
		{5 * time.Second, 10 * time.Millisecond, true, 0},
		{5 * time.Second, 11 * time.Millisecond, true, 11 * time.Millisecond},
		{5 * time.Second, 30 * time.Millisecond, true, 30 * time.Millisecond},
		{5 * time.Second, 3 * time.Millisecond, false, 3 * time.Millisecond},
		{100 * time.Millisecond, time.Millisecond, true, 0},
		{100 * time.Millisecond, 2 * time.Millisecond, true, 2 * time.Millisecond},
	} {
		now := epoch
		clock := &Clock{start: epoch, elapsed: func() time.Duration { return now.Sub(epoch) }, wall: func() time.Time { return now }}
		pool, err := NewPool(ring(t, time.Hour), PoolOptions{Interval: row.interval, AllowFast: true, Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		l := newLoop(pool, Target{Instance: "a"}, &fakeSource{})
		now = epoch.Add(row.late)
		if got := l.begin(row.onTime).Sub(epoch); got != row.want {
			t.Errorf("%+v: %v after its time", row, got)
		}
	}
}

func TestPoolSpreadsTargets(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"a", "b", "c", "d", "e"}, func(b *bench) {
		b.pass(10 * time.Second)
		b.expect(map[string]string{
			"a": "1.234:1 5:1 10:1", "b": "1.234:1 4:1 9:1", "c": "1.234:1 3:1 8:1",
			"d": "1.234:1 7:1", // not at 2, so soon after the first
			"e": "1.234:1 6:1 11:1",
		})
	})
}

func TestDue(t *testing.T) {
	for _, row := range []struct {
		after    float64
		interval time.Duration
		k, n     int
		want     float64
	}{
		{0, 5 * time.Second, 0, 1, 5},
		{4.999, 5 * time.Second, 0, 1, 5},
		{5, 5 * time.Second, 0, 1, 10},
		{0, 5 * time.Second, 1, 5, 4},
		{4, 5 * time.Second, 1, 5, 9},
		{0, 5 * time.Second, 63, 64, 0.079},
		{0, 7 * time.Second, 0, 1, 6}, // 7 s from the Unix epoch, not from that of the tests
	} {
		got := due(epoch.Add(time.Duration(row.after*1000)*time.Millisecond), row.interval, row.k, row.n)
		if seconds(got) != row.want {
			t.Errorf("%+v: got %v", row, seconds(got))
		}
	}
}

func TestPoolSlowTarget(t *testing.T) {
	inFakeTime(t, PoolOptions{Timeout: 20 * time.Second}, []string{"slow", "fast"}, func(b *bench) {
		b.sources["slow"].set(6 * time.Second)
		b.pass(30 * time.Second)
		b.expect(map[string]string{
			"slow": "1.234:1 5:1 15:1 25:1",
			"fast": "1.234:1 2.5:1 7.5:1 12.5:1 17.5:1 22.5:1 27.5:1",
		})
		if most := b.sources["slow"].most; most != 1 {
			t.Errorf("%d GETs at once", most)
		}
		notes := timelineOf(t, b.store, "vllmscope_note", "slow")
		want := map[string]string{`{__name__="vllmscope_note", detail="a scrape takes longer than the interval of 5s: some are left out; choose a longer interval", note="interval"}`: "5:1 15:1 25:1"}
		if diff := cmp.Diff(want, notes); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWatermark(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"slow", "fast"}, func(b *bench) {
		if got := seconds(b.Watermark()); got != 1.233 {
			t.Errorf("first scrapes under way: %v", got)
		}
		b.sources["slow"].set(3 * time.Second)
		var before time.Time
		known := map[time.Time]int{} // samples up to each watermark
		for range 400 {
			b.pass(77 * time.Millisecond)
			now := b.clock.Now()
			mark := b.Watermark()
			if mark.Before(before) {
				t.Fatalf("at %v: it went back from %v to %v", seconds(now), seconds(before), seconds(mark))
			}
			before = mark
			known[mark] = b.samplesUpTo(mark)
			for _, begun := range b.underway() {
				if !mark.Before(begun) {
					t.Fatalf("at %v: %v is not before the scrape of %v", seconds(now), seconds(mark), seconds(begun))
				}
			}
			if lag := now.Sub(mark); lag > 3*time.Second+time.Millisecond {
				t.Fatalf("at %v: it lags by %v", seconds(now), lag)
			}
		}
		b.pass(10 * time.Second)
		for mark, n := range known {
			if later := b.samplesUpTo(mark); later != n {
				t.Errorf("%d samples up to %v then, %d now", n, seconds(mark), later)
			}
		}
	})
}

func TestWatermarkWaitsForTheGrid(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"a"}, func(b *bench) {
		b.pass(5*time.Second - 1234*time.Millisecond - time.Microsecond)
		if got := seconds(b.Watermark()); got != 4.998 {
			t.Errorf("just before 5 s: %v", got)
		}
		b.pass(5 * time.Millisecond)
		if got := seconds(b.Watermark()); got != 4.999 {
			t.Errorf("scrape under way: %v", got)
		}
		b.pass(20 * time.Millisecond)
		if got := seconds(b.Watermark()); got != 5.023 {
			t.Errorf("scrape done: %v", got)
		}
	})
}

func TestScrapeNow(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"a"}, func(b *bench) {
		b.pass(time.Second)
		b.ScrapeNow()
		b.ScrapeNow()
		b.pass(5 * time.Millisecond)
		b.ScrapeNow() // under way: nothing to add
		b.pass(6 * time.Second)
		b.expect(map[string]string{"a": "1.234:1 2.234:1 5:1"})
	})
}

func TestSetInterval(t *testing.T) {
	inFakeTime(t, PoolOptions{Interval: 10 * time.Second}, []string{"a"}, func(b *bench) {
		b.pass(time.Second)
		if err := b.SetInterval(2 * time.Second); err != nil {
			t.Error(err)
		}
		if err := b.SetInterval(time.Second); err == nil || !strings.Contains(err.Error(), "allowed explicitly") {
			t.Errorf("1s: %v", err)
		}
		b.pass(5 * time.Second)
		b.expect(map[string]string{"a": "1.234:1 4:1 6:1"})
	})
	if _, err := NewPool(nil, PoolOptions{Interval: 50 * time.Millisecond, AllowFast: true}); err == nil {
		t.Error("50 ms is allowed")
	}
}

func TestTargetsHaveInstancesOfTheirOwn(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"a"}, func(b *bench) {
		if err := b.add(Target{URL: "a2", Job: "j", Instance: "a"}); err == nil || !strings.Contains(err.Error(), `a target with instance "a" already`) {
			t.Errorf("two targets with one instance: %v", err)
		}
	})
}

func TestClockStep(t *testing.T) {
	inFakeTime(t, PoolOptions{}, []string{"a"}, func(b *bench) {
		b.pass(5 * time.Second)
		b.wall.Store(int64(-time.Hour))
		b.pass(5 * time.Second)
		b.wall.Store(int64(200 * time.Millisecond))
		b.pass(5 * time.Second)
		b.expect(map[string]string{"a": "1.234:1 5:1 10:1 15:1"})
		want := map[string]string{`{__name__="vllmscope_note", detail="the clock of this host was set by -1h0m0s since the start; sample times go on as before", note="clock_step"}`: "10:1 15:stale"}
		if diff := cmp.Diff(want, timeline(t, b.store, "vllmscope_note")); diff != "" {
			t.Error(diff)
		}
	})
}

func TestSystemClock(t *testing.T) {
	clock := NewClock()
	if apart := time.Since(clock.Now()).Abs(); apart > time.Second {
		t.Errorf("%v from the wall clock", apart)
	}
	before := clock.Now()
	time.Sleep(2 * time.Millisecond)
	if passed := clock.Now().Sub(before); passed < 2*time.Millisecond || passed > time.Second {
		t.Errorf("%v passed", passed)
	}
	if clock.Step() != 0 {
		t.Errorf("step %v", clock.Step())
	}
}

func TestIntervalAdvice(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second:      "an interval of 1s is short: the API process of vLLM makes the page, some 10 ms of its time each",
		2 * time.Second:  "",
		15 * time.Second: "",
		time.Minute:      "an interval of 1m0s is long: short stalls go unseen, and rates over a minute rest on few scrapes",
	} {
		if got := IntervalAdvice(d); got != want {
			t.Errorf("%s: got %q", d, got)
		}
	}
}

// TestPoolOverHTTP runs healthy and hanging servers side by side in real time.
func TestPoolOverHTTP(t *testing.T) {
	healthy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			_, _ = io.WriteString(w, smallPage)
		}
	}))
	defer healthy.Close()
	hanging := httptest.NewServer(http.HandlerFunc(drip))
	defer hanging.Close()
	store := ring(t, time.Hour)
	pool, err := NewPool(store, PoolOptions{Interval: 100 * time.Millisecond, Timeout: 5 * time.Second, AllowFast: true})
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	targets := []Target{mustTarget(t, healthy.URL), mustTarget(t, hanging.URL)}
	go func() { ended <- pool.Run(ctx, targets) }()
	for range 5 {
		<-pool.Done()
	}
	if up := timelineOf(t, store, "up", targets[0].Instance)[`{__name__="up"}`]; strings.Count(up, ":1") < 5 {
		t.Errorf("the healthy one: %s", up)
	}
	cancel()
	asked := time.Now()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if took := time.Since(asked); took > time.Second { // some milliseconds, on a machine that is not busy
		t.Errorf("it took %v to stop", took)
	}
	if up := timelineOf(t, store, "up", targets[1].Instance); len(up) != 0 {
		t.Errorf("the hanging one has %v", up)
	}
	for i := 0; runtime.NumGoroutine() > before && i < 100; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if left := runtime.NumGoroutine() - before; left > 2 {
		t.Errorf("%d goroutines are left", left)
	}
}

// TestPoolAsksAside sees what side requests bring, and what a failure makes the pool ask.
func TestPoolAsksAside(t *testing.T) {
	server := &sideServer{answers: map[string]string{"/metrics": `200 vllm:x{a="b"}1`, "/version": `200 {"version":"0.24.0"}`, "/health": "503 dead"}}
	web := httptest.NewServer(server)
	defer web.Close()
	store := ring(t, time.Hour)
	pool, err := NewPool(store, PoolOptions{Interval: 100 * time.Millisecond, Timeout: time.Second, AllowFast: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	target := mustTarget(t, web.URL)
	go func() { ended <- pool.Run(ctx, []Target{target}) }()
	await := func(series, what string) {
		t.Helper()
		for range 50 {
			<-pool.Done()
			for name, line := range timeline(t, store, series) {
				if strings.Contains(name+line, what) {
					return
				}
			}
		}
		t.Errorf("%s of %s never came", what, series)
	}
	await("vllmscope_target_info", `version="0.24.0"`)
	pool.AskHealth("nobody:1") // changes nothing
	pool.AskHealth(target.Instance)
	await("vllmscope_health", ":0")
	server.mu.Lock()
	server.answers["/metrics"], server.answers["/health"] = "500 broken", "200 ok"
	server.mu.Unlock()
	await("vllmscope_health", ":1")
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
