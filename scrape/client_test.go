package scrape

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/prometheus/common/config"
)

func TestSameServer(t *testing.T) {
	for _, row := range []struct {
		from, to string
		want     bool
	}{
		{"http://a:8000/metrics", "http://a:8000/metrics/", true},
		{"https://a/metrics", "https://a:443/x", true},
		{"http://a/metrics", "https://a/metrics", true},
		{"http://a:80/metrics", "https://a:443/metrics", true},
		{"https://a/metrics", "http://a/metrics", false},
		{"https://a:8443/metrics", "http://a:8443/metrics", false}, // in the open, to the same port
		{"http://a:8000/metrics", "https://a:8000/metrics", false},
		{"http://a:8000/metrics", "http://a:8001/metrics", false},
		{"http://a:8000/metrics", "http://b:8000/metrics", false},
		{"http://a:8000/metrics", "https://a/metrics", false},
	} {
		from, err := url.Parse(row.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.Parse(row.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := sameServer(from, to); got != row.want {
			t.Errorf("%s to %s: %v", row.from, row.to, got)
		}
	}
}

// A server that sends its client from TLS to plain text on its own port would have the password in the open.
func TestCredentialsDoNotLeaveTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.Host+r.URL.Path, http.StatusFound)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	target := mustTarget(t, strings.Replace(server.URL, "https://", "https://user:s3cret@", 1))
	target.Client.TLSConfig = config.TLSConfig{InsecureSkipVerify: true}
	if _, _, failure := getPage(t, target); failure == nil || failure.Class != ClassRedirect {
		t.Errorf("got %v", failure)
	}
}

func TestRedirectsAreBounded(t *testing.T) {
	asked := 0
	target := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	})
	if _, _, failure := getPage(t, target); failure == nil || asked != 6 {
		t.Errorf("asked %d times: %v", asked, failure)
	}
}
