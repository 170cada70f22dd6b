package prom_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/storage"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// fixed is a store that begins at the Unix epoch.
type fixed struct{ storage.Storage }

func (fixed) Span() (first, last int64, ok bool) { return 0, math.MaxInt32, true }

// An engine that has met an expression before answers as one that meets it for the first time.
func TestExpressionsMetBeforeAnswerTheSame(t *testing.T) {
	store := fixed{promqltest.LoadedStorage(t, `load 5s
		requests_total{instance="a", code="200"} 0+5x200
		requests_total{instance="b", code="500"} 0+1x200
		size_bucket{le="1"} 0+1x200
		size_bucket{le="+Inf"} 0+2x200
		info{instance="a", version="1"} 1x200`)}
	t.Cleanup(func() { _ = store.Close() })
	expressions := []string{
		`requests_total`,
		`-requests_total offset 10s`,
		`sum by (code) (rate(requests_total{code!=""}[1m]))`,
		`(topk(1, requests_total) > bool 3) + on (instance) group_left (version) info`,
		`max_over_time(rate(requests_total[30s])[2m:10s])`,
		`histogram_quantile(0.9, size_bucket) + time()`,
		`rate(requests_total[1m] @ end()) / requests_total @ start()`,
		`count_values("number", requests_total)`,
		`count_values by (a, code, instance) ("b", requests_total)`,
		`vector(1) unless requests_total{instance="c"}`,
		`label_replace(info, "short", "v$1", "version", "(.)")`,
		`sum(sum_over_time(requests_total[1m])) + 1`,
	}
	engine, lookback := prom.NewEngine(store, 5*time.Second), 5*time.Second
	for _, expr := range expressions {
		for _, minute := range []int{5, 7, 5} {
			from := time.Unix(int64(60*minute), 0)
			to := from.Add(time.Minute)
			again, err := engine.Range(t.Context(), expr, from, to, lookback)
			if err != nil {
				t.Fatal(err)
			}
			first, err := prom.NewEngine(store, 5*time.Second).Range(t.Context(), expr, from, to, lookback)
			if err != nil {
				t.Fatal(err)
			}
			if len(first) == 0 || !reflect.DeepEqual(points(again), points(first)) {
				t.Errorf("%s at minute %d: %v, want %v", expr, minute, points(again), points(first))
			}
		}
	}
}

// points are the values of each series by its labels.
func points(series []diagnose.Series) map[string][]diagnose.Point {
	all := map[string][]diagnose.Point{}
	for _, one := range series {
		all[one.Labels.String()] = one.Points
	}
	return all
}
