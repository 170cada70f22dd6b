package ui

import "strings"

// filter narrows lists to what contains a text, in whatever case; an exclamation mark in front inverts it.
type filter struct {
	text    string
	editing bool
}

// matches tells whether any of the texts passes.
func (f filter) matches(texts ...string) bool {
	wanted, inverted := strings.CutPrefix(strings.ToLower(f.text), "!")
	if wanted == "" {
		return true
	}
	for _, text := range texts {
		if strings.Contains(strings.ToLower(text), wanted) {
			return !inverted
		}
	}
	return inverted
}

// on tells whether anything may be hidden.
func (f filter) on() bool { return strings.Trim(f.text, "!") != "" }

// typed adds what was typed or pasted; a filter is one line.
func (f *filter) typed(text string) {
	f.text += strings.Map(func(r rune) rune {
		if hostile(r) {
			return -1
		}
		return r
	}, text)
}

// erase takes the last character away.
func (f *filter) erase() {
	if runes := []rune(f.text); len(runes) > 0 {
		f.text = string(runes[:len(runes)-1])
	}
}
