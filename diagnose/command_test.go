package diagnose

import (
	"regexp"
	"strings"
	"testing"
)

// Commands are about what the finding is about, and whatever a label says is one word to the shell.
func TestCommandsCanBePasted(t *testing.T) {
	at := func(url string) *Report {
		return &Report{Targets: []TargetState{{Subject: Subject{Level: Target, Instance: "a:8000"}, URL: url}}}
	}
	replica := Subject{Level: Replica, Instance: "a:8000", Engine: "0", Model: "m"}
	gpu := Subject{Level: GPU, UUID: "GPU-1", Index: "0"}
	for _, row := range []struct {
		text, url string
		subject   Subject
		whole     string
		command   string
	}{
		{"see (`curl -w '%{time_connect}' {url}`)", "http://a:8000/metrics", replica, "see (curl -w '%{time_connect}' http://a:8000/metrics)", "curl -w '%{time_connect}' http://a:8000/metrics"},
		{"`curl {address}/health`", "https://a:8000/vllm/metrics?x=1", replica, "curl https://a:8000/health", "curl https://a:8000/health"},
		{"`curl {url}`", "http://a:8000/metrics?a=1&b=$(id)", replica, "curl 'http://a:8000/metrics?a=1&b=$(id)'", "curl 'http://a:8000/metrics?a=1&b=$(id)'"},
		{"`curl {url}`", "http://a:8000/metrics?a=`id`", replica, "curl 'http://a:8000/metrics?a=`id`'", "curl 'http://a:8000/metrics?a=`id`'"},
		{"`curl {url}`", "/saved/pages", replica, "curl URL", "curl URL"},
		{"`curl {url}`", "http://a:8000/metrics", Subject{Level: Model, Model: "m"}, "curl URL", "curl URL"},
		{"`nvidia-smi -i {gpu} -rgc`, then `id`", "", gpu, "nvidia-smi -i GPU-1 -rgc, then id", "nvidia-smi -i GPU-1 -rgc"},
		{"`nvidia-smi -i {gpu} -rgc`", "", Subject{Level: GPU, Index: "0;id"}, "nvidia-smi -i '0;id' -rgc", "nvidia-smi -i '0;id' -rgc"},
		{"`-d {request}`", "", replica, `-d '{"model":"m","prompt":"1","max_tokens":1}'`, `-d '{"model":"m","prompt":"1","max_tokens":1}'`},
		{"`-d {request}`", "", Subject{Level: Replica, Model: `it's "x"`}, `-d '{"model":"it'\''s \"x\"","prompt":"1","max_tokens":1}'`, `-d '{"model":"it'\''s \"x\"","prompt":"1","max_tokens":1}'`},
		{"`-d {request}`", "", gpu, `-d '{"model":"MODEL","prompt":"1","max_tokens":1}'`, `-d '{"model":"MODEL","prompt":"1","max_tokens":1}'`},
		{"drain it", "", replica, "drain it", ""},
	} {
		if whole, command := at(row.url).pasteable(row.text, row.subject); whole != row.whole || command != row.command {
			t.Errorf("%s: %s, of which %s, want %s, of which %s", row.text, whole, command, row.whole, row.command)
		}
	}
}

// A command about the GPUs of a server names all of them, and no other.
func TestCommandsForSeveralGPUs(t *testing.T) {
	server := Subject{Level: Server, Instance: "a:8000"}
	replica := Subject{Level: Replica, Instance: "a:8000", Engine: "0", Model: "m"}
	gpu := func(uuid, index string, of Subject) GPUState {
		return GPUState{Subject: Subject{Level: GPU, UUID: uuid, Index: index}, Server: of}
	}
	stranger := gpu("GPU-9", "9", Subject{})
	for _, row := range []struct {
		gpus    []GPUState
		subject Subject
		want    string
	}{
		{[]GPUState{gpu("GPU-1", "1", server), stranger}, replica, "-i GPU-1 -rmc"},
		{[]GPUState{gpu("GPU-1", "1", server), gpu("GPU-0", "0", server), stranger}, replica, "-i 0,1 -rmc"},
		{[]GPUState{gpu("GPU-1", "", server), gpu("GPU-0", "0", server)}, replica, "-i GPU-0,GPU-1 -rmc"},
		{[]GPUState{gpu("MIG", "3", server), gpu("MIG", "3", server)}, server, "-i 3 -rmc"},
		{[]GPUState{stranger}, replica, "-i GPU -rmc"},
		{[]GPUState{stranger}, Subject{Level: Model, Model: "m"}, "-i GPU -rmc"},
	} {
		r := &Report{GPUs: row.gpus}
		if _, command := r.pasteable("`nvidia-smi -i {gpu} -rmc`", row.subject); command != "nvidia-smi "+row.want {
			t.Errorf("%v: %s, want %s", row.gpus, command, row.want)
		}
	}
}

