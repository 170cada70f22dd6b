package scrape

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/prometheus/common/config"
)

// maxRedirects is how many redirects are followed; one suffices for a trailing slash or a change to https.
const maxRedirects = 5

// newClient returns the HTTP client of a target. Files with secrets and certificates are read again when they change,
// so that a renewed token works.
func newClient(t Target) (*http.Client, error) {
	client, err := config.NewClientFromConfig(t.Client, "vllmscope", config.WithUserAgent("vllmscope"))
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", t.URL, err)
	}
	if t.Client.FollowRedirects {
		client.CheckRedirect = checkRedirect
	}
	return client, nil
}

// redirectError says why a redirect was not followed.
type redirectError struct{ sentence string }

func (e *redirectError) Error() string { return e.sentence }

// checkRedirect follows redirects on the same server only: credentials must not reach another one, and what another
// server shows is not what the user asked for.
func checkRedirect(next *http.Request, before []*http.Request) error {
	if len(before) > maxRedirects {
		return &redirectError{fmt.Sprintf("redirected more than %d times: check the URL", maxRedirects)}
	}
	if !sameServer(before[0].URL, next.URL) {
		return &redirectError{"redirected to " + printable(next.URL.Scheme+"://"+next.URL.Host, 2*maxQuote) +
			", another server, which is not followed: give that address if it is the right one"}
	}
	return nil
}

// sameServer allows the change from http to https on the default ports, and never the way back.
func sameServer(from, to *url.URL) bool {
	if from.Hostname() != to.Hostname() {
		return false
	}
	upgrade := from.Scheme == "http" && portOf(from) == "80" && to.Scheme == "https" && portOf(to) == "443"
	return upgrade || from.Scheme == to.Scheme && portOf(from) == portOf(to)
}
