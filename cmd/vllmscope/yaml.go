package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/internal/yamlwords"
)

// strictly reads YAML into a struct; an unknown key is an error that names its line. All that can be told is told, a line each.
func strictly(text []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := d.Decode(into)
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty")
	}
	wrong, ok := errors.AsType[*yaml.TypeError](err)
	if !ok {
		return yamlwords.WithoutTabs(err, text)
	}
	return withNearestKeys(errors.New(yamlwords.Plain(strings.Join(wrong.Errors, "\n"))), into)
}

var unknownKey = regexp.MustCompile(`unknown key "(.*)"`)

// wrongLine is a mistake that reading goes on after, with the line where it stands.
func wrongLine(line int, format string, args ...any) error {
	return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...)}}
}

// behind puts the name of a file before each line of what is wrong with it.
func behind(start string, err error) error {
	return errors.New(start + strings.ReplaceAll(err.Error(), "\n", "\n"+start))
}

// withNearestKeys adds to each unknown key the one that was probably meant.
func withNearestKeys(err error, into any) error {
	if err == nil {
		return nil
	}
	known := keysOf(reflect.TypeOf(into))
	return errors.New(unknownKey.ReplaceAllStringFunc(err.Error(), func(text string) string {
		if near := nearest(unknownKey.FindStringSubmatch(text)[1], known); near != "" {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return text
	}))
}

// keysOf are the keys by which the fields of a type are written, and those of the fields' own types.
func keysOf(t reflect.Type) []string {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return keysOf(t.Elem())
	case reflect.Struct:
	default:
		return nil
	}
	var keys []string
	for field := range t.Fields() {
		if tag, ok := field.Tag.Lookup("yaml"); ok {
			if name, _, _ := strings.Cut(tag, ","); name != "" && name != "-" {
				keys = append(keys, name)
			}
			keys = append(keys, keysOf(field.Type)...)
		}
	}
	return keys
}

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

// lineOf is where the i-th entry of a list stands.
func lineOf(list *yaml.Node, i int) int {
	if i < len(list.Content) {
		return list.Content[i].Line
	}
	return list.Line
}
