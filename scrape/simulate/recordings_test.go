package simulate

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shared is where recordings of real servers lie beside the repository, if they do.
var shared = filepath.Join("..", "..", "..", "shared", "fixtures")

// recorded is what was measured on a real server in a stretch of a recording, between two changes.
type recorded struct {
	From                        string
	Seconds, Steps, Preemptions float64
	Prompt                      float64 `json:"prompt_tokens"`
	Generated                   float64 `json:"generation_tokens"`
	CPU                         float64 `json:"cpu_s"`
	Running, Waiting, KV        level
	OldKV                       level              `json:"kv_old"`
	Mean                        map[string]float64 `json:"mean_s"`
}

type level struct{ Mean, Max float64 }

// recording reads the first stretch of a recording that begins with a change and has pages. It skips the test without one.
func recording(t *testing.T, name, stretch string) recorded {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared, "real-vllm", name, "scenario.json"))
	if err != nil {
		t.Skipf("no recordings: %v", err)
	}
	var scenario struct{ Figures []recorded }
	if err := json.Unmarshal(text, &scenario); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(scenario.Figures, func(r recorded) bool { return strings.HasPrefix(r.From, stretch) && r.Seconds > 0 })
	if i < 0 {
		t.Fatalf("%s has no stretch %q", name, stretch)
	}
	r := scenario.Figures[i]
	r.KV.Mean, r.KV.Max = max(r.KV.Mean, r.OldKV.Mean), max(r.KV.Max, r.OldKV.Max)
	return r
}

// tiny is the recordings' model, four layers on two CPUs: about 9 ms a step and 2,200 prompt tokens a second.
func tiny(f flags, light load) Scenario {
	f.batchedTokens, f.blockSize, f.memoryUtilization = cmp.Or(f.batchedTokens, 1024), cmp.Or(f.blockSize, 32), 0.92
	s := Scenario{Name: "tiny", Release: "0.32.0", Onset: 20 * time.Second, GPUInterval: time.Second}
	s.servers = []deployment{{
		name: "gpu-a:8000", host: "gpu-a", tensor: 1, data: 1, flags: f,
		models:      []model{{"tiny", 1e7, 4, 1, 16, 64, 2, mixture{}}},
		accelerator: accelerator{name: "two CPUs", flops: 8e10, bandwidth: 3.4e9, power: 100, memory: 8000, clock: 3000},
		loads:       []load{light},
	}}
	return s
}

// What the recordings' clients ask: 40 to 80 words, and answers that end by themselves or never.
var (
	words   = lengths{65, 0.2, 40, 80}
	brief   = lengths{28, 0.8, 1, 160}
	endless = lengths{4096, 0, 1, 4096}
)

// light is the recordings' usual traffic, so many requests a second.
func light(rate float64) load {
	return load{name: "light", rate: rate, maxTokens: 160, prompt: words, output: brief}
}

// clients are so many that send again as soon as they have their answer.
func clients(n, maxTokens int, prompt lengths) load {
	return load{name: "clients", clients: n, maxTokens: maxTokens, prompt: prompt, output: endless}
}

// replay is a recording that the model can play: the same flags, the same load.
type replay struct {
	recording, stretch string
	release            string
	flags              flags
	ranks              int     // data-parallel
	slow               float64 // how much longer its own steps took than in the others, if they did
	light              load
	faults             []fault
	same               []string // the figures that agree
}

// usual are the flags of most recordings.
var usual = flags{maxSeqs: 32, maxModelLen: 4096, gpuBlocks: 1024}

