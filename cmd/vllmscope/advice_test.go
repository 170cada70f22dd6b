package main

import (
	"slices"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// What to do is worked out from the readings and still stays for a while once its finding fires: more than half a minute for each text.
func TestAdviceStays(t *testing.T) {
	if underRace {
		t.Skip("nothing here that other tests do not do at once")
	}
	const watched, changes = 4 * time.Minute, 6
	for name, code := range map[string]string{"kv-thrash": "D1", "compute-bound": "D7", "long-contexts": "E5", "decode-pool-short": "H2"} {
		i := slices.IndexFunc(simulate.Scenarios(), func(s simulate.Scenario) bool { return s.Name == name })
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := everyFiveSeconds.watching(t, simulate.Scenarios()[i], 11)
			w.length = 6*time.Minute + watched
			texts := map[int][]string{} // of each action, those that were told one after the other
			w.live(t, func(after time.Duration, r *diagnose.Report) {
				f := finding(r, code)
				if after < w.length-watched || f == nil {
					return
				}
				for n, a := range f.Actions {
					if told := texts[n]; len(told) == 0 || told[len(told)-1] != a.Text {
						texts[n] = append(told, a.Text)
					}
				}
			})
			if len(texts) == 0 {
				t.Fatalf("%s was not found", code)
			}
			for _, told := range texts {
				if len(told)-1 > changes {
					t.Errorf("%s changed %d times in %v: %q", code, len(told)-1, watched, told)
				}
			}
		})
	}
}
