package diagnose

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever is found, what a finding explains is among its candidates: over all ways in which subjects belong together, and over both ends
// of a pair.
func TestWhatIsExplainedIsAmongTheCandidates(t *testing.T) {
	book, random := Default(), rand.New(rand.NewPCG(1, 2))
	fleet := Report{book: book}
	subjects := map[Level][]Subject{}
	for i := range 4 {
		replica := Subject{Level: Replica, Job: "vllm", Instance: fmt.Sprintf("gpu-%d:8000", i), Engine: "0", Model: fmt.Sprintf("m%d", i/3)}
		gpu := Subject{Level: GPU, Job: "dcgm", Instance: fmt.Sprintf("gpu-%d:9400", i), Index: "0"}
		fleet.Replicas = append(fleet.Replicas, replica)
		fleet.GPUs = append(fleet.GPUs, GPUState{gpu, replica.At(Server), UsersWord})
		for _, s := range []Subject{replica, replica.At(Server), replica.At(Target), replica.At(Model), gpu} {
			subjects[s.Level] = append(subjects[s.Level], s)
		}
	}
	seen := map[string]bool{}
	for range 20 {
		r := fleet
		for range 150 {
			rule := &book.Rules[random.IntN(len(book.Rules))]
			if random.IntN(10) == 0 {
				rule = book.Rule("H1")
			}
			on := subjects[rule.Level]
			r.Findings = append(r.Findings, Finding{
				Rule: rule, Subject: on[random.IntN(len(on))], Severity: rule.Severity, State: State(random.IntN(4)), farEnd: random.IntN(2) == 0,
			})
		}
		candidates := r.candidates()
		for c := range r.Findings {
			cause := &r.Findings[c]
			for e := range r.Findings {
				consequence := &r.Findings[e]
				if c == e || !r.explains(cause, consequence) {
					continue
				}
				seen[cause.Rule.Level.String()+" "+consequence.Rule.Level.String()] = true
				seen["far end"] = seen["far end"] || cause.Rule == consequence.Rule
				if !slices.Contains(candidates.of(&r, cause), e) {
					t.Errorf("%s of %v explains %s of %v, which is no candidate", cause.Rule.Code, cause.Subject, consequence.Rule.Code, consequence.Subject)
				}
			}
		}
	}
	for _, way := range []string{"replica replica", "target replica", "server replica", "gpu replica", "gpu model", "replica model", "model replica", "replica server", "far end"} {
		if !seen[way] {
			t.Errorf("nothing was explained in this way: %s", way)
		}
	}
}
