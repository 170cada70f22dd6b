package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/common/model"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

var withPrometheus = flag.Bool("prometheus", false, "TestRealPrometheus: watch faults with a session and a Prometheus server side by side, for some five minutes")

// How both watch: each fault begins when they have looked for so long that their windows are full. They scrape and evaluate at moments of
// their own, so that what one of them sees of a server may be a scrape older: one evaluation apart is two intervals apart at most.
const (
	realStep  = 5 * time.Second // of scrapes and of evaluations
	realLead  = 2 * time.Minute
	realLimit = 14 * time.Minute
	realApart = 2 * realStep
)

// realFaults are the scenarios, and the rule that tells what is wrong in each.
var realFaults = map[string]string{"kv-thrash": "D1", "sequence-cap": "D3", "stuck-engine": "B4", "overheating": "C1"}

// A Prometheus server with the exported rules and a session of vllmscope scrape the same simulated fleets over HTTP, each in its own
// pace. Whatever fires in one fires in the other within one evaluation. Asked for by its flag: go test -run RealPrometheus -v
// ./cmd/vllmscope -args -prometheus.
func TestRealPrometheus(t *testing.T) {
	if !*withPrometheus {
		t.Skip("takes minutes: ask for it with -args -prometheus")
	}
	binary, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("no prometheus; Debian has it: apt-get install prometheus")
	}
	dir := t.TempDir()
	jobs, onset := serveFaults(t)
	writeFile(t, filepath.Join(dir, "vllmscope.yaml"), jobs)
	writeFile(t, filepath.Join(dir, "prometheus.yaml"), "rule_files: [rules.yaml]\n"+jobs)
	export := program(t, "rules", "export", "--format", "prometheus", "--interval", realStep.String())
	if export.code != exitFine {
		t.Fatal(export.err)
	}
	writeFile(t, filepath.Join(dir, "rules.yaml"), export.out)
	server := startPrometheus(t, binary, dir)
	ours, ended := watchFaults(t, filepath.Join(dir, "vllmscope.yaml"), onset)
	theirs := server.firings(t)
	compareFirings(t, ours, theirs, onset, ended)
}

// serveFaults answers the pages of the fleets and returns where they are, as scrape_configs, each target under the name of its fleet.
func serveFaults(t *testing.T) (jobs string, onset time.Time) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "global: {scrape_interval: %s, scrape_timeout: 4s}\nscrape_configs:\n- job_name: vllm\n  static_configs:\n", realStep)
	now := time.Now()
	onset = now.Add(realLead)
	for i, name := range slices.Sorted(maps.Keys(realFaults)) {
		scenario := named(t, name)
		begin := now.Add(-healthy)
		scenario.Onset = onset.Sub(begin)
		fleet, err := simulate.New(scenario, uint64(i+1), begin)
		if err != nil {
			t.Fatal(err)
		}
		fleet.AdvanceTo(now)
		targets := fleet.Targets()
		served, err := simulate.Listen(t.Context(), fleet, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = served.Close() })
		for k, target := range targets {
			_, port, _ := strings.Cut(target.Name, ":")
			address := strings.TrimSuffix(strings.TrimPrefix(served.URLs[k], "http://"), "/metrics")
			fmt.Fprintf(&b, "  - {targets: [%q], labels: {instance: \"%s:%s\"}}\n", address, name, port)
		}
	}
	return b.String(), onset
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// prometheus is a server on loopback.
type prometheus struct{ base string }

// startPrometheus runs a server with the configuration in a directory until the test ends, and waits until it is ready.
func startPrometheus(t *testing.T, binary, dir string) prometheus {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "prometheus.log"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, "--config.file="+filepath.Join(dir, "prometheus.yaml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_ = command.Wait() // it says how it was ended
		_ = log.Close()
		text, err := os.ReadFile(log.Name())
		if err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, `component="rule manager"`) && !strings.Contains(line, "level=info") {
				t.Error(line)
			}
		}
	})
	server := prometheus{"http://" + address}
	for until := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		ready, failed := server.get(t.Context(), "/-/ready")
		if failed == nil {
			_ = ready.Body.Close()
			return server
		}
		if time.Now().After(until) {
			t.Fatalf("prometheus is not ready: %v", failed)
		}
	}
}

