package diagnose

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes a text from somebody else's label safe to show: control characters, escape sequences, line separators, direction
// marks and broken UTF-8 are written out as they would be in a Go string. Every label passes through it on its way into a
// Subject or a sentence, so that nothing behind that has to think of it.
func Plain(text string) string {
	if isPlain(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) {
			quoted := strconv.QuoteToGraphic(text[i : i+size])
			if r != utf8.RuneError && strings.Contains(quoted, string(r)) {
				quoted = strconv.QuoteToASCII(text[i : i+size])
			}
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func isPlain(text string) bool {
	for _, r := range text {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}
