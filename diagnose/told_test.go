package diagnose

import (
	"fmt"
	"strings"
	"testing"
)

func TestTell(t *testing.T) {
	rule := func(code string) *Rule { return &Rule{Code: code} }
	down, blind := rule("A1"), rule("A5")
	finding := func(r *Rule, severity Severity, instance string) *Finding {
		return &Finding{Rule: r, Severity: severity, State: Firing, Subject: Subject{Instance: instance}}
	}
	met := func(instance, sentence string) *Finding {
		f := finding(down, Critical, instance)
		f.Sentence = sentence
		return f
	}
	brake := rule("C2")
	onGPU := func(host, index string) *Finding {
		return &Finding{Rule: brake, Severity: Critical, State: Firing, Subject: Subject{Level: GPU, Host: host, Index: index}}
	}
	for _, row := range []struct {
		name     string
		findings []*Finding
		want     string // code and how many others
	}{
		{"three servers down are three lines", []*Finding{
			finding(down, Critical, "a"), finding(down, Critical, "b"), finding(down, Critical, "c"),
		}, "A1+0 A1+0 A1+0"},
		{"four are one", []*Finding{
			finding(down, Critical, "a"), finding(down, Critical, "b"), finding(down, Critical, "c"), finding(down, Critical, "d"),
		}, "A1+3"},
		{"other severities are other news", []*Finding{
			finding(down, Critical, "a"), finding(down, Warning, "b"), finding(down, Critical, "c"), finding(down, Critical, "d"),
		}, "A1+0 A1+0 A1+0 A1+0"},
		{"four that met different things are four", []*Finding{
			met("a", "404"), met("b", "a log-in page"), met("c", "JSON"), met("d", "a redirect"),
		}, "A1+0 A1+0 A1+0 A1+0"},
		{"information is told once", []*Finding{
			finding(blind, Information, "a"), finding(down, Critical, "b"), finding(blind, Information, "c"),
		}, "A5+1 A1+0"},
		{"two GPUs of a host are one, that of another host is not", []*Finding{onGPU("a", "0"), onGPU("b", "0"), onGPU("a", "1")}, "C2+1 C2+0"},
		{"GPUs of four hosts are one", []*Finding{onGPU("a", "0"), onGPU("b", "0"), onGPU("c", "0"), onGPU("d", "0")}, "C2+3"},
		{"nothing", nil, ""},
	} {
		var got []string
		for _, one := range Tell(row.findings) {
			got = append(got, fmt.Sprintf("%s+%d", one.Rule.Code, len(one.Others)))
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %s, want %s", row.name, strings.Join(got, " "), row.want)
		}
	}
}

// What the GPUs of one host have in common is told and counted as one, and names them.
func TestOneFaultOfAHostCountsOnce(t *testing.T) {
	brake := Default().Rule("C2")
	r := &Report{book: Default()}
	for _, gpu := range []Subject{{Host: "a", Index: "0"}, {Host: "a", Index: "1"}, {Host: "b", Index: "0"}} {
		gpu.Level = GPU
		r.GPUs = append(r.GPUs, GPUState{Subject: gpu, Server: Subject{Level: Server, Instance: gpu.Host + ":8000"}, How: SameHost})
		r.Findings = append(r.Findings, Finding{Rule: brake, Subject: gpu, Severity: Critical, State: Firing})
	}
	if n := r.Counts(); n[Critical] != 2 {
		t.Errorf("%d critical, want one for each host", n[Critical])
	}
	active, _ := r.Causes()
	told := Tell(active)
	if where, name, more := r.Place(told[0]); where != "a GPU 0, 1 (serves a:8000)" || name != "a GPU 0, 1" || more != nil {
		t.Errorf("told of %q, %q and %v", where, name, more)
	}
	if where, _, _ := r.Place(told[1]); where != "b GPU 0 (serves b:8000)" {
		t.Errorf("told of %q", where)
	}
}

// A cause counts for the exit code as soon as what it explains does.
func TestACauseCountsWithItsConsequences(t *testing.T) {
	book := Default()
	replica := Subject{Level: Replica, Instance: "a:8000", Model: "m"}
	r := &Report{book: book, Findings: []Finding{
		{Rule: book.Rule("D1"), Subject: replica, State: Pending, Severity: Critical},
		{Rule: book.Rule("E1"), Subject: replica, State: Firing, Severity: Critical},
	}}
	if r.Findings[0].Counts() {
		t.Error("pending, not throughout: counts")
	}
	if relate(r); !r.Findings[0].Counts() || r.Findings[1].ExplainedBy == nil {
		t.Error("the cause of what fires does not count")
	}
}
