package diagnose

import (
	"slices"
	"strings"
	"testing"
)

// Commands are about what the finding is about, and whatever a label says is one word to the shell.
func TestCommandsCanBePasted(t *testing.T) {
	at := func(url string) *Report {
		return &Report{Targets: []TargetState{{Subject: Subject{Level: Target, Instance: "a:8000"}, URL: url}}}
	}
	replica := Subject{Level: Replica, Instance: "a:8000", Engine: "0", Model: "m"}
	for _, row := range []struct {
		text, url string
		subject   Subject
		want      string
	}{
		{"curl -w '%{time_connect}' {url}", "http://a:8000/metrics", replica, "curl -w '%{time_connect}' http://a:8000/metrics"},
		{"curl {address}/health", "https://a:8000/vllm/metrics?x=1", replica, "curl https://a:8000/health"},
		{"curl {url}", "http://a:8000/metrics?a=1&b=$(id)", replica, "curl 'http://a:8000/metrics?a=1&b=$(id)'"},
		{"curl {url}", "/saved/pages", replica, "curl URL"},
		{"curl {url}", "http://a:8000/metrics", Subject{Level: Model, Model: "m"}, "curl URL"},
		{"nvidia-smi -i {gpu} -rgc", "", Subject{Level: GPU, UUID: "GPU-1", Index: "0"}, "nvidia-smi -i GPU-1 -rgc"},
		{"nvidia-smi -i {gpu} -rgc", "", Subject{Level: GPU, Index: "0;id"}, "nvidia-smi -i '0;id' -rgc"},
	} {
		if got := at(row.url).pasteable(row.text, row.subject); got != row.want {
			t.Errorf("%s: %s, want %s", row.text, got, row.want)
		}
	}
}

// What a rule says to type names what it is about by a placeholder that is filled in.
func TestCommandsOfTheBook(t *testing.T) {
	for _, r := range Default().Rules {
		texts := []string{r.Settle}
		for _, a := range r.Actions {
			texts = append(texts, a.Text)
		}
		for _, c := range r.Cases {
			for _, a := range c.Actions {
				texts = append(texts, a.Text)
			}
		}
		for _, text := range texts {
			_, curl, calls := strings.Cut(text, "curl ")
			if calls && !strings.Contains(curl, metricsAddress) && !strings.Contains(curl, serverAddress) {
				t.Errorf("%s: curl without an address: %s", r.Code, text)
			}
			if slices.ContainsFunc([]string{"--pid of", "py-spy top on", "py-spy dump of", "POST /", "GET /"}, func(s string) bool { return strings.Contains(text, s) }) && !calls {
				t.Errorf("%s: no command: %s", r.Code, text)
			}
			for _, id := range placeholders(strings.ReplaceAll(text, "%{", "")) {
				if Default().Signal(id) == nil {
					t.Errorf("%s: nothing fills in {%s}: %s", r.Code, id, text)
				}
			}
			if strings.Contains(text, gpuName) && r.Level != GPU || strings.Contains(text, metricsAddress) && r.Level == Model {
				t.Errorf("%s: a %s has none: %s", r.Code, r.Level, text)
			}
		}
	}
}
