package scrape

import (
	"bytes"
	"html"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxText is the longest text, in bytes, that becomes the value of one of our own labels.
	maxText = 200
	// maxQuote is the longest piece of somebody else's text, in bytes, inside such a text.
	maxQuote = 48
)

// printable returns s with every character that a terminal could act on written as an escape, cut to at most limit
// bytes. It is what stands between a page and the labels that we write ourselves.
func printable(s string, limit int) string {
	var b strings.Builder
	for piece := range printablePieces(s) {
		if b.Len()+len(piece) > limit {
			return cutBack(b.String(), limit-len("…")) + "…"
		}
		b.WriteString(piece)
	}
	return b.String()
}

// printablePieces yields the characters of s, those that do not print as escapes.
func printablePieces(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			r, size := utf8.DecodeRuneInString(s)
			piece := s[:size]
			if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) {
				quoted := strconv.Quote(piece)
				piece = quoted[1 : len(quoted)-1]
			}
			if !yield(piece) {
				return
			}
			s = s[size:]
		}
	}
}

// cutBack returns at most limit bytes of s, never ending inside a character.
func cutBack(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

var (
	titleElement = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	anyTag       = regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>|<[^>]*>`)
	identifier   = regexp.MustCompile(`[0-9A-Za-z-]*[0-9][0-9A-Za-z-]*`)
)

// firstWords returns the first words of a body for use in a message, the title if it is HTML. What looks like an
// identifier or a time is left out: it changes from answer to answer, and the message is a label value.
func firstWords(body []byte) string {
	text := string(body[:min(len(body), 4096)])
	if title := titleElement.FindStringSubmatch(text); title != nil {
		text = title[1]
	}
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
		text = html.UnescapeString(anyTag.ReplaceAllString(text, " "))
	}
	text = identifier.ReplaceAllStringFunc(text, func(s string) string {
		_, err := strconv.Atoi(s)
		isStatus := len(s) == 3
		if len(s) >= 6 || err == nil && len(s) > 1 && !isStatus {
			return "…"
		}
		return s
	})
	return printable(strings.Join(strings.Fields(text), " "), maxQuote)
}
