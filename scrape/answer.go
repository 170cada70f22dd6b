package scrape

import (
	"bytes"
	"fmt"
	"net/http"
)

// statusFailure returns what an HTTP status other than 200 means; body is the first part of the answer.
func statusFailure(response *http.Response, path string, body []byte) *Failure {
	switch code := response.StatusCode; code {
	case http.StatusUnauthorized:
		return newFailure(ClassUnauthorized, "401 unauthorized: the token or password is missing, wrong or expired; "+
			"set authorization or basic_auth in the config file")
	case http.StatusForbidden:
		return newFailure(ClassForbidden, "403 forbidden: these credentials may not read the page; "+
			"ask for the right to read metrics")
	case http.StatusNotFound:
		return newFailure(ClassNotFound, fmt.Sprintf("404 not found: there is no page at %s; check the path, "+
			"and whether metrics are turned on", printable(path, maxQuote)))
	default:
		status := fmt.Sprintf("%d %s", code, http.StatusText(code))
		if code >= 300 && code < 400 {
			return newFailure(ClassRedirect, "answered "+status+" instead of the page, and that is not followed: check the URL")
		}
		if words := firstWords(body); words != "" {
			status += fmt.Sprintf(" (%s)", words)
		}
		return newFailure(ClassStatus, "answered "+status+": the server or a proxy before it is in trouble; see its log")
	}
}

// notMetrics returns a failure if the body is plainly something else than metrics.
func notMetrics(body []byte) *Failure {
	body = bytes.TrimSpace(body)
	switch {
	case bytes.HasPrefix(body, []byte("<")):
		return newFailure(ClassNotMetrics, fmt.Sprintf("not a metrics page but HTML (%s): a log-in page, a proxy or "+
			"another service answers here; check the URL", firstWords(body)))
	case isJSON(body):
		return newFailure(ClassNotMetrics, fmt.Sprintf("not a metrics page but JSON (%s): another service or path "+
			"answers here; check the URL", firstWords(body)))
	}
	return nil
}

// noneReadable returns what a page is that has lines but not one sample among them.
func noneReadable(firstLine string) *Failure {
	return newFailure(ClassNotMetrics, fmt.Sprintf("not a metrics page (%s): another service answers here; "+
		"check port and path", firstWords([]byte(firstLine))))
}

// isJSON tells an object from a sample, which may begin with a brace too: {"name.with.dots",label="x"} 1.
func isJSON(body []byte) bool {
	if len(body) < 2 || body[0] != '{' && body[0] != '[' {
		return false
	}
	list, body := body[0] == '[', bytes.TrimSpace(body[1:])
	switch {
	case list:
		return len(body) > 0 && bytes.IndexByte([]byte(`]{["`), body[0]) >= 0
	case len(body) == 0 || body[0] != '"':
		return len(body) > 0 && body[0] == '}'
	}
	for i := 1; i < len(body); i++ {
		switch body[i] {
		case '\\':
			i++
		case '"':
			return bytes.HasPrefix(bytes.TrimSpace(body[i+1:]), []byte(":"))
		}
	}
	return false
}
