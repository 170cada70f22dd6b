package diagnose_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// A script in testdata/*.test is a list of cases on top of the series of a healthy server (healthy.series):
//
//	case the batch is full
//	  set cap=4 slo=code            the user's settings
//	  set last=45m                  the healthy server's series last so long, not a quarter of an hour
//	  set every=1m step=1m          a sample a minute, for three hours instead of a quarter of one
//	  set baseline=healthy          a recording of the healthy server as the baseline
//	  set e2e=10s queue=1s success=0.999 share=0.95   an objective of the model's own
//	  like the batch is full        as an earlier case of the file, less its checks, with what follows instead
//	  drop vllm:num_requests        series whose name begins so
//	  vllm:num_requests_running{$r} 4x180   or 4x*, for as long as the case lasts
//	  pair 13 A                     it is a side of a pair of look-alikes (pairs_test.go)
//	  seen …                        what somebody met with: a row of docs/field-cases.md (field_test.go)
//	at 5m
//	  first D3 firing warning       the finding at the top
//	  D8 below D3                   a consequence
//	  B1 below nothing              a cause of its own
//	  causes D3 F4                  these are the warnings that fire and have no cause, in this order, and no other
//	  no D1                         judged, and not found
//	  unknown D7                    cannot be judged, and is told so
//	  idle D7                       has nothing to judge, or not yet
//	  lacks D7 no GPU metrics: …    for this reason
//	  mutes A1 B4 D1                the rules that cannot be judged for it
//	  spikes D1 3 spikes in 10m, longest 10s   what is told of spikes, nothing where there are none
//	  says D3 the batch is full     title or sentence of the finding contain this
//	  subject a2:8000 no D3         something that is so for this subject
//	  calm                          users feel nothing for which no finding stands
//	  unexplained                   they do
//	  users 0 % errors · 120 req/min   what the line of the users says, all of it
//	  settings --max-num-seqs 4: …  what is told of the user's settings, all of it
//	  reads a2:8000 http_ok 2/s     what a signal of this server, its engine or its GPUs reads, or why it has no value
//	  works a2:8000 chat            what work the engine of this server has
//
// $t stands for the labels of the server's target, $r of its replica, $x of the GPU exporter, $g of its GPU; with a number, as
// in $r2, of another server like it. The race detector sees every twentieth case only: they run the same code.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.test")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	n, ran, met := 0, 0, &metCases{}
	for _, file := range files {
		for _, c := range readScript(t, file) {
			if n++; underRace && n%raceScripts > 0 {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".test")+"/"+c.name, func(t *testing.T) {
				ran++
				t.Parallel()
				met.note(c.run(t))
			})
		}
	}
	if ran == n {
		t.Cleanup(func() { met.verify(t) })
	}
}

const raceScripts = 20

type scriptCase struct {
	name     string
	settings diagnose.Settings
	every    time.Duration // between two samples; 0 means 5 s
	baseline bool
	drop     []string
	series   []string
	checks   []check
	last     time.Duration // of the series; 0 is a quarter of an hour
	pairs    []string      // the sides of look-alikes that it shows, as in "13 A"
	field    field         // what somebody met with, where it is such a case
}

type check struct {
	at   time.Duration
	line string
}

func readScript(t *testing.T, file string) []*scriptCase {
	t.Helper()
	var cases []*scriptCase
	var c *scriptCase
	var at time.Duration
	inChecks := false
	for _, line := range readLines(t, file) {
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case word == "case":
			c = &scriptCase{name: rest, settings: diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0]}}
			cases, inChecks = append(cases, c), false
		case word == "at":
			d, err := model.ParseDuration(rest)
			if err != nil {
				t.Fatalf("%s: %s: %v", file, line, err)
			}
			at, inChecks = time.Duration(d), true
		case inChecks:
			c.checks = append(c.checks, check{at, line})
		case word == "like":
			c.like(t, cases, rest)
		case word == "set":
			c.set(t, rest)
		case word == "pair":
			c.pairs = append(c.pairs, rest)
		case c.field.set(word, rest):
		case word == "drop":
			c.drop = append(c.drop, rest)
		default:
			c.series = append(c.series, line)
		}
	}
	return cases
}

