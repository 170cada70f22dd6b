package ui

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// safe makes a text harmless for a terminal: whatever does not print, or prints on top of its neighbour, is shown the way a
// program would spell it. Labels, errors and model names come from strangers. What is safe already is returned as it is.
func safe(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, hostile) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			b.WriteString(`\x` + strconv.FormatUint(0x100|uint64(text[i]), 16)[1:])
		case hostile(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hostile tells a character that moves the cursor, hides, reorders or joins others: controls, formats, odd blanks, variation
// selectors. The last make terminals disagree about widths.
func hostile(r rune) bool {
	return r != ' ' && !unicode.IsPrint(r) || unicode.Is(unicode.Variation_Selector, r)
}

// plainASCII spells the signs of our own texts in ASCII.
var plainASCII = strings.NewReplacer(
	"–", "-", "—", "-", "…", "..", " · ", " | ", "·", ".", "≥", ">=", "≤", "<=", "≠", "!=", "∞", "inf", " °C", " C", "°", "",
	"×", "x", "→", "->", "’", "'", "“", `"`, "”", `"`, "µ", "u",
)

// asciiOnly leaves nothing in a text that a terminal without UTF-8 could not draw.
func asciiOnly(text string) string {
	if !strings.ContainsFunc(text, beyondASCII) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if beyondASCII(r) {
			return '?'
		}
		return r
	}, plainASCII.Replace(text))
}

func beyondASCII(r rune) bool { return r > unicode.MaxASCII }
