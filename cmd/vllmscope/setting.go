package main

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// A setting is a key of a mapping in a file, and what reads its value.
type setting struct {
	key  string
	read func(value *yaml.Node) error
}

// settings are those that a mapping can have, in the order in which they are told.
type settings []setting

// of is the setting of a key.
func (s settings) of(key string) (one setting, ok bool) {
	i := slices.IndexFunc(s, func(one setting) bool { return one.key == key })
	if i < 0 {
		return setting{}, false
	}
	return s[i], true
}

func (s settings) keys() []string {
	var all []string
	for _, one := range s {
		all = append(all, one.key)
	}
	return all
}

// read reads a mapping up to what is wrong in it; unknown is what to say of a key that it cannot have.
func (s settings) read(node *yaml.Node, unknown string) error {
	for key, value := range pairs(node) {
		one, ok := s.of(key.Value)
		if !ok {
			return wrongLine(key.Line, unknown+" %q%s", key.Value, didYouMean(key.Value, s.keys()))
		}
		if err := one.read(value); err != nil {
			return wrongLine(value.Line, "%s: %q: %v", key.Value, value.Value, err)
		}
	}
	return nil
}

// textInto reads a text.
func textInto(into *string) func(*yaml.Node) error {
	return func(value *yaml.Node) error {
		*into = value.Value
		return nil
	}
}
