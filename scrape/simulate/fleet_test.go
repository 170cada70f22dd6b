package simulate

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// scenario finds one and gives it a short past.
func scenario(t *testing.T, name string) Scenario {
	t.Helper()
	s, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s.Warm = time.Minute
	return s
}

func build(t *testing.T, s Scenario, seed uint64) *Fleet {
	t.Helper()
	f, err := New(s, seed, noon)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func pages(t *testing.T, f *Fleet) []byte {
	t.Helper()
	var all []byte
	for _, target := range f.Targets() {
		answer, err := f.Get(target.Name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, answer.Page...)
	}
	return all
}

// TestSameSeedSamePages, however the time in between is cut.
func TestSameSeedSamePages(t *testing.T) {
	s := scenario(t, "kv-thrash")
	a, b, other := build(t, s, 5), build(t, s, 5), build(t, s, 6)
	for second := range 200 {
		a.AdvanceTo(noon.Add(time.Duration(second) * time.Second))
	}
	last := noon.Add(199 * time.Second)
	b.AdvanceTo(last)
	other.AdvanceTo(last)
	if !bytes.Equal(pages(t, a), pages(t, b)) {
		t.Error("the same seed gives other pages")
	}
	if bytes.Equal(pages(t, a), pages(t, other)) {
		t.Error("another seed gives the same pages")
	}
}

// TestNothingIsLost lets every scenario run through its onset, and balances what went in against what came out.
func TestNothingIsLost(t *testing.T) {
	for _, s := range Scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			if underRace {
				t.Skip("a fleet is the work of one goroutine, and minutes of it take long")
			}
			s.Warm, s.Onset = time.Minute, 30*time.Second
			f := build(t, s, 3)
			previous := read(t, f, "gpu-a:8000")
			for second := range 150 {
				f.AdvanceTo(noon.Add(time.Duration(second) * time.Second))
				if second%10 == 0 {
					now := read(t, f, "gpu-a:8000")
					monotone(t, previous, now)
					previous = now
				}
				for _, server := range f.servers {
					conserved(t, server)
				}
			}
		})
	}
}

// conserved checks the blocks, observations and tokens of a server.
func conserved(t *testing.T, s *server) {
	t.Helper()
	for _, e := range s.frontend.engines {
		balanced(t, e.scheduler.cache, e.scheduler.holders())
		if n := len(e.scheduler.running); n > e.scheduler.maxSeqs {
			t.Fatalf("%d requests run, at most %d may", n, e.scheduler.maxSeqs)
		}
	}
	for _, e := range s.frontend.engines {
		m := e.metrics
		finished := 0.0
		for _, n := range m.success {
			finished += n
		}
		for name, n := range map[string]uint64{"E2E": m.endToEnd.count(), "queue": m.queue.count(), "TPOT": m.perToken.count()} {
			if float64(n) != finished {
				t.Fatalf("%d %s observations for %g finished requests", n, name, finished)
			}
		}
		// A request whose KV did not come has a TTFT and no token; an output of a speculating engine has as many more as were accepted.
		outputs := float64(m.interToken.count() + m.firstToken.count())
		if m.generationTokens < outputs-m.success["error"] || m.generationTokens > outputs+float64(m.drafted.accepted) {
			t.Fatalf("%g outputs and %d tokens accepted, %g generated", outputs, m.drafted.accepted, m.generationTokens)
		}
		if m.cachedTokens+m.outsideTokens > m.promptTokens || m.outsideHits > m.outsideQueries || m.hits > m.queries {
			t.Fatalf("%g and %g cached of %g prompt tokens", m.cachedTokens, m.outsideTokens, m.promptTokens)
		}
	}
}

// monotone checks that no counter fell.
func monotone(t *testing.T, before, after sheet) {
	t.Helper()
	for series, value := range after {
		name, _, _ := strings.Cut(series, "{")
		for _, suffix := range []string{"_total", "_count", "_sum", "_bucket"} {
			if strings.HasSuffix(name, suffix) && value < before[series] {
				t.Fatalf("%s fell from %g to %g", series, before[series], value)
			}
		}
	}
}

