package diagnose_test

import (
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// An outage that is longer than what is kept still has its beginning, and the target its last answer.
func TestWatchRemembersWhatALongOutageNeeds(t *testing.T) {
	const keep, answered, down = 20 * time.Minute, 10 * time.Minute, 50 * time.Minute
	samples := promqltest.LoadedStorage(t, `load 5s
		up{instance="a:8000", job="vllm"} 1x120 0x600`)
	t.Cleanup(func() { _ = samples.Close() })
	set := diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0]}
	watch := diagnose.NewWatch(prom.NewEngine(loaded{samples, time.Hour}, set.Step), diagnose.Default(), set, keep)
	began := time.Unix(0, 0).Add(answered + set.Step)
	for at := time.Unix(0, 0); at.Before(began.Add(down)); at = at.Add(set.Step) {
		r, err := watch.Advance(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if r == nil || at.Before(began.Add(time.Minute)) {
			continue
		}
		if got, want := r.Targets[0].LastAnswer, began.Add(-set.Step); !got.Equal(want) {
			t.Fatalf("%v: last answer %v, want %v", at, got, want)
		}
		if f := r.Findings[0]; f.Rule.Code != "A1" || f.State != diagnose.Firing || !f.Since.Equal(began) {
			t.Fatalf("%v: %s %s since %v, want A1 firing since %v", at, f.Rule.Code, f.State, f.Since, began)
		}
	}
}

// Who changes the interval sees the same rates as before: they are measured against the time that was watched.
func TestRatesSurviveAChangeOfTheInterval(t *testing.T) {
	samples := promqltest.LoadedStorage(t, `load 5s
		up{instance="a:8000", job="vllm"} 1x14
		vllm:num_requests_running{instance="a:8000", job="vllm", engine="0", model_name="m"} 3x14
		vllm:time_to_first_token_seconds_count{instance="a:8000", job="vllm", engine="0", model_name="m"} 1000+10x14`)
	t.Cleanup(func() { _ = samples.Close() })
	for _, step := range []time.Duration{2500 * time.Millisecond, 5 * time.Second, 10 * time.Second, 30 * time.Second} {
		set := diagnose.Settings{Step: step, Window: time.Minute, SLO: diagnose.Profiles[0]}
		for _, after := range []time.Duration{30 * time.Second, time.Minute} {
			r, err := diagnose.JudgeAt(t.Context(), prom.NewEngine(loaded{samples, 70 * time.Second}, step), diagnose.Default(), set, time.Unix(0, 0).Add(after))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Fact("admissions_per_second", r.Replicas[0]).Value; got < 1.9 || got > 2.1 {
				t.Errorf("judged every %v, after %v: %.3g first tokens a second, want 2", step, after, got)
			}
		}
	}
}
