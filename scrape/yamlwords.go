package scrape

import (
	"cmp"
	"errors"
	"regexp"
	"strings"
)

var (
	notFound = regexp.MustCompile(`field (\S+) not found in type .+`)
	notOf    = regexp.MustCompile("cannot unmarshal !!(\\w+)(?: `(?s:.*)`)? into (\\S+)")
)

// yamlKinds are what may stand in a file, by the tag that YAML has for it.
var yamlKinds = map[string]string{"str": "text", "int": "a number", "float": "a number", "bool": "true or false", "seq": "a list", "map": "a mapping", "null": "nothing", "timestamp": "a time"}

// PlainYAML says in a user's words what a YAML library found wrong with a file, a line each: the library speaks of Go's types, and quotes
// values, which may be secrets.
func PlainYAML(wrong []string) error {
	told := make([]string, len(wrong))
	for i, one := range wrong {
		told[i] = notOf.ReplaceAllStringFunc(notFound.ReplaceAllString(one, `unknown key "$1"`), func(text string) string {
			parts := notOf.FindStringSubmatch(text)
			return cmp.Or(yamlKinds[parts[1]], parts[1]) + " stands where " + wantedFor(parts[2]) + " belongs"
		})
	}
	return errors.New(strings.Join(told, "\n"))
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