func TestFleetHasAPast(t *testing.T) {
	s, err := Find("healthy")
	if err != nil {
		t.Fatal(err)
	}
	page := read(t, build(t, s, 1), "gpu-b:8000")
	uptime := float64(noon.Unix()) - page[started]
	if uptime < 600 || page.sum(generated) < 5e5 {
		t.Errorf("after %g s %g tokens were generated, want ten minutes of work", uptime, page.sum(generated))
	}
}

func TestTargets(t *testing.T) {
	f := build(t, scenario(t, "healthy"), 1)
	var names []string
	for _, target := range f.Targets() {
		names = append(names, target.Kind+" "+target.Name)
	}
	if got, want := strings.Join(names, ", "), "vllm gpu-a:8000, vllm gpu-b:8000, dcgm gpu-a:9400, dcgm gpu-b:9400"; got != want {
		t.Errorf("targets are %s, want %s", got, want)
	}
	if _, err := f.Get("gpu-z:8000"); err == nil || !strings.Contains(err.Error(), `"gpu-z:8000"`) {
		t.Errorf("error for an unknown target is %v, want its name in it", err)
	}
}

// TestExporterRepeatsItsReading until its interval is over.
func TestExporterRepeatsItsReading(t *testing.T) {
	s := scenario(t, "healthy")
	s.GPUInterval = 10 * time.Second
	f := build(t, s, 3)
	at := func(seconds int) string {
		f.AdvanceTo(noon.Add(time.Duration(seconds) * time.Second))
		answer, err := f.Get("gpu-a:9400")
		if err != nil {
			t.Fatal(err)
		}
		return string(answer.Page)
	}
	first, same, next := at(1), at(9), at(11)
	if first != same || first == next {
		t.Errorf("reading unchanged after 8 s: %v, after 10 s: %v; want true, false", first == same, first == next)
	}
}

// TestSeveralModelsAndRanks share a page.
func TestSeveralModelsAndRanks(t *testing.T) {
	s := scenario(t, "healthy")
	d := small("gpu-a", chat(4))
	other := chat(4)
	other.model, other.name = 1, "other"
	d.models, d.data, d.loads = []model{llama8B, {"other", 3e9, 28, 8, 128, 3072, 2, mixture{}}}, 2, append(d.loads, other)
	s.servers = []deployment{d}
	f := build(t, s, 3)
	page := read(t, f, "gpu-a:8000")
	for _, m := range []string{llama8B.name, "other"} {
		for _, rank := range []string{"0", "1"} {
			if n := page[`vllm:generation_tokens_total{engine="`+rank+`",model_name="`+m+`"}`]; n < 1e4 {
				t.Errorf("rank %s of %s generated %g tokens, want its share", rank, m, n)
			}
		}
	}
	configs := 0
	for series := range page {
		// 8B on 0.92 of an H100 has 27,811 blocks of 16 tokens: the page says the blocks of both ranks, and the tokens of one.
		if strings.HasPrefix(series, `vllm:cache_config_info{`) && strings.Contains(series, `num_gpu_blocks="55622"`) && strings.Contains(series, `kv_cache_size_tokens="444976"`) {
			configs++
		}
	}
	if configs != 2 {
		t.Errorf("%d ranks say 55,622 blocks and 444,976 tokens, want 2", configs)
	}
	if len(f.hosts[0].gpus) != 4 {
		t.Errorf("%d devices, want 4", len(f.hosts[0].gpus))
	}
}

func BenchmarkHourOfABusyReplica(b *testing.B) {
	for _, name := range []string{"seed-case", "kv-thrash"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := Find(name)
				if err != nil {
					b.Fatal(err)
				}
				s.Warm, s.Onset = 0, time.Minute
				f, err := New(s, 1, noon)
				if err != nil {
					b.Fatal(err)
				}
				f.AdvanceTo(noon.Add(time.Hour))
			}
		})
	}
}

func BenchmarkPage(b *testing.B) {
	s, err := Find("seed-case")
	if err != nil {
		b.Fatal(err)
	}
	f, err := New(s, 1, noon)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := f.Get("gpu-a:8000"); err != nil {
			b.Fatal(err)
		}
	}
}
