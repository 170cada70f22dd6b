package simulate

import (
	"strings"
	"testing"
	"time"
)

func TestFindListsTheScenarios(t *testing.T) {
	_, err := Find("seedcase")
	if err == nil || !strings.Contains(err.Error(), `no scenario "seedcase"`) {
		t.Fatalf("error is %v", err)
	}
	for _, s := range Scenarios() {
		if !strings.Contains(err.Error(), s.Name) {
			t.Errorf("%v does not list %s", err, s.Name)
		}
	}
}

func TestScenariosDescribeThemselves(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Scenarios() {
		if seen[s.Name] {
			t.Errorf("two scenarios are called %s", s.Name)
		}
		seen[s.Name] = true
		if s.Description == "" || strings.Contains(s.Description, "\n") || len(s.Description) > 120 {
			t.Errorf("%s: description %q is not one line", s.Name, s.Description)
		}
		if s.Cause != "" && len(s.faults) == 0 || s.Servers() == 0 {
			t.Errorf("%s: cause %q, %d faults, %d servers", s.Name, s.Cause, len(s.faults), s.Servers())
		}
	}
}

func TestNewSaysWhatIsOutOfRange(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Scenario)
		want   string
	}{
		"onset":    {func(s *Scenario) { s.Onset = -time.Second }, "scenario kv-thrash: onset is -1s, must be 0s to 24h0m0s"},
		"warm":     {func(s *Scenario) { s.Warm = 25 * time.Hour }, "warm time is 25h0m0s"},
		"shows":    {func(s *Scenario) { s.Shows = 25 * time.Hour }, "time until the fault shows is 25h0m0s, must be 0s to 24h0m0s"},
		"interval": {func(s *Scenario) { s.GPUInterval = 0 }, "GPU interval is 0s, must be 100ms to 10m0s"},
		"release":  {func(s *Scenario) { s.Release = "0.7.3" }, `server gpu-a:8000: vLLM release "0.7.3" is not simulated: take 0.8.5`},
		"flag":     {func(s *Scenario) { s.servers[0].flags.maxSeqs = 0 }, "server gpu-a:8000: max_num_seqs is 0, must be 1 to 4096"},
		"memory":   {func(s *Scenario) { s.servers[0].flags.memoryUtilization = 0.25 }, "with this KV cache is 32768, must be 16 to"},
		"load":     {func(s *Scenario) { s.servers[0].loads[0].maxTokens = 40000 }, "max_tokens of load chat is 40000, must be 1 to 32768"},
		"fault":    {func(s *Scenario) { s.faults[0].servers[0] = 3 }, "fault of it: number of a server is 3, must be 0 to 0"},
		"old flag": {
			func(s *Scenario) { s.Release, s.servers[0].flags.maxQueued = "0.11.0", 8 },
			"server gpu-a:8000: max_num_queued_reqs of a release before 0.29 is 8, must be 0 to 0",
		},
		"adapters": {func(s *Scenario) { s.servers[0].loads[0].adapters = -1 }, "LoRA adapters of load chat is -1, must be 0 to 10000"},
		"no LoRA":  {func(s *Scenario) { s.servers[0].loads[0].adapters = 2 }, "max_loras for load chat with adapters is 0, must be 1 to"},
		"images":   {func(s *Scenario) { s.servers[0].loads[0].images = 30 }, "longest request of load chat is 45048, must be 2 to 32768"},
		"its load": {func(s *Scenario) { s.faults[0].loads[0].prompt.max = 40000 }, "fault of server gpu-a:8000: longest request of load reports is 43000"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Find("kv-thrash")
			if err != nil {
				t.Fatal(err)
			}
			test.change(&s)
			if _, err := New(s, 1, noon); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q in it", err, test.want)
			}
		})
	}
}

func TestFaultsOfReleases(t *testing.T) {
	for _, test := range []struct {
		name, release string
		want          bool
	}{{"kv-bound", "0.11.0", false}, {"kv-bound", "0.32.0", true}, {"kv-thrash", "0.8.5", true}} {
		if has, err := scenario(t, test.name).On(test.release); err != nil || has != test.want {
			t.Errorf("%s on %s: %v (%v), want %v", test.name, test.release, has, err, test.want)
		}
	}
	if _, err := scenario(t, "kv-bound").On("1.0"); err == nil {
		t.Error("1.0 is simulated")
	}
}
