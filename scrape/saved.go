package scrape

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// compareNames orders page-2 before page-10.
func compareNames(a, b string) int {
	for restA, restB := a, b; restA != "" || restB != ""; {
		var textA, numberA, textB, numberB string
		textA, numberA, restA = cutNumber(restA)
		textB, numberB, restB = cutNumber(restB)
		if order := cmp.Or(strings.Compare(textA, textB), cmp.Compare(len(numberA), len(numberB)), strings.Compare(numberA, numberB)); order != 0 {
			return order
		}
	}
	return strings.Compare(a, b) // 7 and 007
}

// cutNumber splits a name before and behind its first number, given without leading zeros.
func cutNumber(name string) (text, number, rest string) {
	const digits = "0123456789"
	start := strings.IndexAny(name, digits)
	if start < 0 {
		return name, "", ""
	}
	rest = strings.TrimLeft(name[start:], digits)
	return name[:start], strings.TrimLeft(name[start:len(name)-len(rest)], "0"), rest
}

// pathNames returns for each path the shortest end of it that no other has, without the folder pages of a recording.
func pathNames(paths []string) (names []string, err error) {
	full := make([]string, len(paths))
	for i, path := range paths {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		if filepath.Base(path) == "pages" {
			path = filepath.Dir(path)
		}
		full[i] = "/" + filepath.ToSlash(path) // so that /run has a longer end than run
		if first := slices.Index(full[:i], full[i]); first >= 0 {
			return nil, fmt.Errorf("%s and %s are the same pages: name them once", paths[first], paths[i])
		}
	}
	for _, path := range full {
		start := strings.LastIndex(path, "/")
		for start > 0 && endingIn(full, path[start:]) > 1 {
			start = strings.LastIndex(path[:start], "/")
		}
		names = append(names, path[start+1:])
	}
	return names, nil
}

func endingIn(paths []string, end string) (n int) {
	for _, path := range paths {
		if strings.HasSuffix(path, end) {
			n++
		}
	}
	return n
}

// timeInName reads a name like 1795961760.prom or 1795961760429.prom.gz.
func timeInName(file string) (time.Time, bool) {
	stem, _, _ := strings.Cut(filepath.Base(file), ".")
	n, err := strconv.ParseInt(stem, 10, 64)
	switch {
	case err == nil && len(stem) == 10:
		return time.Unix(n, 0), true
	case err == nil && len(stem) == 13:
		return time.UnixMilli(n), true
	}
	return time.Time{}, false
}

// savedFailure guesses the class of a failure from its text, which may come from any program.
func savedFailure(text string) *Failure {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	lower := strings.ToLower(text)
	for _, guess := range []struct {
		word  string
		class Class
	}{
		{"refused", ClassRefused},
		{"timed out", ClassTimeout},
		{"timeout", ClassTimeout},
		{"deadline", ClassTimeout},
		{"no such host", ClassDNS},
		{"name or service not known", ClassDNS},
		{"name resolution", ClassDNS},
		{"could not resolve", ClassDNS},
		{"certificate", ClassTLS},
		{"tls", ClassTLS},
		{"ssl", ClassTLS},
		{"no route", ClassUnreachable},
		{"unreachable", ClassUnreachable},
		{"401", ClassUnauthorized},
		{"403", ClassForbidden},
		{"404", ClassNotFound},
		{"reset", ClassClosed},
		{"closed", ClassClosed},
		{"disconnected", ClassClosed},
		{"incomplete", ClassTruncated},
	} {
		if strings.Contains(lower, guess.word) {
			return newFailure(guess.class, text)
		}
	}
	return newFailure(ClassStatus, text)
}
