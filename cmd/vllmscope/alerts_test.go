package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/teststorage"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
)

// The exported rules, evaluated by Prometheus's engine after every scrape, fire within one evaluation of vllmscope's own judgement, on
// every subject, and nothing else fires.
func TestExportedRulesFireWithTheJudgement(t *testing.T) {
	if testing.Short() || underRace {
		t.Skip("half a minute of computing")
	}
	for _, name := range []string{"kv-thrash", "sequence-cap", "stuck-engine", "overheating", "exporter-gone"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scenario := named(t, name)
			set := diagnose.Settings{Step: exportInterval, Window: time.Minute, SLO: profile(t, scenario.SLO)}
			w := watching{scenario: scenario, seed: 11, set: set, length: 10 * time.Minute}
			judged, recorded := w.compareAlerts(t)
			for who, at := range judged {
				code, _, _ := strings.Cut(who, " ")
				seen, ok := recorded[who]
				if early := at.Sub(began) < diagnose.Default().Rule(code).Hold; early && ok && seen.Before(at) {
					continue // the judgement waits until it has watched for the whole hold; rules cannot know since when they are
				}
				if !ok || seen.Sub(at).Abs() > set.Step {
					t.Errorf("%s fires at %s, exported at %s (%v)", who, at.Format(time.TimeOnly), seen.Format(time.TimeOnly), ok)
				}
			}
			for who, at := range recorded {
				if _, ok := judged[who]; !ok {
					t.Errorf("%s fires at %s in the exported rules only", who, at.Format(time.TimeOnly))
				}
			}
			if len(judged) == 0 {
				t.Error("nothing fires")
			}
			t.Logf("compared %v", slices.Sorted(maps.Keys(judged)))
		})
	}
}

// compareAlerts watches a fleet and evaluates the exported rules as it goes. It returns when each finding fired first: by the judgement,
// and by the rules.
func (w watching) compareAlerts(t *testing.T) (judged, recorded map[string]time.Time) {
	t.Helper()
	book := diagnose.Default()
	rules, err := book.Recorded(w.set, ".+")
	if err != nil {
		t.Fatal(err)
	}
	both := recordedStore{Store: w.open(t), made: teststorage.New(t), last: map[string]map[string]labels.Labels{}}
	source, track := prom.NewEngine(both, w.set.Step), diagnose.Track{}
	judged, recorded = map[string]time.Time{}, map[string]time.Time{}
	w.scrape(t, both.Store, func(at time.Time) {
		for i, one := range slices.Concat(rules.Slow, rules.Signals, rules.Outcomes) {
			read := at
			if i < len(rules.Slow) {
				read = at.Truncate(diagnose.SlowInterval) // what their group came to last, where it begins with the minute
			}
			series, err := source.Range(t.Context(), one.Expr, read, read, time.Second)
			if err != nil {
				t.Fatalf("%s: %v", one.Record, err)
			}
			both.keep(t, one, series, at)
			for _, s := range series {
				who := fmt.Sprint(one.Code, " ", cmp.Or(s.Labels.Get("instance"), s.Labels.Get("model_name")), " ", s.Labels.Get("gpu"))
				if one.Record == diagnose.SeveritySeries && recorded[who].IsZero() {
					recorded[who] = at
				}
			}
		}
	})
	for at := began; at.Before(began.Add(lead + w.length)); at = at.Add(w.set.Step) {
		more, err := diagnose.Judge(t.Context(), source, book, w.set, at, at)
		if err != nil {
			t.Fatal(err)
		}
		track.Add(more)
		for _, f := range track.At(at).Findings {
			who := fmt.Sprint(f.Rule.Code, " ", cmp.Or(f.Subject.Instance, f.Subject.Model), " ", f.Subject.Index)
			if f.State == diagnose.Firing && judged[who].IsZero() {
				judged[who] = at
			}
		}
	}
	return judged, recorded
}

// recordedStore is what was scraped, and what rules made of it.
type recordedStore struct {
	*scrape.Store
	made *teststorage.TestStorage
	last map[string]map[string]labels.Labels // the series that each rule made last
}

// Querier reads both.
func (s recordedStore) Querier(from, to int64) (storage.Querier, error) {
	scraped, err := s.Store.Querier(from, to)
	if err != nil {
		return nil, err
	}
	made, err := s.made.Querier(from, to)
	if err != nil {
		return nil, err
	}
	return storage.NewMergeQuerier([]storage.Querier{scraped, made}, nil, storage.ChainedSeriesMerge), nil
}

// keep stores what a rule came to, and a stale marker where it came to nothing any more, as Prometheus does.
func (s recordedStore) keep(t testing.TB, one diagnose.Recording, series []diagnose.Series, at time.Time) {
	t.Helper()
	appender, now := s.made.Appender(t.Context()), map[string]labels.Labels{}
	add := func(set labels.Labels, v float64) {
		if _, err := appender.Append(0, set, at.UnixMilli(), v); err != nil {
			t.Fatalf("%s: %v", one.Record, err)
		}
	}
	for _, made := range series {
		b := labels.NewBuilder(made.Labels).Set(model.MetricNameLabel, one.Record)
		if one.Code != "" {
			b.Set("code", one.Code)
		}
		set := b.Labels()
		now[set.String()] = set
		add(set, made.Points[0].Value)
	}
	rule := one.Record + one.Code
	for key, set := range s.last[rule] {
		if _, there := now[key]; !there {
			add(set, math.Float64frombits(value.StaleNaN))
		}
	}
	s.last[rule] = now
	if err := appender.Commit(); err != nil {
		t.Fatalf("%s: %v", one.Record, err)
	}
}
