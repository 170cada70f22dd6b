package scrape

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestAddressIn(t *testing.T) {
	for line, want := range map[string]string{
		"/usr/bin/python3 /usr/local/bin/vllm serve meta/llama --port 8123":        "localhost:8123",
		"python -m vllm.entrypoints.openai.api_server --port=8005 --host 10.0.0.7": "10.0.0.7:8005",
		"vllm serve x --host :: --port 8123":                                       "localhost:8123",
		"vllm serve x --host fd00::7 --port 8123":                                  "[fd00::7]:8123",
		"vllm serve x": "", "vllm serve x --port": "", "vllm serve x --port abc": "", "nginx --port 80": "",
		"/usr/bin/dcgm-exporter -a :9500":               "localhost:9500",
		"/usr/bin/dcgm-exporter --address=0.0.0.0:9501": "localhost:9501",
	} {
		if got, _ := addressIn([]byte(strings.ReplaceAll(line, " ", "\x00") + "\x00")); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func TestCandidates(t *testing.T) {
	proc := fstest.MapFS{
		"77/cmdline":   {Data: []byte("vllm\x00serve\x00--port\x008123\x00")},
		"8/cmdline":    {Data: []byte("vllm\x00serve\x00--port\x008000\x00")},
		"self/cmdline": {Data: []byte("vllm\x00--port\x009999\x00")},
	}
	var got []string
	for _, a := range candidates(proc) {
		got = append(got, a.Target.Instance+" "+a.Why)
	}
	want := []string{
		"localhost:8123 command line of process 77", "localhost:8000 command line of process 8", "localhost:8001 well-known port",
		"localhost:8002 well-known port", "localhost:8080 well-known port", "localhost:8081 well-known port",
		"localhost:9400 well-known port", "localhost:9401 well-known port",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDiscoveryAsks(t *testing.T) {
	pages := []string{"vllm:x 1\n", "DCGM_FI_DEV_GPU_UTIL 1\n", "go_threads 1\n", "<html>", ""}
	d := Discovery{}
	for _, page := range pages {
		server := httptest.NewServer(answer(200, "text/plain", page))
		defer server.Close()
		d.Tried = append(d.Tried, Attempt{Target: mustTarget(t, server.URL)})
	}
	d.Tried = append(d.Tried, Attempt{Target: serve(t, hang)})
	d.Tried[4].Target.Kind = KindDCGM // the command line said so
	d.ask(t.Context())
	var kinds []Kind
	for _, target := range d.Found {
		kinds = append(kinds, target.Kind)
	}
	if diff := cmp.Diff([]Kind{KindVLLM, KindDCGM, KindDCGM}, kinds); diff != "" {
		t.Error(diff)
	}
	for i, want := range []string{"", "", "", "not a metrics page", "", "gave no answer within 1s"} {
		err := d.Tried[i].Err
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: got %v, want %q", i, err, want)
		}
	}
}

func TestDiscoverEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := Discover(ctx)
	if len(d.Tried) < len(wellKnown) {
		t.Errorf("only %d addresses", len(d.Tried))
	}
}
