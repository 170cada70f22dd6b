package main

import (
	"fmt"
	"strings"
	"testing"
)

// answering are pages of a server whose requests get answers of so many tokens.
func answering(t *testing.T, model string, tokens int) string {
	t.Helper()
	var texts []string
	for i := range 26 {
		texts = append(texts, fmt.Sprintf(`vllm:num_requests_running{engine="0",model_name="%[1]s"} 4
vllm:num_requests_waiting{engine="0",model_name="%[1]s"} 0
vllm:time_to_first_token_seconds_count{engine="0",model_name="%[1]s"} %[2]d
vllm:generation_tokens_total{engine="0",model_name="%[1]s"} %[3]d
`, model, 20*i, 20*i*tokens))
	}
	return pages(t, texts...)
}

func TestABaselineTellsWhatIsUsual(t *testing.T) {
	long := answering(t, "m", 250)
	for name, test := range map[string]struct {
		baseline string
		want     bool
	}{
		"shorter answers":  {answering(t, "m", 100), true},
		"the same answers": {answering(t, "m", 240), false},
		"another model":    {answering(t, "other", 100), false},
	} {
		t.Run(name, func(t *testing.T) {
			// The first two minutes of a load are no change.
			got := program(t, "check", long, "--baseline", test.baseline, "--interval", "10s")
			if found := strings.Contains(got.out, "Answers are 2.5 times as long as before"); found != test.want {
				t.Errorf("exit code %d, want found %t:\n%s%s", got.code, test.want, got.out, got.err)
			}
		})
	}
	if got := program(t, "check", long); strings.Contains(got.out, "F1") && !strings.Contains(got.out, "give --baseline DIR") {
		t.Errorf("without a past and without advice:\n%s", got.out)
	}
}

func TestABaselineThatTellsNothingIsWrongUse(t *testing.T) {
	long := answering(t, "m", 250)
	for _, dir := range []string{pages(t, "node_load1 3\n", "node_load1 3\n"), t.TempDir()} {
		if got := program(t, "check", long, "--baseline", dir); got.code != 2 || !strings.Contains(got.err, "--baseline") {
			t.Errorf("exit code %d: %s", got.code, got.err)
		}
	}
}
