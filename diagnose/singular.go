package diagnose

import (
	"regexp"
	"strings"
)

// Behind a number of 1 stand what sentences count and what that does. The number of a rate or a share has its unit behind it.
var (
	oneThing = regexp.MustCompile(`(^|[ (])1 ((?:more )?(?:request|sequence|prompt|replica|transfer|server|position|answer))s\b`)
	oneDoes  = regexp.MustCompile(`((?:^|[ (])1(?: (?:more )?(?:request|sequence|prompt|replica|transfer|server))?) (wait|run|get|end|serve|finish|arrive|are|have)\b`)
)

var singularVerbs = map[string]string{
	"wait": "waits", "run": "runs", "get": "gets", "end": "ends", "serve": "serves", "finish": "finishes", "arrive": "arrives", "are": "is", "have": "has",
}

// singular puts nouns and verbs behind a number of 1 into the form that goes with it: "1 request waits", "1 runs".
func singular(text string) string {
	if !strings.Contains(text, "1 ") {
		return text
	}
	text = oneThing.ReplaceAllString(text, "${1}1 $2")
	return oneDoes.ReplaceAllStringFunc(text, func(match string) string {
		parts := oneDoes.FindStringSubmatch(match)
		return parts[1] + " " + singularVerbs[parts[2]]
	})
}