// like takes over the series and the settings of an earlier case.
func (c *scriptCase) like(t *testing.T, earlier []*scriptCase, name string) {
	t.Helper()
	i := slices.IndexFunc(earlier, func(o *scriptCase) bool { return o != c && o.name == name })
	if i < 0 {
		t.Fatalf("%s: no earlier case is called %q", c.name, name)
	}
	o := earlier[i]
	c.settings, c.every, c.baseline, c.last = o.settings, o.every, o.baseline, o.last
	c.settings.GPUTargets = slices.Clone(o.settings.GPUTargets)
	c.drop, c.series = slices.Clone(o.drop), slices.Clone(o.series)
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

func (c *scriptCase) set(t *testing.T, text string) {
	t.Helper()
	for pair := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "cap":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			c.settings.MaxNumSeqs = n
		case "slo":
			i := slices.IndexFunc(diagnose.Profiles, func(p diagnose.SLO) bool { return p.Name == value })
			c.settings.SLO = diagnose.Profiles[i]
		case "step":
			c.settings.Step = duration(t, value)
		case "last":
			c.last = duration(t, value)
		case "every":
			c.every = duration(t, value)
		case "model": // testdata/NAME.json is the config.json of m
			text, err := os.ReadFile("testdata/" + value + ".json")
			if err != nil {
				t.Fatal(err)
			}
			shape, err := diagnose.ParseModelConfig(text)
			if err != nil {
				t.Fatal(err)
			}
			c.settings.Shapes = map[string]*diagnose.Shape{"m": shape}
		case "hardware": // of a:8000, as told
			c.settings.Hardware = map[string]diagnose.Hardware{"a:8000": {GPU: value, Count: 1}}
		case "budget": // of a:8000, as told
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			c.settings.TokenBudgetByInstance = map[string]int{"a:8000": n}
		case "baseline":
			c.baseline = true
		case "e2e", "queue", "success", "share":
			c.want(t, name, value)
		case "gpus":
			c.settings.GPUTargets = append(c.settings.GPUTargets, value)
		default:
			t.Fatalf("unknown setting %s", name)
		}
	}
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := model.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(d)
}

// want sets a part of the objective of model m, which is its own.
func (c *scriptCase) want(t *testing.T, name, value string) {
	t.Helper()
	own := c.settings.Objective("m")
	d, err := model.ParseDuration(value)
	share, errShare := strconv.ParseFloat(value, 64)
	switch {
	case name == "e2e" && err == nil:
		own.E2E = time.Duration(d)
	case name == "queue" && err == nil:
		own.Queue = time.Duration(d)
	case name == "success" && errShare == nil:
		own.Success = share
	case name == "share" && errShare == nil:
		own.Share = share
	default:
		t.Fatalf("%s=%s", name, value)
	}
	c.settings.SLOByModel = map[string]diagnose.SLO{"m": own}
}

// load returns the series of the case in Prometheus's own notation: those of the healthy server, less what is dropped, with
// what the case says instead.
func (c *scriptCase) load(t *testing.T) string {
	t.Helper()
	key := func(line string) string { return line[:strings.LastIndex(line, "}")+1] }
	lines := map[string]string{}
	var order []string
	whole := fmt.Sprintf("x%d", c.lasts()/c.between())
	for _, line := range append(readLines(t, "testdata/healthy.series"), c.series...) {
		line = strings.ReplaceAll(expand(line), "x*", whole)
		if _, known := lines[key(line)]; !known {
			order = append(order, key(line))
		}
		lines[key(line)] = line
	}
	text := "load " + model.Duration(c.between()).String() + "\n"
	for _, k := range order {
		dropped := slices.ContainsFunc(c.drop, func(name string) bool { return strings.HasPrefix(k, expand(name)) })
		if !dropped {
			text += "  " + lines[k] + "\n"
		}
	}
	return text
}

// expand replaces the short forms of label sets.
func expand(line string) string {
	var pairs []string
	for _, n := range []string{"4", "3", "2", ""} {
		host := "a" + n
		pairs = append(pairs,
			"$t"+n, fmt.Sprintf(`job="vllm", instance="%s:8000"`, host),
			"$r"+n, fmt.Sprintf(`job="vllm", instance="%s:8000", engine="0", model_name="m"`, host),
			"$x"+n, fmt.Sprintf(`job="dcgm", instance="%s:9400"`, host),
			"$g"+n, fmt.Sprintf(`job="dcgm", instance="%s:9400", gpu="0", UUID="GPU-%s", Hostname="%s", modelName="NVIDIA H100 80GB HBM3"`, host, host, host),
		)
	}
	return strings.NewReplacer(pairs...).Replace(line)
}

// loaded is a store whose series reach from the epoch to a moment.
type loaded struct {
	storage.Queryable
	end time.Duration
}