// A target's server has a model whose name a request can use.
func TestRequestToATarget(t *testing.T) {
	r := &Report{Replicas: []Subject{{Level: Replica, Instance: "b:8000", Model: "other"}, {Level: Replica, Instance: "a:8000", Model: "m"}}}
	_, command := r.pasteable("`"+oneRequest+"`", Subject{Level: Target, Instance: "a:8000"})
	if want := `'{"model":"m","prompt":"1","max_tokens":1}'`; !strings.HasSuffix(command, want) {
		t.Errorf("%s, want %s at its end", command, want)
	}
}

// In a sentence a figure has its unit, in a command it stands bare; what a page says cannot pass for a command.
func TestFiguresInCommands(t *testing.T) {
	look := func(id string) Fact {
		f := Fact{Signal: &Signal{ID: id, Unit: Watts}, Value: 700.2, Low: 700.2, High: 700.2}
		switch id {
		case "gone":
			f.Absence = Blank
		case "words":
			f.Words = "`id`"
		}
		return f
	}
	for text, want := range map[string]string{
		"back to {limit} (`-pl {limit}`)": "back to 700 W (`-pl 700`)",
		"`-pl {gone}`, or {gone}":         "`-pl GONE`, or –",
		"said {words}":                    "said 700 W ('id')",
	} {
		if got := fillIn(text, look); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// commands begins the commands that rules name.
var commands = regexp.MustCompile(`^(curl|nvidia-smi|py-spy|pgrep|dcgmi|dmesg|ibstat|ucx_info|lspci|kubectl|vllmscope)\b`)

// What a rule says to type is marked, names what it is about by a placeholder that is filled in, and has no prose in it.
func TestCommandsOfTheBook(t *testing.T) {
	for _, r := range Default().Rules {
		texts := []string{r.Settle}
		for _, c := range append(r.Cases, Case{Actions: r.Actions}) {
			for _, a := range c.Actions {
				texts = append(texts, a.Text)
			}
		}
		for _, text := range texts {
			for i, part := range SplitCommands(text) {
				if i%2 == 0 {
					checkProse(t, r.Code, part)
				} else {
					checkCommand(t, &r, part)
				}
			}
		}
	}
}

// checkProse finds a command that is not marked, and a word of a command.
func checkProse(t *testing.T, code, text string) {
	t.Helper()
	for _, sign := range []string{"curl ", "nvidia-smi -", "py-spy ", "pgrep ", "dcgmi ", "dmesg", "ibstat", "lspci", "kubectl ", "POST /", "GET /", metricsAddress, serverAddress, gpuName} {
		if strings.Contains(text, sign) {
			t.Errorf("%s: %q is no command: %s", code, sign, text)
		}
	}
}

// checkCommand finds prose in a command, a command about nothing, and a placeholder that nothing fills in.
func checkCommand(t *testing.T, r *Rule, text string) {
	t.Helper()
	if !commands.MatchString(text) || strings.Contains(text, "; the ") || strings.Contains(text, ", ") {
		t.Errorf("%s: not only a command: %s", r.Code, text)
	}
	if strings.Contains(text, "curl ") && !strings.Contains(text, metricsAddress) && !strings.Contains(text, serverAddress) {
		t.Errorf("%s: curl without an address: %s", r.Code, text)
	}
	for _, id := range placeholders(strings.ReplaceAll(text, "%{", "")) {
		if Default().Signal(id) == nil {
			t.Errorf("%s: nothing fills in {%s}: %s", r.Code, id, text)
		}
	}
	if strings.Contains(text, gpuName) && (r.Level == Model || r.Level == Target) || strings.Contains(text, metricsAddress) && r.Level == Model {
		t.Errorf("%s: a %s has none: %s", r.Code, r.Level, text)
	}
}

// An exit code is no cause: 137 is said nowhere without how to tell who sent SIGKILL.
func TestExitCodesAreNoCauses(t *testing.T) {
	for _, r := range Default().Rules {
		for _, c := range append(r.Cases, Case{Actions: r.Actions}) {
			for _, a := range c.Actions {
				if strings.Contains(a.Text, "137 ") && !strings.Contains(a.Text, "OOMKilled") {
					t.Errorf("%s: %s", r.Code, a.Text)
				}
			}
		}
	}
}