// replays lists the recordings that the model can play, in order.
func replays() []replay {
	capped, small, old := usual, usual, usual
	capped.maxSeqs = 4
	small.maxModelLen, small.gpuBlocks = 2048, 160
	old.blockSize, old.gpuBlocks = 16, 2048
	oldCapped := old
	oldCapped.maxSeqs = 4
	two, adapters, giant := usual, usual, flags{maxSeqs: 64, maxModelLen: 32768, gpuBlocks: 4096, batchedTokens: 2048}
	two.apiServers, adapters.maxAdapters = 2, 1
	fox := light(2)
	fox.adapters = 1
	three := load{name: "adapters", rate: 4, maxTokens: 120, prompt: words, output: lengths{42, 0.8, 1, 4096}, adapters: 3}
	templates := clients(24, 1, lengths{30, 0.2, 20, 40})
	templates.render = 0.12
	stays := load{name: "stay", rate: 1.6, maxTokens: 200, prompt: words, output: endless}
	hastes := load{name: "leave", rate: 2.4, maxTokens: 200, prompt: words, output: endless, patience: 0.75}
	hot := load{name: "hot", rate: 1.4, maxTokens: 60, prompt: lengths{60, 0.1, 40, 80}, output: brief, prefixes: 1, prefixTokens: 1536}
	cold := load{name: "cold", rate: 1.4, maxTokens: 60, prompt: lengths{1600, 0.01, 1580, 1620}, output: brief}
	full := func(rate float64) load {
		return load{name: "full", rate: rate, maxTokens: 120, prompt: words, output: endless}
	}
	giants := clients(96, 1, lengths{20496, 0, 1, 20496})
	everything := []string{"running", "waiting", "kv", "ttft", "tpot", "e2e", "generated", "prompt", "steps"}
	but := func(one string) []string {
		return slices.DeleteFunc(slices.Clone(everything), func(what string) bool { return what == one })
	}
	return []replay{
		{recording: "02-healthy-light", stretch: "load starts: light", flags: usual, light: light(2), same: everything},
		{
			recording: "03-sequence-cap", stretch: "load starts: 32", flags: capped, light: light(1),
			faults: []fault{moreLoad(0, clients(32, 96, words))}, same: append(but(""), "itl", "queue", "prefill"),
		},
		{
			recording: "04-kv-exhaustion-preemptions", stretch: "load starts: 24", flags: small, light: light(1),
			faults: []fault{moreLoad(0, clients(24, 700, lengths{45, 0.2, 30, 60}))},
			same:   []string{"running", "waiting", "kv", "ttft", "queue", "itl", "e2e", "inference", "generated", "steps", "preemptions"},
		},
		{
			recording: "05-prefill-heavy", stretch: "load starts: long", flags: usual, light: light(2),
			faults: []fault{moreLoad(0, load{name: "long prompts", rate: 1.5, maxTokens: 16, prompt: lengths{2600, 0.1, 2200, 3000}, output: endless})},
			same:   []string{"running", "waiting", "ttft", "itl", "prefill", "prompt", "steps"},
		},
		{
			recording: "06-frontend-stall", stretch: "load starts: 24", flags: usual, light: light(2),
			faults: []fault{moreLoad(0, templates)}, same: []string{"ttft", "e2e", "prompt", "cpu"},
		},
		{
			recording: "07-client-aborts", stretch: "load starts: 60", flags: usual, light: light(2),
			faults: []fault{moreLoad(0, stays), moreLoad(0, hastes)}, same: everything,
		},
		{
			recording: "08-output-truncation", stretch: "load stops", flags: usual, light: light(2),
			faults: []fault{otherLoad(0, load{name: "cut", rate: 2, maxTokens: 12, prompt: words, output: endless})}, same: but("kv"),
		},
		{
			recording: "10-prefix-hot-then-cold", stretch: "load stops", flags: usual, slow: 0.65, light: hot,
			faults: []fault{otherLoad(0, cold)}, same: everything,
		},
		{
			recording: "12-engine-wedged", stretch: "SIGSTOP", flags: usual, light: full(3), faults: []fault{wedge(0)},
			same: []string{"waiting"},
		},
		{recording: "13-spec-decode-ngram", stretch: "load starts: temperature", flags: usual, light: full(2), same: everything},
		{
			recording: "14-api-server-count-2", stretch: "load starts: 12", flags: two, light: light(2),
			faults: []fault{moreLoad(0, clients(12, 96, words))}, same: everything,
		},
		{
			recording: "15-data-parallel-2", stretch: "load starts: 12", flags: usual, ranks: 2, light: light(2),
			faults: []fault{moreLoad(0, clients(12, 96, words))}, same: []string{"most running", "waiting", "tpot", "e2e"},
		},
		{
			recording: "16-lora-slots", stretch: "load starts: three", flags: adapters, slow: 2.4, light: fox,
			faults: []fault{moreLoad(0, three)}, same: everything,
		},
		{
			recording: "19-one-long-generation", stretch: "load stops", flags: usual, light: load{name: "none", maxTokens: 1, prompt: words, output: brief},
			faults: []fault{onServer(0, func(s *server, _ float64) func() {
				t := s.send(load{name: "long", clients: 1, maxTokens: 3000, prompt: words, output: endless})
				s.agenda.after(1.5, func() { t.stopped = true })
				return nil
			})}, same: everything,
		},
		{
			recording: "26-giant-prompts", stretch: "load starts: 24", flags: giant, light: light(2),
			faults: []fault{moreLoad(0, giants)}, same: []string{"running", "most waiting", "kv"},
		},
		{recording: "51-v0.8.5-light", stretch: "load starts: light", release: "0.8.5", flags: old, light: light(2), same: but("ttft")},
		{
			recording: "53-v0.8.5-sequence-cap", stretch: "load starts: 32", release: "0.8.5", flags: oldCapped, light: light(1),
			faults: []fault{moreLoad(0, clients(32, 96, words))}, same: everything,
		},
		{recording: "61-v0.9.2-light", stretch: "load starts: light", release: "0.9.2", flags: old, light: light(2), same: everything},
		{
			recording: "63-v0.9.2-sequence-cap", stretch: "load starts: 32", release: "0.9.2", flags: oldCapped, light: light(1),
			faults: []fault{moreLoad(0, clients(32, 96, words))}, same: everything,
		},
	}
}

