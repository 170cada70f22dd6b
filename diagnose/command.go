package diagnose

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// What a command in the texts of a rule is to be about. The signals of a text are in braces, too.
const (
	metricsAddress = "{url}"     // of the metrics of the finding's target
	serverAddress  = "{address}" // of its server: the same without a path
	gpuName        = "{gpu}"     // as nvidia-smi -i takes it
)

// isCommandWord tells whether what stands in braces is one of these, and no signal.
func isCommandWord(id string) bool {
	return slices.Contains([]string{metricsAddress, serverAddress, gpuName}, "{"+id+"}")
}

// Settle is what would prove or disprove a rule about a subject, with commands that can be pasted.
func (r *Report) Settle(rule *Rule, s Subject) string { return r.pasteable(rule.Settle, s) }

// pasteable puts into the commands of a text what they are to be about. Where that is not known, a word stands for it.
func (r *Report) pasteable(text string, s Subject) string {
	if !strings.Contains(text, "{") {
		return text
	}
	metrics, server := "URL", "URL"
	target, _ := r.Target(s)
	if u, err := url.Parse(target.URL); err == nil && u.Host != "" { // not a folder of saved pages
		u.User = nil
		metrics, server = quoted(u.String()), quoted(u.Scheme+"://"+u.Host)
	}
	return strings.NewReplacer(metricsAddress, metrics, serverAddress, server, gpuName, cmp.Or(quoted(s.UUID), quoted(s.Index), "GPU")).Replace(text)
}

// harmless is what a shell takes as it stands.
var harmless = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]*$`)

// quoted is a text as a shell takes it for one word: names come from other people's pages.
func quoted(text string) string {
	if harmless.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