func (l loaded) Span() (first, last int64, ok bool) { return 0, l.end.Milliseconds(), true }

// lasts is how long the series are.
func (c *scriptCase) lasts() time.Duration { return cmp.Or(c.last, 180*c.between()) }

// between is how far samples are apart.
func (c *scriptCase) between() time.Duration { return cmp.Or(c.every, 5*time.Second) }

func (c *scriptCase) loaded(t *testing.T) loaded {
	t.Helper()
	return loaded{promqltest.LoadedStorage(t, c.load(t)), c.lasts()}
}

// usual is the baseline of a recording of the healthy server.
func usual(t *testing.T) *diagnose.Baseline {
	t.Helper()
	c := &scriptCase{settings: diagnose.Settings{Step: 5 * time.Second}}
	b, err := diagnose.ReadBaseline(t.Context(), prom.NewEngine(c.loaded(t), c.settings.Step), diagnose.Default(), c.settings)
	if err != nil || b.Empty() {
		t.Fatalf("baseline %v, %v", b, err)
	}
	return b
}

// run holds each check against the report of its moment, and returns the reports.
func (c *scriptCase) run(t *testing.T) map[time.Duration]*diagnose.Report {
	t.Helper()
	source := prom.NewEngine(c.loaded(t), c.settings.Step)
	if c.baseline {
		c.settings.Baseline = usual(t)
	}
	reports := map[time.Duration]*diagnose.Report{}
	for _, k := range c.checks {
		if reports[k.at] == nil {
			w := diagnose.NewWatch(source, diagnose.Default(), c.settings, time.Hour)
			w.ShowAll(true)
			r, err := w.Advance(t.Context(), time.UnixMilli(k.at.Milliseconds()))
			if err != nil {
				t.Fatal(err)
			}
			reports[k.at] = r
		}
		if fault := verify(reports[k.at], k.line); fault != "" {
			t.Errorf("at %v: %s: %s\n%s", k.at, k.line, fault, summary(reports[k.at]))
		}
	}
	return reports
}

// usersLine is the line of the users.
func usersLine(r *diagnose.Report) string {
	var told []string
	for _, remark := range r.Users().Remarks(false) {
		told = append(told, remark.Text)
	}
	return strings.Join(told, " · ")
}

// verify returns what is wrong with a report, "" when the line holds.
func verify(r *diagnose.Report, line string) string {
	words := strings.Fields(line)
	switch {
	case line == "nothing":
		for _, f := range r.Findings {
			if f.Severity >= diagnose.Warning {
				return "found " + f.Rule.Code
			}
		}
	case line == "calm" || line == "unexplained":
		if r.Unexplained() != (line == "unexplained") {
			return "the users: " + usersLine(r)
		}
	case words[0] == "first":
		if len(r.Findings) == 0 || r.Findings[0].Rule.Code != words[1] {
			return "is not first"
		}
		return describes(&r.Findings[0], words[2:])
	case words[0] == "causes":
		if got := strings.Join(causes(r), " "); got != strings.Join(words[1:], " ") {
			return "the causes are " + got
		}
	case words[0] == "no":
		if find(r, words[1]) != nil {
			return "was found"
		}
		if !slices.Contains(r.Judged, words[1]) {
			return "was not judged: say unknown or idle, or give the case what is missing"
		}
	case words[0] == "idle":
		if find(r, words[1]) != nil || slices.Contains(r.Judged, words[1]) || slices.Contains(r.UnknownCodes(), words[1]) {
			return "was found, judged or told as unknown"
		}
	case words[0] == "unknown":
		for _, u := range r.Unknown {
			if u.Code == words[1] {
				return ""
			}
		}
		return "is not told as unknown"
	case words[0] == "lacks":
		for _, u := range r.Unknown {
			if u.Code == words[1] {
				if want := strings.Join(words[2:], " "); !slices.Contains(u.Enable, want) {
					return fmt.Sprintf("lacks %q", u.Enable)
				}
				return ""
			}
		}
		return "is not told as unknown"
	case words[0] == "known":
		for _, u := range r.Unknown {
			if u.Code == words[1] {
				return "is told as unknown: lacks " + strings.Join(u.Missing, " ")
			}
		}
	case words[0] == "mutes":
		if f := find(r, words[1]); f == nil || strings.Join(f.Mutes, " ") != strings.Join(words[2:], " ") {
			return fmt.Sprintf("mutes %v", f)
		}
	case words[0] == "spikes":
		var told []string
		for _, s := range r.Spikes {
			told = append(told, s.Rule.Code+" "+s.String())
		}
		if got := strings.Join(told, "; "); got != strings.Join(words[1:], " ") {
			return "spikes " + got
		}
	case words[0] == "subject":
		only := *r
		only.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f diagnose.Finding) bool { return f.Subject.Name() != words[1] })
		return verify(&only, strings.Join(words[2:], " "))
	case words[0] == "users":
		if got := usersLine(r); got != strings.Join(words[1:], " ") {
			return "users " + got
		}
	case words[0] == "settings":
		if got := strings.Join(r.Unserved, " · "); got != strings.Join(words[1:], " ") {
			return "settings " + got
		}
	case words[0] == "reads":
		if got := reading(r, words[1], words[2]); got != strings.Join(words[3:], " ") {
			return "reads " + got
		}
	case words[0] == "works":
		if got := r.Workload(engineAt(words[1])).Class; got != strings.Join(words[2:], " ") {
			return "works " + got
		}
	case words[0] == "advises":
		f := find(r, words[1])
		if f == nil {
			return "was not found"
		}
		want := strings.Join(words[2:], " ")
		if !slices.ContainsFunc(f.Actions, func(a diagnose.Advice) bool { return strings.Contains(a.Text, want) }) {
			return fmt.Sprintf("advises %q", f.Actions)
		}
	case words[0] == "says":
		f := find(r, words[1])
		if f == nil {
			return "was not found"
		}
		if want := strings.Join(words[2:], " "); !strings.Contains(f.Title()+": "+f.Sentence, want) {
			return "says " + f.Title() + ": " + f.Sentence
		}
	case len(words) == 3 && words[1] == "below":
		f := find(r, words[0])
		if f == nil {
			return "was not found"
		}
		if by := explainedBy(f); by != words[2] {
			return "is below " + by
		}
	default:
		f := find(r, words[0])
		if f == nil {
			return "was not found"
		}
		return describes(f, words[1:])
	}
	return ""
}

