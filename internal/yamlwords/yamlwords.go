// Package yamlwords says in a user's words what is wrong with a YAML file: the libraries speak of Go's types, and quote values, which may be
// secrets.
package yamlwords

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

var (
	tabbed   = regexp.MustCompile(`(?m)^ *\t`)
	notFound = regexp.MustCompile(`field (\S+) not found in type .+`)
	notOf    = regexp.MustCompile("cannot unmarshal !!(\\w+)(?: `(?s:.*?)`)? into (\\S+)")
)

// kinds are what may stand in a file, by the tag that YAML has for it.
var kinds = map[string]string{"str": "text", "int": "a number", "float": "a number", "bool": "true or false", "seq": "a list", "map": "a mapping", "null": "nothing", "timestamp": "a time"}

// Plain is what a library says of one line of a file, as "line 3: unknown key "a"" or "line 3: a list stands where a mapping belongs".
func Plain(wrong string) string {
	return notOf.ReplaceAllStringFunc(notFound.ReplaceAllString(wrong, `unknown key "$1"`), func(text string) string {
		parts := notOf.FindStringSubmatch(text)
		return cmp.Or(kinds[parts[1]], parts[1]) + " stands where " + wantedFor(parts[2]) + " belongs"
	})
}

// WithoutTabs adds to an error of reading a text what the libraries do not say: that YAML takes no tabs. Without an error it is nil.
func WithoutTabs(err error, text []byte) error {
	if err == nil || !tabbed.Match(text) {
		return err
	}
	return fmt.Errorf("%w; YAML takes no tabs: indent with spaces", err)
}

// wantedFor is what belongs where a Go type is read.
func wantedFor(goType string) string {
	switch {
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	case strings.HasPrefix(goType, "int"), strings.HasPrefix(goType, "uint"), strings.HasPrefix(goType, "float"):
		return "a number"
	case goType == "string":
		return "text"
	case goType == "bool":
		return "true or false"
	}
	return "a mapping" // a map or a struct
}
