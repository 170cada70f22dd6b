package main

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	commonmodel "github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/tsdb/chunkenc"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/print"
	"github.com/vllmscope/vllmscope/scrape"
)

// The Prometheus of the distribution, of whatever version, fires the exported alerts on the samples of a simulated fault within one
// evaluation of the judgement.
func TestPromtoolFiresTheExportedAlerts(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil || testing.Short() || underRace {
		t.Skip("no promtool, or half a minute of computing")
	}
	for name, code := range map[string]string{"kv-thrash": "D1", "sequence-cap": "D3", "stuck-engine": "B4", "overheating": "C1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scenario := named(t, name)
			set := diagnose.Settings{Step: exportInterval, Window: time.Minute, SLO: profile(t, scenario.SLO)}
			w := watching{scenario: scenario, seed: 11, set: set, length: 8 * time.Minute}
			first, series := w.firstFiring(t, code)
			if first == 0 {
				t.Fatalf("%s does not fire", code)
			}
			dir := t.TempDir()
			writeRules(t, filepath.Join(dir, "rules.yaml"), w.set)
			step := set.Step
			fires := func(at time.Duration, samples string) string {
				return fmt.Sprintf("      - expr: count(ALERTS{code=%q})\n        eval_time: %s\n        exp_samples: [%s]\n", code, commonmodel.Duration(at), samples)
			}
			test := "rule_files: [rules.yaml]\nevaluation_interval: " + commonmodel.Duration(step).String() + "\ntests:\n  - interval: " +
				commonmodel.Duration(step).String() + "\n    input_series:\n" + series + "    promql_expr_test:\n" +
				fires(first-2*step, "") + fires(first+step, `{labels: "{}", value: 1}`)
			file := filepath.Join(dir, "test.yaml")
			if err := os.WriteFile(file, []byte(test), 0o600); err != nil {
				t.Fatal(err)
			}
			if said, err := exec.CommandContext(t.Context(), promtool, "test", "rules", file).CombinedOutput(); err != nil {
				t.Errorf("%s fires at %v: %v\n%s", code, first, err, said)
			}
		})
	}
}

func writeRules(t *testing.T, file string, set diagnose.Settings) {
	t.Helper()
	var b bytes.Buffer
	if err := print.PrometheusRules(&b, diagnose.Default(), print.Exported{Settings: set}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// firstFiring is when a rule fires first after the beginning, and the samples that were scraped in the notation of promtool.
func (w *watching) firstFiring(t *testing.T, code string) (first time.Duration, series string) {
	t.Helper()
	set, store := w.set, w.open(t)
	w.scrape(t, store, func(time.Time) {})
	w.set.GPUTargets = nil // the rules are to know the GPUs by their host
	again := *w
	again.set = set
	again.run(t, func(after time.Duration, r *diagnose.Report) {
		for _, f := range r.Findings {
			if f.Rule.Code == code && f.State == diagnose.Firing && first == 0 {
				first = after + lead
			}
		}
	})
	return first, w.promtoolSeries(t, store)
}

// promtoolSeries writes what no Prometheus has not: vllmscope's own series are left out.
func (w *watching) promtoolSeries(t *testing.T, store *scrape.Store) string {
	t.Helper()
	querier, err := store.Querier(0, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	defer querier.Close() //nolint:errcheck // nothing was written
	found := querier.Select(t.Context(), true, nil, labels.MustNewMatcher(labels.MatchNotRegexp, "__name__", "vllmscope_.*"))
	all := map[string]string{}
	for found.Next() {
		one := found.At()
		var values []string
		it := one.Iterator(nil)
		for it.Next() == chunkenc.ValFloat {
			at, v := it.At()
			for place := int(time.UnixMilli(at).Sub(began) / w.set.Step); len(values) < place; {
				values = append(values, "_")
			}
			text := strconv.FormatFloat(v, 'f', -1, 64)
			if value.IsStaleNaN(v) {
				text = "stale"
			}
			values = append(values, text)
		}
		all[one.Labels().String()] = strings.Join(values, " ")
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "      - series: '%s'\n        values: %q\n", name, all[name])
	}
	return b.String()
}
