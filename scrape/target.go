package scrape

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/config"
)

const (
	defaultJob  = "vllmscope"
	metricsPath = "/metrics"
	// nvidiaSMI is the target that is no URL: the program of the GPU driver.
	nvidiaSMI = "nvidia-smi"
	example   = "http://gpu-a:8000/metrics"
)

// Target is one source of pages.
type Target struct {
	// URL is the address as people may see it: no user, no password, no query.
	URL string
	// Job and Instance are the labels of every series; Instance is unique within a [Pool].
	Job, Instance string
	// Labels are further labels of every series, from a config file.
	Labels map[string]string
	// Kind is what is known before the first page; empty when nothing is.
	Kind Kind
	// Interval and Timeout are those of the pool when 0.
	Interval, Timeout time.Duration
	// Client holds credentials and TLS settings.
	Client config.HTTPClientConfig
	// NoSideRequests leaves it at one GET of the page: no /version, /v1/models or /health.
	NoSideRequests bool
	// NoFile is what was given where a file could have been meant, and is none; empty where that cannot be.
	NoFile string
	// Undated is how many saved pages it has, where their names are no times so that these were assumed; else 0.
	Undated int

	page    *url.URL // what is asked, with its query; nil without HTTP
	command string   // the nvidia-smi to run, empty for a URL
}

// String returns the address as people may see it.
func (t Target) String() string { return t.URL }

// GoString keeps secrets out of %#v.
func (t Target) GoString() string { return strconv.Quote(t.URL) }

// Base returns the address that /version and the like hang under, without the query: http://gw:80/team-a for
// http://gw/team-a/metrics. It is nil for a target without HTTP.
func (t Target) Base() *url.URL {
	if t.page == nil {
		return nil
	}
	return &url.URL{Scheme: t.page.Scheme, Host: t.page.Host, Path: basePath(t.page.Path)}
}

// NewTarget reads an address as people write it: gpu-a:8000, :8000, 8000, [::1]:8000, https://gw/team-a,
// http://user:password@gpu-a:8000/metrics?x=y, or nvidia-smi. Scheme and path default to http and /metrics; a path
// that does not speak of metrics is a base, to which /metrics is added. A user becomes basic authentication.
func NewTarget(raw string) (Target, error) {
	raw = strings.TrimSpace(raw)
	if path.Base(raw) == nvidiaSMI && !strings.Contains(raw, "://") {
		return smiTarget(raw), nil
	}
	return newTarget(raw, "http", "")
}

// newTarget reads an address that may lack a scheme; page, when not empty, is the exact path to ask.
func newTarget(raw, scheme, page string) (Target, error) {
	u, err := parseURL(raw, scheme)
	if err != nil {
		return Target{}, fmt.Errorf("target %q: %w; write it like %s", shownInput(raw), err, example)
	}
	t := Target{Job: defaultJob, Client: config.DefaultHTTPClientConfig, page: u}
	if u.User != nil {
		password, _ := u.User.Password()
		t.Client.BasicAuth = &config.BasicAuth{Username: u.User.Username(), Password: config.Secret(password)}
		u.User = nil
	}
	u.Path, u.RawPath = pagePath(u.Path), ""
	if page != "" {
		u.Path = page
	}
	t.URL = shownURL(u)
	t.Instance = hostPort(u) + instancePath(u.Path)
	return t, nil
}

func parseURL(raw, scheme string) (*url.URL, error) {
	if raw == "" {
		return nil, errors.New("the address is empty")
	}
	u, err := url.Parse(complete(raw, scheme))
	if err != nil {
		if wrong, ok := errors.AsType[*url.Error](err); ok {
			err = wrong.Err // without the address, which may hold a password
		}
		return nil, reason(err)
	}
	switch port := u.Port(); {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("only http and https can be scraped, not %q", printable(u.Scheme, maxQuote))
	case u.Hostname() == "":
		return nil, errors.New("the host is missing")
	case strings.Contains(u.Path+u.RawQuery+u.Fragment, "@"):
		return nil, errors.New("there is an @ after the host; write / ? # and @ in a password as %2F %3F %23 %40")
	case port != "" && !isPort(port):
		return nil, errors.New("a port is a number from 1 to 65535")
	}
	u.Host, u.Fragment, u.RawFragment = strings.ToLower(u.Host), "", ""
	return u, nil
}

// reason is what url.Parse found wrong, without the part of the address that it quotes.
func reason(err error) error {
	text, _, _ := strings.Cut(err.Error(), `"`)
	return errors.New(strings.TrimSpace(text))
}

// complete adds what people leave out before the path.
func complete(raw, scheme string) string {
	host, _, _ := strings.Cut(raw, "/")
	switch {
	case strings.Contains(raw, "://"):
		return raw
	case isPort(host):
		return scheme + "://localhost:" + raw
	case strings.HasPrefix(raw, ":"):
		return scheme + "://localhost" + raw
	}
	return scheme + "://" + raw
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

func hostPort(u *url.URL) string { return net.JoinHostPort(u.Hostname(), portOf(u)) }

func portOf(u *url.URL) string {
	switch port := u.Port(); {
	case port != "":
		return port
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// pagePath returns the path of the page for a path that may be only the base of a server behind a proxy.
func pagePath(path string) string {
	named := func(segment string) bool { return strings.Contains(segment, "metrics") }
	if slices.ContainsFunc(strings.Split(path, "/"), named) {
		return path
	}
	return strings.TrimRight(path, "/") + metricsPath
}

// basePath is the inverse of pagePath.
func basePath(page string) string {
	base, _ := strings.CutSuffix(strings.TrimRight(page, "/"), metricsPath)
	if base == strings.TrimRight(page, "/") {
		return ""
	}
	return base
}

// instancePath tells servers behind one proxy apart; it is empty for the ordinary /metrics.
func instancePath(page string) string {
	page = strings.TrimRight(page, "/")
	if base, found := strings.CutSuffix(page, metricsPath); found {
		return base
	}
	return page
}

// shownURL returns u without user and with its query covered: tokens are put there.
func shownURL(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if u.RawQuery != "" {
		shown.RawQuery = "xxxxx"
	}
	return printable(shown.String(), maxText)
}

// shownInput returns what somebody typed, without what may be a secret in it.
func shownInput(raw string) string {
	scheme, rest, found := strings.Cut(raw, "://")
	if !found {
		scheme, rest = "", raw
	} else {
		scheme += "://"
	}
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		rest = "…" + rest[at:]
	}
	if query := strings.Index(rest, "?"); query >= 0 {
		rest = rest[:query] + "?…"
	}
	return printable(scheme+rest, 2*maxQuote)
}
