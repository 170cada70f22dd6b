package diagnose_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/diagnose/prom"
)

// What A5 says cannot be judged is what cannot be judged: the rules about a GPU, and those that lack one on a server with a queue.
func TestWhatNoGPUCostsIsNamed(t *testing.T) {
	c := scriptCase{
		settings: diagnose.Settings{Step: 5 * time.Second, Window: time.Minute, SLO: diagnose.Profiles[0]},
		drop:     []string{"DCGM_"}, series: []string{"vllm:num_requests_waiting{$r} 12x180"},
	}
	source := prom.NewEngine(c.loaded(t), c.settings.Step)
	r, err := diagnose.JudgeAt(t.Context(), source, diagnose.Default(), c.settings, time.UnixMilli((5 * time.Minute).Milliseconds()))
	if err != nil {
		t.Fatal(err)
	}
	var lacking []string
	for _, rule := range r.Book().Rules {
		if rule.Level == diagnose.GPU {
			lacking = append(lacking, rule.Code)
		}
	}
	for _, u := range r.Unknown {
		if strings.Contains(strings.Join(u.Enable, " "), "no GPU metrics") {
			lacking = append(lacking, u.Code)
		}
	}
	slices.Sort(lacking)
	blind := r.Book().Rule("A5")
	for _, text := range append(sentences(blind.Cases), blind.Sentence) {
		if named := regexp.MustCompile(`[A-H][0-9]`).FindAllString(text, -1); len(named) > 0 && !slices.Equal(named, lacking) {
			t.Errorf("%q, but what cannot be judged is %s", text, strings.Join(lacking, ", "))
		}
	}
}

func sentences(cases []diagnose.Case) []string {
	var all []string
	for _, c := range cases {
		all = append(all, c.Sentence)
	}
	return all
}
