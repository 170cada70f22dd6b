package diagnose_test

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/util/teststorage"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// Over the series of every script, Prometheus's own evaluation of the recorded rules comes to the outcomes that Judge comes to, rule by
// rule and subject by subject: holds, does not, cannot be judged. Every script where it is asked for by name, a part of them otherwise.
func TestRecordedRulesComeToTheSameOutcomes(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("a minute of computing")
	}
	files, err := filepath.Glob("testdata/*.test")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	asked, n := strings.Contains(flag.Lookup("test.run").Value.String(), "Recorded"), 0
	for _, file := range files {
		for _, c := range readScript(t, file) {
			if n++; !asked && n%recordedScripts > 0 {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(file), ".test")+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				c.compareRecorded(t)
			})
		}
	}
}

const recordedScripts = 12

func (c *scriptCase) compareRecorded(t *testing.T) {
	storage := promqltest.LoadedStorage(t, c.load(t))
	source := prom.NewEngine(loaded{storage, c.lasts()}, c.settings.Step)
	book := diagnose.Default()
	if c.baseline {
		c.settings.Baseline = usual(t)
	}
	recorded := recordedBy(t, c.settings)
	var moments []time.Duration
	for _, k := range c.checks {
		if !slices.Contains(moments, k.at) {
			moments = append(moments, k.at)
		}
	}
	slices.Sort(moments)
	for _, after := range moments {
		at := time.UnixMilli(after.Milliseconds())
		track, err := diagnose.Judge(t.Context(), source, book, c.settings, at, at)
		if err != nil {
			t.Fatal(err)
		}
		record(t, storage, source, recorded, at)
		got := recordedOutcomes(t, source, book, at)
		for ref, outcome := range track.Outcomes(at) {
			if got[ref] != "yes" && needsWhatIsNotExported(recorded, book.Rule(ref.Code)) {
				continue // the head of the export says so; a further sign is left out, and the others decide
			}
			if want := inWords(outcome); cmp.Or(got[ref], "cannot judge") != want {
				t.Errorf("at %v: %s of %s is %q recorded, want %q%s", after, ref.Code, ref.Subject.Name(), cmp.Or(got[ref], "cannot judge"), want,
					readings(t, source, track, book, ref, at))
			}
		}
	}
}

// What is read now and then only is read as often as the slow group of the export is evaluated.
func TestSlowSignalsHaveOneInterval(t *testing.T) {
	for _, s := range diagnose.Default().Signals {
		if s.Every != 0 && s.Every != diagnose.SlowInterval {
			t.Errorf("%s is read every %v, the slow group every %v", s.ID, s.Every, diagnose.SlowInterval)
		}
	}
	for _, d := range diagnose.Default().Distributions {
		if d.Every != 0 && d.Every != diagnose.SlowInterval {
			t.Errorf("%s is read every %v, the slow group every %v", d.ID, d.Every, diagnose.SlowInterval)
		}
	}
}

var signalSeries = regexp.MustCompile(`vllmscope:[a-z]+:[a-z0-9_]+`)

// What an outcome or a severity reads is recorded before it, or said to be missing: otherwise a condition is silently unknown for ever.
func TestWhatOutcomesReadIsRecorded(t *testing.T) {
	recorded := recordedBy(t, diagnose.Settings{Step: 15 * time.Second, SLO: diagnose.Profiles[0]})
	there := map[string]bool{}
	for _, one := range slices.Concat(recorded.Slow, recorded.Signals) {
		there[one.Record] = true
	}
	for _, one := range recorded.Outcomes {
		for _, series := range signalSeries.FindAllString(one.Expr, -1) {
			signal := series[strings.LastIndex(series, ":")+1:]
			if !there[series] && !slices.ContainsFunc(recorded.Unrecorded, func(u diagnose.Unrecorded) bool { return u.Signal == signal }) {
				t.Errorf("%s of %s reads %s, which nothing records", one.Record, one.Code, series)
			}
		}
	}
}

// needsWhatIsNotExported tells whether a rule compares what only vllmscope's own scrapes tell, or what no expression says.
func needsWhatIsNotExported(recorded *diagnose.Recorded, rule *diagnose.Rule) bool {
	return slices.ContainsFunc(diagnose.Comparisons(rule.When), func(is diagnose.Is) bool {
		return slices.ContainsFunc(recorded.Unrecorded, func(u diagnose.Unrecorded) bool {
			made := diagnose.Default().Signal(is.Signal).Formula
			return u.Signal == is.Signal && strings.Contains(u.Why, "own scrapes") ||
				strings.Contains(u.Why, "one expression") && (u.Signal == is.Signal || strings.Contains(made, u.Signal))
		})
	})
}