// play lets the model do what the server did, and looks as often as it was looked at.
func (r replay) play(t *testing.T, seconds float64) span {
	t.Helper()
	s := tiny(r.flags, r.light)
	s.faults = r.faults
	s.Release, s.servers[0].data = cmp.Or(r.release, s.Release), max(1, r.ranks)
	s.servers[0].accelerator.flops /= cmp.Or(r.slow, 1)
	s.servers[0].accelerator.bandwidth /= cmp.Or(r.slow, 1)
	f := build(t, s, 1)
	onset := noon.Add(s.Onset)
	return watchEvery(t, f, onset, onset.Add(duration(seconds)), 2500*time.Millisecond)
}

// TestAgainstRecordings runs the loads of recordings through the model. The recordings come from busy machines, so orders
// of magnitude and directions count: a factor of 2 either way.
func TestAgainstRecordings(t *testing.T) {
	for _, r := range replays() {
		t.Run(r.recording, func(t *testing.T) {
			real := recording(t, r.recording, r.stretch)
			model := r.play(t, real.Seconds)
			for _, what := range r.same {
				want, got := figure(real, what), modelled(model, what)
				if !(got >= want/2 && got <= want*2) {
					t.Errorf("%s is %.4g, on a real server %.4g", what, got, want)
				}
			}
		})
	}
}

// TestThrashShowsBeforeItIsCounted: as recorded, running falls and waiting rises for seconds at a full cache while the
// counter of preemptions is still at 0.
func TestThrashShowsBeforeItIsCounted(t *testing.T) {
	s := tiny(flags{maxSeqs: 32, maxModelLen: 2048, gpuBlocks: 160}, light(1))
	s.faults = []fault{moreLoad(0, clients(24, 700, lengths{45, 0.2, 30, 60}))}
	f := build(t, s, 1)
	silent, most := 0.0, 0.0
	for half := range 90 {
		f.AdvanceTo(noon.Add(s.Onset + time.Duration(half)*time.Second/2))
		page := read(t, f, "gpu-a:8000")
		most = max(most, page.sum(running))
		if page.sum(evictions) > 0 {
			break
		}
		if page.sum(running) <= most-3 && page.sum(waiting) >= 3 && page.sum(kv) > 0.8 {
			silent += 0.5
		}
	}
	f.AdvanceTo(noon.Add(s.Onset + time.Minute))
	check(
		t,
		bound{"seconds of thrash without a count", silent, 2, 15},
		bound{"preemptions in the end", read(t, f, "gpu-a:8000").sum(evictions), 20, 500},
	)
}

// TestCapShape: as recorded, running stays at the cap or one below it, waiting is level, and TTFT is queueing.
func TestCapShape(t *testing.T) {
	s := tiny(flags{maxSeqs: 4, maxModelLen: 4096, gpuBlocks: 1024}, light(1))
	s.faults = []fault{moreLoad(0, clients(32, 96, words))}
	f := build(t, s, 1)
	from := noon.Add(s.Onset + 20*time.Second)
	x := watch(t, f, from, from.Add(time.Minute))
	r, w := x.gauge(running), x.gauge(waiting)
	check(
		t,
		bound{"fifth of running", r[len(r)/5], 3, 4},
		bound{"least waiting", w[0], 25, 40},
		bound{"most waiting", w[len(w)-1], 25, 40},
		bound{"queue share of TTFT", x.mean(queue) / x.mean(ttft), 0.9, 1.05},
	)
}

