package scrape

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
)

// epoch is when the tests begin; samples are shown in seconds since.
var epoch = time.UnixMilli(1_800_000_000_000)

func ring(t testing.TB, keep time.Duration) *Store {
	t.Helper()
	store, err := OpenRing(t.TempDir(), keep, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// timeline returns the samples of all series whose name matches, by their labels without job and instance, in the form
// "0:1 5:stale".
func timeline(t testing.TB, from storage.Queryable, nameRegexp string) map[string]string {
	t.Helper()
	return timelineOf(t, from, nameRegexp, "")
}

// timelineOf is timeline for one instance, all if it is empty.
func timelineOf(t testing.TB, from storage.Queryable, nameRegexp, instance string) map[string]string {
	t.Helper()
	querier, err := from.Querier(math.MinInt64, math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = querier.Close() }()
	matchers := []*labels.Matcher{labels.MustNewMatcher(labels.MatchRegexp, "__name__", nameRegexp)}
	if instance != "" {
		matchers = append(matchers, labels.MustNewMatcher(labels.MatchEqual, "instance", instance))
	}
	lines := map[string]string{}
	set := querier.Select(t.Context(), true, nil, matchers...)
	for set.Next() {
		var samples []string
		it := set.At().Iterator(nil)
		for it.Next() == chunkenc.ValFloat {
			at, v := it.At()
			shown := fmt.Sprint(v)
			if value.IsStaleNaN(v) {
				shown = "stale"
			}
			samples = append(samples, fmt.Sprintf("%v:%s", float64(at-epoch.UnixMilli())/1000, shown))
		}
		lines[labels.NewBuilder(set.At().Labels()).Del("job", "instance").Labels().String()] = strings.Join(samples, " ")
	}
	if set.Err() != nil {
		t.Fatal(set.Err())
	}
	return lines
}

func TestRingForgets(t *testing.T) {
	store := ring(t, time.Hour)
	w := NewWriter(store, Target{Job: "j", Instance: "i"})
	for minute := range 200 {
		page := fmt.Sprintf("clock %d\nborn_at{minute=\"%d\"} 1\n", minute, minute)
		if _, err := w.Write(Scrape{At: epoch.Add(time.Duration(minute) * time.Minute), Page: []byte(page)}); err != nil {
			t.Fatal(err)
		}
	}
	line := timeline(t, store, "clock")[`{__name__="clock"}`]
	first, _, _ := strings.Cut(line, ":")
	// Samples go with their chunk, which ends every 2 hours, and at most 10 minutes late.
	if count := strings.Count(line, " ") + 1; count != 80 {
		t.Errorf("%d samples kept, the first at %s s", count, first)
	}
	if n := store.db.Head().NumSeries(); n > 90 {
		t.Errorf("%d series kept", n)
	}
	if len(w.exposed.byHash) > 130 || len(w.exposed.byText) > 130 || len(w.families) > 20 {
		t.Errorf("the writer remembers %d series, %d texts, %d names", len(w.exposed.byHash), len(w.exposed.byText), len(w.families))
	}
}

func TestRingReadsHoursInOneGo(t *testing.T) {
	store := ring(t, 0)
	w := NewWriter(store, Target{Job: "j", Instance: "i"})
	for i := range 12 * 60 * 6 { // 6 hours at 5 s
		if _, err := w.Write(Scrape{At: epoch.Add(time.Duration(i) * 5 * time.Second), Page: fmt.Appendf(nil, "clock %d\n", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(timeline(t, store, "clock")[`{__name__="clock"}`], ":"); got != 12*60*6 {
		t.Errorf("%d samples", got)
	}
}

func TestOpenRingWantsAnEmptyDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenRing(dir, time.Hour, nil); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("got %v", err)
	}
	if _, err := OpenRing(filepath.Join(dir, "none"), time.Hour, nil); err == nil {
		t.Error("no error for a directory that does not exist")
	}
}

func TestCloseRemovesOnlyItsOwn(t *testing.T) {
	dir := t.TempDir()
	store, err := OpenRing(dir, time.Hour, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Collect(func(yield func(string) bool) {
		for _, entry := range entries {
			if !yield(entry.Name()) {
				return
			}
		}
	})
	if !slices.Equal(names, []string{"mine"}) {
		t.Errorf("left: %q", names)
	}
}
