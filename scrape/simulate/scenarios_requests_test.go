package simulate

import (
	"math/rand/v2"
	"testing"
	"time"
)

// outcomes are the shares of HTTP answers and of finished requests in a span.
func outcomes(s span) (http, ended func(label string) float64) {
	http = func(status string) float64 { return s.since(answers, status) / s.rise(answers) }
	ended = func(reason string) float64 { return s.since(finished, reason) / s.rise(finished) }
	return http, ended
}

func TestEngineErrors(t *testing.T) {
	before, s := phases(t, "engine-errors", 10*time.Minute)
	http, ended := outcomes(s)
	check(
		t,
		bound{"finished with error", ended(`"error"`), 0.05, 0.12}, // 3 % of the clients' requests, each tried three times
		bound{"HTTP 5xx", http(`"5xx"`), 0.05, 0.12},
		bound{"errors without a 500", s.since(finished, `"error"`) - s.since(answers, `"5xx"`), 0, 0},
		bound{"requests left", s.since(answers, `"2xx"`) + s.since(answers, `"5xx"`) - s.rise(finished), 0, 0},
		bound{"errors before", before.since(finished, `"error"`) + before.since(answers, `"5xx"`), 0, 0},
	)
}

func TestClientErrors(t *testing.T) {
	before, s := phases(t, "client-errors", 10*time.Minute)
	http, _ := outcomes(s)
	check(
		t,
		bound{"HTTP 4xx", http(`"4xx"`), 0.28, 0.38},
		bound{"requests at the engine against before", (s.rise(finished) / s.seconds) / (before.rise(finished) / before.seconds), 0.5, 0.85},
		bound{"2xx that no engine finished", s.since(answers, `"2xx"`) - s.rise(finished), 0, 0},
		bound{"finished with error", s.since(finished, `"error"`), 0, 0},
		bound{"HTTP 4xx before", before.since(answers, `"4xx"`), 0, 0},
	)
}

func TestFrontendErrors(t *testing.T) {
	before, s := phases(t, "frontend-errors", 10*time.Minute)
	http, _ := outcomes(s)
	check(
		t,
		bound{"HTTP 5xx", http(`"5xx"`), 0.15, 0.27}, // 8 % of the clients' requests, each tried three times
		bound{"finished with error", s.since(finished, `"error"`), 0, 0},
		bound{"2xx that no engine finished", s.since(answers, `"2xx"`) - s.rise(finished), 0, 0},
		bound{"HTTP 5xx before", before.since(answers, `"5xx"`), 0, 0},
	)
}

func TestRepetition(t *testing.T) {
	before, s := phases(t, "repetition", 10*time.Minute)
	http, ended := outcomes(s)
	check(
		t,
		bound{"finished with repetition", ended(`"repetition"`), 0.04, 0.08},
		bound{"HTTP 2xx", http(`"2xx"`), 1, 1},
		bound{"repetitions before", before.since(finished, `"repetition"`), 0, 0},
	)
}

// TestRepetitionWithoutDetection: an older release lets the answer run to its length.
func TestRepetitionWithoutDetection(t *testing.T) {
	f := &frontend{version: release0110}
	r := &request{output: 100, limit: 1024, mishap: repeating}
	f.random = build(t, scenario(t, "healthy"), 1).servers[0].random
	r.repeat(f)
	if r.output != 1024 || r.reason() != "length" {
		t.Errorf("ends after %d tokens with %s, want 1024 and length", r.output, r.reason())
	}
	f.version, r = release0320, &request{output: 100, limit: 1024, mishap: repeating}
	r.repeat(f)
	check(t, bound{"tokens until it is detected", float64(r.output), 160, 300})
	if r.reason() != "repetition" {
		t.Errorf("reason is %s", r.reason())
	}
}

// TestMemoryLeak: six requests a second, 24 kB each, are 518 MB an hour; it begins with the fault.
func TestMemoryLeak(t *testing.T) {
	f, s := atOnset(t, "memory-leak", 0)
	resident := func() float64 { return read(t, f, "gpu-a:8000").sum("process_resident_memory_bytes") }
	before := resident()
	f.AdvanceTo(noon.Add(s.Onset + 30*time.Minute))
	check(
		t,
		bound{"MB gained in half an hour", (resident() - before) / 1e6, 230, 290},
		bound{"MB before", before / 1e6, 1880, 1900},
	)
}

// TestEngineErrorCutsTheAnswer: it comes after one token at the soonest, and before the answer's end in most cases.
func TestEngineErrorCutsTheAnswer(t *testing.T) {
	tr := &traffic{load: load{mishap: failing, mishaps: 1}, random: rand.New(rand.NewPCG(1, 2))}
	total := 0.0
	for range 1000 {
		r := &request{output: 200, byLength: true}
		tr.afflict(r)
		if r.output < 1 || r.output > 200 || r.byLength {
			t.Fatalf("an answer of 200 tokens ends after %d, by its length: %v", r.output, r.byLength)
		}
		total += float64(r.output)
	}
	check(t, bound{"mean tokens until the error", total / 1000, 95, 106})
}

func TestMishapsAreBounded(t *testing.T) {
	s := scenario(t, "engine-errors")
	s.servers[0].loads[0].mishaps = 1.5
	if _, err := New(s, 1, noon); err == nil || err.Error() != "scenario engine-errors, server gpu-a:8000: share of mishaps of load chat is 1.5, must be 0 to 1" {
		t.Errorf("error is %v, want the range of mishaps", err)
	}
}