func (p prometheus) get(ctx context.Context, path string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.Join(errors.New(response.Status), response.Body.Close())
	}
	return response, err
}

// firings are when each alert fired first, by the server's own record.
func (p prometheus) firings(t *testing.T) map[string]time.Time {
	t.Helper()
	response, err := p.get(t.Context(), "/api/v1/query?query="+url.QueryEscape(`ALERTS{alertstate="firing"}[1h]`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	var answer struct {
		Data struct {
			Result model.Matrix `json:"result"`
		} `json:"data"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	first := map[string]time.Time{}
	for _, s := range answer.Data.Result {
		who, at := firing(string(s.Metric["code"]), s.Metric["instance"], s.Metric["model_name"], s.Metric["gpu"]), s.Values[0].Timestamp.Time()
		if before, ok := first[who]; !ok || at.Before(before) {
			first[who] = at
		}
	}
	return first
}

// firing names a finding alike for both.
func firing[T ~string](code string, instance, served, gpu T) string {
	return strings.TrimSpace(fmt.Sprint(code, " ", cmp.Or(instance, served), " ", gpu))
}

// watchFaults runs a session until each fault has been told and for some evaluations more, so that the server can tell it too. It returns
// when each finding fired first, and when it was last waited for.
func watchFaults(t *testing.T, file string, onset time.Time) (first map[string]time.Time, ended time.Time) {
	t.Helper()
	o := &options{env: environment{}, configFile: file, interval: duration(realStep), timeout: duration(4 * time.Second), window: duration(time.Minute), slo: "chat"}
	var err error
	if o.config, err = loadConfiguration(file, o.env); err != nil {
		t.Fatal(err)
	}
	p, err := o.planFor(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), onset.Add(realLimit))
	l, done := newLive(o, p), make(chan error, 1)
	go func() { done <- l.run(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	first, wanted := map[string]time.Time{}, slices.Sorted(maps.Values(realFaults))
	for {
		select {
		case <-ctx.Done():
			return first, ended
		case r := <-l.reports:
			for _, f := range r.Findings {
				who := firing(f.Rule.Code, f.Subject.Instance, f.Subject.Model, f.Subject.Index)
				if _, known := first[who]; f.State != diagnose.Firing || known {
					continue
				}
				first[who] = r.Time
				wanted = slices.DeleteFunc(wanted, func(code string) bool { return code == f.Rule.Code })
				t.Logf("%4.0f s after the onset: %s", r.Time.Sub(onset).Seconds(), who)
			}
			switch {
			case len(wanted) > 0:
			case ended.IsZero():
				ended = r.Time
			case r.Time.After(ended.Add(4 * realStep)):
				return first, ended
			}
		}
	}
}

// compareFirings wants whatever one of them tells in time of the other, and prints both.
func compareFirings(t *testing.T, ours, theirs map[string]time.Time, onset, ended time.Time) {
	t.Helper()
	all := maps.Clone(ours)
	maps.Copy(all, theirs)
	var rows strings.Builder
	for _, who := range slices.SortedFunc(maps.Keys(all), func(a, b string) int { return all[a].Compare(all[b]) }) {
		our, we := ours[who]
		their, they := theirs[who]
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", who, after(our, onset), after(their, onset))
		switch {
		case we && they && their.Sub(our).Abs() <= realApart:
		case !they && our.After(ended.Add(realApart)), !we && their.After(ended.Add(realApart)): // nobody waited for the other
		default:
			t.Errorf("%s fires at %s here and at %s in Prometheus", who, after(our, onset), after(their, onset))
		}
	}
	for name, code := range realFaults {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(ours)), func(who string) bool { return strings.HasPrefix(who, code+" "+name+":") }) {
			t.Errorf("%s does not fire on %s", code, name)
		}
	}
	t.Logf("seconds after the onset\n| Rule and subject | Session | Prometheus |\n|---|---|---|\n%s", rows.String())
}

func after(at, onset time.Time) string {
	if at.IsZero() {
		return "–"
	}
	return fmt.Sprintf("%.1f", at.Sub(onset).Seconds())
}