func figure(r recorded, what string) float64 {
	switch what {
	case "running":
		return r.Running.Mean
	case "waiting":
		return r.Waiting.Mean
	case "kv":
		return r.KV.Mean
	case "most running":
		return r.Running.Max
	case "most waiting":
		return r.Waiting.Max
	case "most kv":
		return r.KV.Max
	case "preemptions":
		return r.Preemptions
	case "steps":
		return r.Steps
	case "prompt":
		return r.Prompt
	case "generated":
		return r.Generated
	case "cpu":
		return r.CPU
	case "tpot":
		return cmp.Or(r.Mean["tpot"], r.Mean["tpot_old"])
	}
	return r.Mean[what]
}

func modelled(s span, what string) float64 {
	gauges := map[string]string{"running": running, "waiting": waiting, "kv": kv}
	if s.last.sum(kv) == 0 && slices.Max(s.gauge(kv)) == 0 { // the release has the old name only
		gauges["kv"] = "vllm:gpu_cache_usage_perc"
	}
	if name := gauges[what]; name != "" {
		return average(s.gauge(name))
	}
	if name := gauges[strings.TrimPrefix(what, "most ")]; name != "" {
		return slices.Max(s.gauge(name))
	}
	counters := map[string]string{
		"preemptions": "vllm:num_preemptions_total", "steps": "vllm:iteration_tokens_total_count", "cpu": "process_cpu_seconds_total",
		"prompt": "vllm:prompt_tokens_total", "generated": "vllm:generation_tokens_total",
	}
	if name := counters[what]; name != "" {
		return s.rise(name)
	}
	if what == "tpot" && s.last.sum("vllm:request_time_per_output_token_seconds_count") == 0 {
		return s.mean("vllm:time_per_output_token_seconds")
	}
	return s.mean(map[string]string{
		"ttft": ttft, "itl": itl, "e2e": e2e, "queue": queue, "inference": inference,
		"prefill": prefilling, "tpot": "vllm:request_time_per_output_token_seconds",
	}[what])
}

var write = flag.String("write", "", "write the table of recordings into this file, docs/simulator.md")

// What stands around the table in the file.
const tableBegins, tableEnds = "<!-- recordings -->\n", "<!-- end of recordings -->\n"

// tableColumns are the figures of the table, and how they are printed.
var tableColumns = []struct {
	title, what, format string
	times               float64
	least               float64 // differences below it are chance
}{
	{"most waiting", "most waiting", "%.0f", 1, 3},
	{"running", "running", "%.1f", 1, 0.5},
	{"most running", "most running", "%.0f", 1, 3},
	{"most KV %", "most kv", "%.1f", 100, 1.5},
	{"preemptions", "preemptions", "%.0f", 1, 3},
	{"TTFT ms", "ttft", "%.0f", 1000, 10},
	{"TPOT ms", "tpot", "%.1f", 1000, 3},
}

// TestTableOfRecordings holds the model against the recordings, real / simulated; more than a factor of 2 apart is bold. With -v it
// prints the table, with -write it puts it into a file.
func TestTableOfRecordings(t *testing.T) {
	var b strings.Builder
	b.WriteString("| recording |")
	for _, c := range tableColumns {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(tableColumns)) + "\n")
	for _, r := range replays() {
		real := recording(t, r.recording, r.stretch)
		model := r.play(t, real.Seconds)
		b.WriteString("| " + r.recording + " |")
		for _, c := range tableColumns {
			want, got := c.times*figure(real, c.what), c.times*modelled(model, c.what)
			cell := fmt.Sprintf(c.format+" / "+c.format, want, got)
			switch {
			case math.IsNaN(got) && want == 0:
				cell = "–"
			case !(got >= want/2 && got <= want*2) && !(math.Abs(got-want) < c.least):
				cell = "**" + strings.ReplaceAll(cell, "NaN", "–") + "**"
			}
			b.WriteString(" " + cell + " |")
		}
		b.WriteString("\n")
	}
	t.Log("\n" + b.String())
	if *write == "" {
		return
	}
	text, err := os.ReadFile(*write)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(text), tableBegins)
	_, after, ended := strings.Cut(rest, tableEnds)
	if !begun || !ended {
		t.Fatalf("%s has no place for the table: it stands between %q and %q", *write, tableBegins, tableEnds)
	}
	if err := os.WriteFile(*write, []byte(before+tableBegins+"\n"+b.String()+"\n"+tableEnds+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
