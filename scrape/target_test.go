package scrape

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestNewTarget(t *testing.T) {
	for _, row := range []struct{ raw, url, instance, base string }{
		{"gpu-a:8000", "http://gpu-a:8000/metrics", "gpu-a:8000", "http://gpu-a:8000"},
		{"  GPU-A:8000/ ", "http://gpu-a:8000/metrics", "gpu-a:8000", "http://gpu-a:8000"},
		{":8000", "http://localhost:8000/metrics", "localhost:8000", "http://localhost:8000"},
		{"8000", "http://localhost:8000/metrics", "localhost:8000", "http://localhost:8000"},
		{"8000/team-a", "http://localhost:8000/team-a/metrics", "localhost:8000/team-a", "http://localhost:8000/team-a"},
		{"gpu-a", "http://gpu-a/metrics", "gpu-a:80", "http://gpu-a"},
		{"https://gpu-a", "https://gpu-a/metrics", "gpu-a:443", "https://gpu-a"},
		{"[::1]:8000", "http://[::1]:8000/metrics", "[::1]:8000", "http://[::1]:8000"},
		{"http://[::1]", "http://[::1]/metrics", "[::1]:80", "http://[::1]"},
		{"10.0.0.7:8000/metrics/", "http://10.0.0.7:8000/metrics/", "10.0.0.7:8000", "http://10.0.0.7:8000"},
		{"https://gw/team-a", "https://gw/team-a/metrics", "gw:443/team-a", "https://gw/team-a"},
		{"https://gw/team-a/metrics", "https://gw/team-a/metrics", "gw:443/team-a", "https://gw/team-a"},
		{"https://gw/team-b/", "https://gw/team-b/metrics", "gw:443/team-b", "https://gw/team-b"},
		{"http://gw:9/dcgm-metrics", "http://gw:9/dcgm-metrics", "gw:9/dcgm-metrics", "http://gw:9"},
		{"http://gw:9/metrics?token=s3cret&b=1#top", "http://gw:9/metrics?xxxxx", "gw:9", "http://gw:9"},
		{"http://ann:pass@gw:9/m", "http://gw:9/m/metrics", "gw:9/m", "http://gw:9/m"},
		{"nvidia-smi", "nvidia-smi", "nvidia-smi", ""},
		{"/usr/bin/nvidia-smi", "/usr/bin/nvidia-smi", "nvidia-smi", ""},
	} {
		target, err := NewTarget(row.raw)
		if err != nil {
			t.Errorf("%q: %v", row.raw, err)
			continue
		}
		base := ""
		if b := target.Base(); b != nil {
			base = b.String()
		}
		if target.URL != row.url || target.Instance != row.instance || base != row.base || target.Job != "vllmscope" {
			t.Errorf("%q: got %q %q %q, want %q %q %q", row.raw, target.URL, target.Instance, base, row.url, row.instance, row.base)
		}
	}
}

func TestNewTargetKeepsQueryAndUser(t *testing.T) {
	target, err := NewTarget("http://ann:p%40ss@gw:9/metrics?token=s3cret")
	if err != nil {
		t.Fatal(err)
	}
	auth := target.Client.BasicAuth
	if auth == nil || auth.Username != "ann" || string(auth.Password) != "p@ss" {
		t.Errorf("basic auth is %v", auth)
	}
	if got := target.page.String(); got != "http://gw:9/metrics?token=s3cret" {
		t.Errorf("asks for %q", got)
	}
}

func TestNewTargetErrors(t *testing.T) {
	for raw, want := range map[string]string{
		"":                           `target "": the address is empty; write it like http://gpu-a:8000/metrics`,
		"ftp://gpu-a":                `target "ftp://gpu-a": only http and https can be scraped, not "ftp"; write it like http://gpu-a:8000/metrics`,
		"gpu-a:99999":                `target "gpu-a:99999": a port is a number from 1 to 65535; write it like http://gpu-a:8000/metrics`,
		"http://":                    `target "http://": the host is missing; write it like http://gpu-a:8000/metrics`,
		"::1":                        `target "::1": invalid port; write it like http://gpu-a:8000/metrics`,
		"gpu a:8000":                 `target "gpu a:8000": invalid character; write it like http://gpu-a:8000/metrics`,
		"http://ann:s3cr#t@gw:9":     `target "http://…@gw:9": invalid port; write it like http://gpu-a:8000/metrics`,
		"http://ann:1/s3cret@gw:9":   `target "http://…@gw:9": there is an @ after the host; write / ? # and @ in a password as %2F %3F %23 %40; write it like http://gpu-a:8000/metrics`,
		"http://ann:?s3cret@gw:9":    `target "http://…@gw:9": there is an @ after the host; write / ? # and @ in a password as %2F %3F %23 %40; write it like http://gpu-a:8000/metrics`,
		"gw:x/metrics?token=s3cret":  `target "gw:x/metrics?…": invalid port; write it like http://gpu-a:8000/metrics`,
		"http://gpu-a:8000/\x1b[31m": `target "http://gpu-a:8000/\\x1b[31m": net/url: invalid control character in URL; write it like http://gpu-a:8000/metrics`,
	} {
		_, err := NewTarget(raw)
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", raw, err, want)
		}
	}
}

func FuzzTargetShowsNoPassword(f *testing.F) {
	for _, password := range []string{"hunter22", "p@ss:w/rd?", "%41%zz##", "\x1b]0;title\a", "[::1]:80abc", "пароль-длинный"} {
		f.Add("user", password)
	}
	f.Fuzz(func(t *testing.T, user, password string) {
		if len(password) < 6 || strings.Contains("user:@http://gw:8000/metricstargeteitlikexxxxx", password) {
			t.Skip()
		}
		for _, raw := range []string{
			"http://" + url.UserPassword(user, password).String() + "@gw:8000/metrics",
			"http://user:" + password + "@gw:8000/metrics",
			"http://gw:8000/metrics?token=" + url.QueryEscape(password),
		} {
			target, err := NewTarget(raw)
			shown := fmt.Sprint(err)
			if err == nil {
				shown = fmt.Sprintf("%v %+v %#v %s %s", target, target, target, target.URL, target.Instance)
			}
			if strings.Contains(shown, password) || strings.Contains(shown, url.QueryEscape(password)) {
				t.Errorf("%q shows in %q", password, shown)
			}
		}
	})
}
