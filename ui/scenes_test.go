package ui

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/util/teststorage"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// The scenes of testdata/scenes last twelve minutes, with a value each five seconds.
const (
	sceneStep = 5 * time.Second
	sceneEnd  = 12 * time.Minute
)

// A scene says which servers and GPUs there are, and where their series differ from the usual ones.
type sceneFile struct{ text string }

func readScene(t testing.TB, name string) sceneFile {
	t.Helper()
	return sceneFile{readFile(t, "scenes/"+name+".scene")}
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// load turns a scene into series in Prometheus's notation.
func (f sceneFile) load(t testing.TB) string {
	var b strings.Builder
	b.WriteString("load 5s\n")
	var kind string
	var values map[string]string
	flush := func() {
		if kind != "" {
			b.WriteString(series(readFile(t, "scenes/"+kind+".series"), values))
		}
	}
	for line := range strings.Lines(f.text) {
		line = strings.TrimSpace(line)
		if name, value, ok := strings.Cut(line, " = "); ok {
			values[name] = value
			continue
		}
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] != "#" {
			flush()
			kind, values = fields[0], labelsOf(fields[0], fields[1], fields[2])
		}
	}
	flush()
	return b.String()
}

func labelsOf(kind, instance, what string) map[string]string {
	i := `job="` + kind + `",instance="` + instance + `"`
	host, _, _ := strings.Cut(instance, ":")
	return map[string]string{
		"instance": instance, "i": i, "r": i + `,engine="0",model_name="` + what + `"`,
		"g": i + `,Hostname="` + host + `",gpu="` + what + `",UUID="GPU-` + instance + what + `",modelName="H100"`,
	}
}

var placeholder = regexp.MustCompile(`<([a-z0-9_]+)>`)

// series fills a template in. Values that list buckets ("0.1:3 +Inf:4", so many observations a value) become a series for each.
func series(template string, values map[string]string) string {
	all := map[string]string{}
	var lines []string
	for line := range strings.Lines(template) {
		name, value, isDefault := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		switch {
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		case isDefault && !strings.Contains(name, "{"):
			all[name] = value
		case strings.HasSuffix(strings.TrimSpace(name), "="):
			all[strings.TrimSuffix(strings.TrimSpace(name), " =")] = ""
		default:
			lines = append(lines, line)
		}
	}
	maps.Copy(all, values)
	fill := func(text string) string {
		for placeholder.MatchString(text) {
			text = placeholder.ReplaceAllStringFunc(text, func(m string) string { return all[strings.Trim(m, "<>")] })
		}
		return text
	}
	var b strings.Builder
	end, _ := strconv.Atoi(fill("<end>"))
	for _, line := range lines {
		name, value, _ := strings.Cut(fill(strings.TrimSpace(line)), "} ")
		for le, part := range buckets(value, end) {
			if le != "" {
				le = `,le="` + le + `"`
			}
			if !strings.HasPrefix(line, "up{") && !strings.HasPrefix(line, "vllmscope_") {
				part += " " + all["gone"]
			}
			b.WriteString("  " + name + le + "} " + all["before"] + " " + part + "\n")
		}
	}
	return b.String()
}

// buckets expands "0.1:3 +Inf:4 then 0.1:1 +Inf:4": the second rates hold from five minutes on.
func buckets(value string, end int) map[string]string {
	if !strings.Contains(value, "+Inf:") {
		return map[string]string{"": value}
	}
	const turn = 59
	first, second, turns := strings.Cut(value, " then ")
	rates := map[string]string{}
	for field := range strings.FieldsSeq(first) {
		le, n, _ := strings.Cut(field, ":")
		rates[le] = "0+" + n + "x" + strconv.Itoa(end)
		if turns {
			rates[le] = "0+" + n + "x" + strconv.Itoa(turn)
		}
	}
	if !turns {
		return rates
	}
	for field := range strings.FieldsSeq(second) {
		le, n, _ := strings.Cut(field, ":")
		before, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(rates[le], "0+"), "x"+strconv.Itoa(turn)))
		rates[le] += " " + strconv.Itoa(before*turn) + "+" + n + "x" + strconv.Itoa(end-turn-1)
	}
	return rates
}

// settings are those of the scenes.
func sceneSettings() diagnose.Settings {
	return diagnose.Settings{
		Step: sceneStep, Window: time.Minute, SLO: diagnose.Profiles[0], MaxNumSeqsByInstance: map[string]int{"gpu-a:8000": 64},
	}
}

// reports keeps the reports of scenes: they never change, and making them is most of what the tests cost.
var reports sync.Map

// newSceneWatch judges a scene as while every page is looked at.
func newSceneWatch(store *teststorage.TestStorage) *diagnose.Watch {
	watch := diagnose.NewWatch(prom.NewEngine(sceneStore{store}, sceneStep), diagnose.Default(), sceneSettings(), time.Hour)
	watch.ShowAll(true)
	return watch
}

// judged is the report of a moment of a scene.
func judged(t testing.TB, f sceneFile, at time.Duration) *diagnose.Report {
	t.Helper()
	key := f.text + at.String()
	if r, ok := reports.Load(key); ok {
		return r.(*diagnose.Report)
	}
	store := promqltest.LoadedStorage(t, f.load(t))
	watch := newSceneWatch(store)
	r, err := watch.Advance(t.Context(), time.UnixMilli(0).Add(at))
	if err != nil {
		t.Fatal(err)
	}
	reports.Store(key, r)
	return r
}

// judgedEach is the report of every tick of a scene from a moment on.
func judgedEach(t testing.TB, f sceneFile, from time.Duration) []*diagnose.Report {
	t.Helper()
	store := promqltest.LoadedStorage(t, f.load(t))
	watch := newSceneWatch(store)
	var all []*diagnose.Report
	for at := from; at <= sceneEnd; at += sceneStep {
		r, err := watch.Advance(t.Context(), time.UnixMilli(0).Add(at))
		if err != nil {
			t.Fatal(err)
		}
		if r != nil {
			all = append(all, r)
		}
	}
	return all
}

// sceneStore tells the span of a scene.
type sceneStore struct{ *teststorage.TestStorage }

func (s sceneStore) Span() (first, last int64, ok bool) {
	return s.Head().MinTime(), s.Head().MaxTime(), s.Head().NumSeries() > 0
}
