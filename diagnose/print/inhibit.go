package print

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// inhibition is an entry of Alertmanager's inhibit_rules.
type inhibition struct {
	Source []string `yaml:"source_matchers,flow"`
	Target []string `yaml:"target_matchers,flow"`
	Equal  []string `yaml:"equal,flow"`
}

// Alertmanager writes the edges of the rule book as inhibit rules for the alerts of PrometheusRules: a cause silences what it explains,
// unless that is worse.
func Alertmanager(w io.Writer, b *diagnose.Book, _ Exported) error {
	var all []inhibition
	var unsaid []string
	for i := range b.Rules {
		r := &b.Rules[i]
		byMatch := map[diagnose.Match][]string{}
		for _, e := range r.Edges() {
			byMatch[e.Match] = append(byMatch[e.Match], hiddenCodes(b, r, e.Code)...)
		}
		for match := diagnose.SameReplica; match <= diagnose.FewReplicas; match++ {
			codes, equal := byMatch[match], sharedLabels(r.Level, match)
			switch {
			case len(codes) == 0:
			case equal == nil:
				unsaid = append(unsaid, fmt.Sprintf("%s explains %s, %s", r.Code, strings.Join(codes, ", "), match))
			default:
				all = append(all, silenced(r.Code, codes, equal)...)
			}
		}
	}
	head := "# What the alerts of vllmscope hide, for Alertmanager, made by: vllmscope rules export --format alertmanager\n" +
		"# Labels cannot say these edges:\n#   " + strings.Join(unsaid, "\n#   ") + "\n"
	return writeYAML(w, head, map[string][]inhibition{"inhibit_rules": all})
}

// hiddenCodes are the rules behind an edge; "*" stands for all that are listed later.
func hiddenCodes(b *diagnose.Book, r *diagnose.Rule, code string) []string {
	if code != "*" {
		return []string{code}
	}
	var later []string
	place := slices.IndexFunc(b.Rules, func(o diagnose.Rule) bool { return o.Code == r.Code })
	for _, o := range b.Rules[place+1:] {
		if o.Level != diagnose.Model { // it is of no server
			later = append(later, o.Code)
		}
	}
	return later
}

// sharedLabels are those by which the alerts of cause and consequence belong together; nil where no label says it.
func sharedLabels(cause diagnose.Level, match diagnose.Match) []string {
	switch {
	case match == diagnose.SameReplica:
		return diagnose.LabelsOf(diagnose.Replica)
	case match == diagnose.SameServer:
		return diagnose.LabelsOf(diagnose.Target)
	case match == diagnose.SameModel && (cause == diagnose.Replica || cause == diagnose.Model):
		return diagnose.LabelsOf(diagnose.Model)
	}
	return nil
}

// silenced lets a critical cause hide everything, and a warning what is no worse.
func silenced(cause string, codes, equal []string) []inhibition {
	source, target := fmt.Sprintf(`code="%s"`, cause), fmt.Sprintf(`code=~"%s"`, strings.Join(codes, "|"))
	return []inhibition{
		{[]string{source, `severity="critical"`}, []string{target}, equal},
		{[]string{source, `severity="warning"`}, []string{target, `severity!="critical"`}, equal},
	}
}
