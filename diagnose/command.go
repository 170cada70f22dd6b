package diagnose

import (
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// commandMark stands around each command in the actions of a rule and in what settles it, so that it can be taken out whole.
const commandMark = "`"

// What a command in the texts of a rule is to be about. The signals of a text are in braces, too: in a command they stand as bare numbers.
const (
	metricsAddress = "{url}"     // of the metrics of the finding's target
	serverAddress  = "{address}" // of its server: the same without a path
	gpuName        = "{gpu}"     // as nvidia-smi -i takes it: of a server's, all that are known to be its
	requestBody    = "{request}" // of the smallest request to its model
)

// oneRequest is a command that shows whether a server serves.
const oneRequest = "curl -sS -m 60 " + serverAddress + "/v1/completions -H 'Content-Type: application/json' -d " + requestBody

// isCommandWord tells whether what stands in braces is one of these, and no signal.
func isCommandWord(id string) bool {
	return slices.Contains([]string{metricsAddress, serverAddress, gpuName, requestBody}, "{"+id+"}")
}

// SplitCommands is a text of a rule in parts, of which every second one is a command.
func SplitCommands(text string) []string { return strings.Split(text, commandMark) }

// Unmarked is a text of a rule without the marks around its commands.
func Unmarked(text string) string { return strings.Join(SplitCommands(text), "") }

// Settle is what would prove or disprove a rule about a subject, and the first command in it, which can be pasted.
func (r *Report) Settle(rule *Rule, s Subject) (text, command string) {
	return r.pasteable(rule.Settle, s)
}

// pasteable puts into the commands of a text what they are to be about, and takes the first one out. Where that is not known, a word stands
// for it.
func (r *Report) pasteable(text string, s Subject) (whole, command string) {
	parts := SplitCommands(text)
	if len(parts) == 1 {
		return text, ""
	}
	about := r.commandWords(s)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = about.Replace(parts[i])
		command = cmp.Or(command, parts[i])
	}
	return strings.Join(parts, ""), command
}

// commandWords are what stands in commands about a subject for the words in braces.
func (r *Report) commandWords(s Subject) *strings.Replacer {
	metrics, server := "URL", "URL"
	target, _ := r.Target(s)
	if u, err := url.Parse(target.URL); err == nil && u.Host != "" { // not a folder of saved pages
		u.User = nil
		metrics, server = quoted(u.String()), quoted(u.Scheme+"://"+u.Host)
	}
	model := s.Model
	for _, replica := range r.Replicas {
		if replica.SameTarget(s) {
			model = cmp.Or(model, replica.Model)
		}
	}
	return strings.NewReplacer(metricsAddress, metrics, serverAddress, server, requestBody, quoted(request(model)),
		gpuName, cmp.Or(r.deviceNames(s), "GPU"))
}

// deviceNames are a GPU, or the GPUs of a server, as nvidia-smi takes them: several by their short indexes, where all have one; "" where
// none is known.
func (r *Report) deviceNames(s Subject) string {
	if s.Level == GPU {
		return quoted(cmp.Or(s.UUID, s.Index))
	}
	var identities, indexes []string
	for _, gpu := range r.GPUs {
		if s.Level != Model && gpu.Server == s.At(Server) {
			identities, indexes = append(identities, cmp.Or(gpu.UUID, gpu.Index)), append(indexes, gpu.Index)
		}
	}
	if len(indexes) > 1 && !slices.Contains(indexes, "") {
		identities = indexes
	}
	return quoted(strings.Join(slices.Compact(slices.Sorted(slices.Values(identities))), ","))
}

// request asks a model for one token.
func request(model string) string {
	name, _ := json.Marshal(cmp.Or(model, "MODEL")) //nolint:errchkjson // a text can always be written
	return `{"model":` + string(name) + `,"prompt":"1","max_tokens":1}`
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
