package scrape

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// targetsOf reads a configuration whose relative files are in dir.
func targetsOf(text, dir string) ([]Target, error) {
	var c Config
	if err := ReadConfig([]byte(text), &c); err != nil {
		return nil, err
	}
	return c.Targets(dir)
}

func TestConfigListsTargets(t *testing.T) {
	t.Setenv("GATEWAY_TOKEN", "s3cret")
	targets, err := targetsOf(`
global: {scrape_interval: 10s}
scrape_configs:
- job_name: vllm
  scheme: https
  metrics_path: /prometheus
  params: {format: [text]}
  scrape_interval: 5s
  scrape_timeout: 3s
  authorization: {credentials: "${GATEWAY_TOKEN}"}
  tls_config: {ca_file: ca.pem}
  static_configs:
  - targets: [gpu-a, "http://gpu-b:8000"]
    labels: {cluster: east}
  - targets: [gpu-c:8000]
    labels: {instance: three, job: chat}
- job_name: gpu
  follow_redirects: false
  static_configs: [{targets: [gpu-a:9400, nvidia-smi]}]
`, "/etc/scope")
	if err != nil {
		t.Fatal(err)
	}
	type brief struct {
		URL, Job, Instance, Asks string
		Interval, Timeout        time.Duration
		Labels                   map[string]string
	}
	var got []brief
	for _, target := range targets {
		asks := ""
		if target.page != nil {
			asks = target.page.String()
		}
		got = append(got, brief{target.URL, target.Job, target.Instance, asks, target.Interval, target.Timeout, target.Labels})
	}
	east := map[string]string{"cluster": "east"}
	want := []brief{
		{"https://gpu-a/prometheus?xxxxx", "vllm", "gpu-a:443/prometheus", "https://gpu-a/prometheus?format=text", 5 * time.Second, 3 * time.Second, east},
		{"http://gpu-b:8000/metrics?xxxxx", "vllm", "gpu-b:8000", "http://gpu-b:8000/metrics?format=text", 5 * time.Second, 3 * time.Second, east},
		{"https://gpu-c:8000/prometheus?xxxxx", "chat", "three", "https://gpu-c:8000/prometheus?format=text", 5 * time.Second, 3 * time.Second, map[string]string{}},
		{"http://gpu-a:9400/metrics", "gpu", "gpu-a:9400", "http://gpu-a:9400/metrics", 10 * time.Second, 0, map[string]string{}},
		{"nvidia-smi", "gpu", "nvidia-smi", "", 10 * time.Second, 0, map[string]string{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	client := targets[0].Client
	if string(client.Authorization.Credentials) != "s3cret" || client.TLSConfig.CAFile != filepath.Join("/etc/scope", "ca.pem") || !client.FollowRedirects {
		t.Errorf("client of the first: credentials %d bytes, CA %s", len(client.Authorization.Credentials), client.TLSConfig.CAFile)
	}
	if targets[3].Client.FollowRedirects {
		t.Error("follow_redirects is not read")
	}
}

func TestConfigErrors(t *testing.T) {
	const job = "scrape_configs:\n- job_name: a\n"
	for text, want := range map[string]string{
		job + "  static_config: [{targets: [a:1]}]\n":             `line 3: unknown key "static_config"`,
		"global: {evaluation_interval: 5s}\n":                     `line 1: unknown key "evaluation_interval"` + "\n",
		"scrapeconfigs: []\n":                                     `line 1: unknown key "scrapeconfigs"`,
		"scrape_configs:\n- static_configs: [{targets: [a:1]}]\n": "a scrape config lacks job_name",
		job + "  static_configs: [{targets: ['a:x']}]\n":          `job "a": target "a:x": invalid port`,
		job + "  scrape_interval: soon\n":                         `not a valid duration string`,
		job + "  basic_auth: s3cret\n":                            "line 3: text stands where a mapping belongs",
		job + "  authorization: {type: Basic}\n":                  `job "a": authorization type cannot be set to "basic"`,
		job + "  authorization: {credentials: '${NO_SUCH_VARIABLE}'}\n  static_configs: [{targets: [a]}]\n": "environment variable NO_SUCH_VARIABLE, which holds a secret, is not set",
		job + "  static_configs: [{targets: [a], labels: {a-b: c}}]\n":                                      `"a-b" cannot be a label`,
		job + "  authorization: {credentials: x}\n  static_configs: [{targets: ['http://u:p@a']}]\n":        "at most one of basic_auth, oauth2 & authorization must be configured",
	} {
		_, err := targetsOf(text, "")
		if err == nil || !strings.Contains(err.Error()+"\n", want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}