// causes are the codes of the warnings that fire and that nothing else explains.
func causes(r *diagnose.Report) []string {
	var codes []string
	for _, f := range r.Findings {
		if f.Severity >= diagnose.Warning && f.State == diagnose.Firing && f.ExplainedBy == nil {
			codes = append(codes, f.Rule.Code)
		}
	}
	return codes
}

// reading is what a signal says of the server at an address, asked from its engine, which sees all that belongs to it.
func reading(r *diagnose.Report, instance, id string) string {
	f := r.Fact(id, engineAt(instance))
	if !f.Known() {
		return f.Absence.String()
	}
	return f.Text()
}

// engineAt is the engine of the server at an address.
func engineAt(instance string) diagnose.Subject {
	return diagnose.Subject{Level: diagnose.Replica, Job: "vllm", Instance: instance, Engine: "0", Model: "m"}
}

// explainedBy is the code of what a finding hangs below, or "nothing".
func explainedBy(f *diagnose.Finding) string {
	if f.ExplainedBy == nil {
		return "nothing"
	}
	return f.ExplainedBy.Code
}

// describes compares a finding's state, severity, certainty and subject with words.
func describes(f *diagnose.Finding, words []string) string {
	for _, w := range words {
		known := []string{f.State.String(), f.Severity.String(), f.Certainty(), f.Subject.Name(), f.Subject.Level.String()}
		if !slices.Contains(known, w) {
			return "is " + strings.Join(known, " ")
		}
	}
	return ""
}

func find(r *diagnose.Report, code string) *diagnose.Finding {
	for i := range r.Findings {
		if r.Findings[i].Rule.Code == code {
			return &r.Findings[i]
		}
	}
	return nil
}

func summary(r *diagnose.Report) string {
	text := ""
	for _, f := range r.Findings {
		text += fmt.Sprintf("  %s %s %s %s held %v of %v, %s", f.Rule.Code, f.Subject.Name(), f.State, f.Severity, f.Held, f.Hold, f.Sentence)
		if f.ExplainedBy != nil {
			text += " (below " + f.ExplainedBy.Code + ")"
		}
		text += "\n"
		for _, e := range f.Evidence {
			text += fmt.Sprintf("      %s = %s, wants %s: %s %s\n", e.Fact.Signal.ID, e.Text(), e.Is, e.Outcome, e.Absence)
		}
	}
	for _, u := range r.Unknown {
		text += fmt.Sprintf("  ? %s %s lacks %v\n", u.Code, u.Subject.Name(), u.Missing)
	}
	return text
}
