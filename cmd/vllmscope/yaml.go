package main

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// strictly reads YAML into a struct; an unknown key is an error that names its line.
func strictly(text []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := d.Decode(into)
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	wrong, ok := errors.AsType[*yaml.TypeError](err)
	if !ok {
		return err
	}
	return errors.New(goFieldName.ReplaceAllString(strings.Join(wrong.Errors, "; "), `unknown key "$1"`))
}

var goFieldName = regexp.MustCompile(`field (\S+) not found in type .+`)

// pairs are the keys of a mapping with their values.
func pairs(node *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
			if !yield(node.Content[i], node.Content[i+1]) {
				return
			}
		}
	}
}