// recordings are the default book's, by settings: scripts have few.
var recordings sync.Map

func recordedBy(t *testing.T, set diagnose.Settings) *diagnose.Recorded {
	t.Helper()
	key := fmt.Sprintf("%+v", set)
	if known, ok := recordings.Load(key); ok {
		return known.(*diagnose.Recorded)
	}
	recorded, err := diagnose.Default().Recorded(set, "vllm|dcgm")
	if err != nil {
		t.Fatal(err)
	}
	recordings.Store(key, recorded)
	return recorded
}

// inWords is what a recorded outcome can say: what lies between clearing and firing does not hold.
func inWords(o diagnose.Outcome) string {
	return map[diagnose.Outcome]string{
		diagnose.CannotJudge: "cannot judge", diagnose.No: "no", diagnose.Band: "no", diagnose.Yes: "yes", diagnose.YesCritical: "critical",
	}[o]
}

// record evaluates the recorded rules in their order, as Prometheus does with a group, and stores what they come to.
func record(t *testing.T, storage *teststorage.TestStorage, source diagnose.Source, recorded *diagnose.Recorded, at time.Time) {
	t.Helper()
	for i, one := range slices.Concat(recorded.Slow, recorded.Signals, recorded.Outcomes) {
		read := at
		if i < len(recorded.Slow) && at.UnixMilli() >= diagnose.SlowInterval.Milliseconds() {
			read = at.Truncate(diagnose.SlowInterval) // their group came to that last, and it stands until it comes to something else
		}
		vector, err := source.Range(t.Context(), one.Expr, read, read, time.Second)
		if err != nil {
			t.Errorf("%s: %v", one.Record, err)
			continue
		}
		appender := storage.Appender(t.Context())
		for _, sample := range vector {
			set := labels.NewBuilder(sample.Labels).Set(model.MetricNameLabel, one.Record)
			if one.Code != "" {
				set.Set("code", one.Code)
			}
			if _, err := appender.Append(0, set.Labels(), at.UnixMilli(), sample.Points[0].Value); err != nil {
				t.Fatalf("%s: %v", one.Record, err)
			}
		}
		if err := appender.Commit(); err != nil {
			t.Fatalf("%s: %v", one.Record, err)
		}
	}
}

// recordedOutcomes reads back what was recorded.
func recordedOutcomes(t *testing.T, source diagnose.Source, book *diagnose.Book, at time.Time) map[diagnose.Ref]string {
	t.Helper()
	found := map[diagnose.Ref]string{}
	for series, words := range map[string][]string{diagnose.OutcomeSeries: {"no", "yes"}, diagnose.CriticalSeries: {"", "critical"}} {
		got, err := source.Range(t.Context(), series, at, at, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range got {
			code := one.Labels.Get("code")
			ref := diagnose.Ref{Code: code, Subject: diagnose.SubjectOf(book.Rule(code).Level, one.Labels)}
			if word := words[int(one.Points[0].Value)]; word == "critical" || found[ref] == "" && word != "" {
				found[ref] = word
			}
		}
	}
	return found
}

// readings lists what both read of the signals of a rule, where they differ.
func readings(t *testing.T, source diagnose.Source, track *diagnose.Track, book *diagnose.Book, ref diagnose.Ref, at time.Time) string {
	rule, text := book.Rule(ref.Code), ""
	tests := diagnose.Comparisons(rule.When)
	if rule.Critical != nil {
		tests = append(tests, diagnose.Comparisons(rule.Critical)...)
	}
	for _, is := range tests {
		got, want := math.NaN(), track.ValueAt(is.Signal, ref.Subject, at)
		series, err := source.Range(t.Context(), diagnose.SeriesOf(rule.Level, is.Signal), at, at, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range series {
			if diagnose.SubjectOf(rule.Level, one.Labels) == ref.Subject {
				got = one.Points[0].Value
			}
		}
		if math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
			text += fmt.Sprintf("\n    %s is %v recorded, %v in the facts", is.Signal, got, want)
		}
	}
	return text
}
