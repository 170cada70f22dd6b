package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
)

// recording is a real vLLM server that was driven into one known situation. The cause is known because it was made.
type recording struct {
	name  string
	at    time.Duration // after the first page: inside the fault
	first string        // the expected first finding of warning or worse, "" for none
	words string        // its title has these
	never []string      // findings that would be wrong at any moment
}

// recordings is the table of docs/recordings.md. Where no rule covers a cause yet (speculation), nothing must be found.
var recordings = []recording{
	{name: "01-idle"},
	{name: "02-healthy-light"},
	{name: "03-sequence-cap", at: 40 * time.Second, first: "D3"},
	{name: "04-kv-exhaustion-preemptions", at: 40 * time.Second, first: "D1"},
	{name: "05-prefill-heavy", at: 40 * time.Second, first: "D4"},
	{name: "06-frontend-stall", at: 40 * time.Second, first: "E3", never: []string{"B4"}},
	{name: "07-client-aborts", at: 40 * time.Second, first: "F3"},
	{name: "08-output-truncation", at: 50 * time.Second, first: "F2"},
	{name: "09-request-errors", at: 40 * time.Second, first: "F4"},
	{name: "10-prefix-hot-then-cold", at: 60 * time.Second, first: "G2"},
	{name: "11-restart", at: 40 * time.Second, first: "A1", words: "gone or loading"},
	{name: "11-restart", at: 94 * time.Second, first: "B1"},
	{name: "12-engine-wedged", at: 46 * time.Second, first: "B4"},
	{name: "13-spec-decode-ngram"},
	{name: "14-api-server-count-2"},
	{name: "15-data-parallel-2"},
	{name: "16-lora-slots", at: 40 * time.Second, first: "D5"},
	{name: "18-engine-killed", at: 24 * time.Second, first: "A1", words: "gone or loading"},
	{name: "19-one-long-generation"},
	{name: "20-embeddings"},
	{name: "21-admission-rejections", at: 30 * time.Second, first: "D6", never: []string{"F3"}},
	{name: "24-api-server-stopped", at: 12 * time.Second, first: "A1"},
	{name: "26-giant-prompts", at: 50 * time.Second, first: "D4", words: "one long prefill at a time", never: []string{"B4", "B5", "A3"}},
	{name: "51-v0.8.5-light"},
	{name: "53-v0.8.5-sequence-cap", at: 35 * time.Second, first: "D3"},
	{name: "61-v0.9.2-light"},
	{name: "63-v0.9.2-sequence-cap", at: 35 * time.Second, first: "D3"},
}

// The true cause comes first on every recording whose cause a rule covers, and nothing is found at any moment of a healthy one,
// wherever in a minute it begins. With -v it prints the table.
func TestRecordingsNameTheirCause(t *testing.T) {
	for _, second := range []int{0, 30} {
		if underRace && second > 0 {
			continue // the same code
		}
		t.Run(fmt.Sprintf("ends at second %d", second), func(t *testing.T) {
			nameCauses(t, time.Date(2026, 1, 1, 12, 0, second, 0, time.UTC))
		})
	}
}

// nameCauses watches every recording as if it had ended at a moment.
func nameCauses(t *testing.T, end time.Time) {
	t.Helper()
	dir := filepath.Join(fixtures(t), "real-vllm")
	t.Logf("| recording | at | expected | found first | standing |")
	for _, rec := range recordings {
		seen := false
		watchRecording(t, endingAt(t, filepath.Join(dir, rec.name), end), func(at time.Duration, r *diagnose.Report) {
			first := firstOf(r)
			for _, code := range rec.never {
				if finding(r, code) != nil {
					t.Errorf("%s: %s at %v", rec.name, code, at)
				}
			}
			switch {
			case rec.first == "" && first != nil:
				t.Errorf("%s: %s at %v: %s", rec.name, first.Rule.Code, at, first.Sentence)
			case rec.first != "" && at == rec.at:
				seen = true
				t.Logf("| %s | %v | %s | %s |", rec.name, at, rec.first, told(first))
				if first == nil || first.Rule.Code != rec.first || rec.words != "" && first.Case != rec.words {
					t.Errorf("%s at %v: found %s, want %s %s", rec.name, at, told(first), rec.first, rec.words)
				}
			}
		})
		if rec.first != "" && !seen {
			t.Errorf("%s: no tick at %v", rec.name, rec.at)
		}
	}
}

// watchRecording judges a recording tick by tick, as the dashboard does.
func watchRecording(t *testing.T, dir string, see func(at time.Duration, r *diagnose.Report)) {
	t.Helper()
	interval := intervalOf(t, dir)
	store, err := scrape.OpenRing(t.TempDir(), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close() //nolint:errcheck // a temporary directory
	if _, err := scrape.ReadFolder(store, []string{dir}, interval); err != nil {
		t.Fatal(err)
	}
	set := diagnose.Settings{Step: interval, Window: time.Minute, SLO: diagnose.Profiles[0]}
	source := prom.NewEngine(store, interval)
	begin, end, err := source.Span(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	watch := diagnose.NewWatch(source, diagnose.Default(), set, time.Hour)
	for at := begin; !at.After(end); at = at.Add(interval) {
		r, err := watch.Advance(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if r != nil {
			see(r.Time.Sub(begin), r)
		}
	}
}

// endingAt is a copy of a recording whose last page was written at a moment: pages without a time in their names end then.
func endingAt(t *testing.T, dir string, end time.Time) string {
	t.Helper()
	moved := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(moved, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(moved, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, end, end)
	})
	if err != nil {
		t.Fatal(err)
	}
	return moved
}

// intervalOf is the time between two pages of a recording.
func intervalOf(t *testing.T, dir string) time.Duration {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "scenario.json"))
	if err != nil {
		t.Fatal(err)
	}
	var scenario struct {
		Interval float64 `json:"interval_s"`
	}
	if err := json.Unmarshal(text, &scenario); err != nil {
		t.Fatal(err)
	}
	return time.Duration(scenario.Interval * float64(time.Second))
}

// firstOf is the first finding of warning or worse, nil when there is none.
func firstOf(r *diagnose.Report) *diagnose.Finding {
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Active() && f.Severity >= diagnose.Warning {
			return f
		}
	}
	return nil
}

func finding(r *diagnose.Report, code string) *diagnose.Finding {
	for i := range r.Findings {
		if r.Findings[i].Rule.Code == code {
			return &r.Findings[i]
		}
	}
	return nil
}

func told(f *diagnose.Finding) string {
	if f == nil {
		return "nothing"
	}
	return fmt.Sprintf("%s %s | %s, %s", f.Rule.Code, f.Title(), f.State, f.Certainty())
}
