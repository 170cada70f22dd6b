package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/storage"

	"github.com/vllmscope/vllmscope/diagnose/prom"
	"github.com/vllmscope/vllmscope/scrape"
)

// unreadable is a store that no query can read.
type unreadable struct{ prom.Store }

func (unreadable) Querier(int64, int64) (storage.Querier, error) {
	return nil, errors.New("cannot be read")
}

// The store is closed after scrapeFor, so that no loop may be left that writes into it.
func TestScrapingEndsWithItsError(t *testing.T) {
	slow := filepath.Join(t.TempDir(), "nvidia-smi") // its child keeps the scrape for 50 ms after it was given up
	if err := os.WriteFile(slow, []byte("#!/bin/sh\nsleep 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		source *prom.Engine
		want   string
	}{
		{"a query that fails", prom.NewEngine(unreadable{}, time.Second), "cannot be read"},
		{"a panic", nil, "nil pointer"},
	} {
		store, err := scrape.OpenRing(t.TempDir(), 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &session{store: store, source: tt.source}
		for _, address := range []string{slow, "127.0.0.1:1"} {
			target, err := scrape.NewTarget(address)
			if err != nil {
				t.Fatal(err)
			}
			s.targets = append(s.targets, target)
		}
		if s.pool, err = scrape.NewPool(store, scrape.PoolOptions{NoSideRequests: true}); err != nil {
			t.Fatal(err)
		}
		err = scrape.Caught(func() error {
			_, err := s.scrapeFor(t.Context(), time.Minute)
			return err
		})
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		if strings.Contains(string(stacks), "scrape.(*Pool).Run(") {
			t.Errorf("%s: the pool still runs", tt.name)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", tt.name, err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFewTargetsHaveMoreMemory(t *testing.T) {
	for _, tt := range []struct {
		targets int
		said    time.Duration
		keep    time.Duration
		percent int
	}{
		{1, 0, 6 * time.Hour, 200},
		{8, 0, 6 * time.Hour, 200},
		{9, 0, time.Hour, 50},
		{64, 0, time.Hour, 50},
		{64, 3 * time.Hour, 3 * time.Hour, 50},
	} {
		o := &options{keep: duration(tt.said)}
		if keep, percent := o.keepSpan(tt.targets), garbagePercent(tt.targets); keep != tt.keep || percent != tt.percent {
			t.Errorf("%d targets: %s kept, GOGC %d", tt.targets, keep, percent)
		}
	}
}

func TestAssumedTimesAreSaid(t *testing.T) {
	const page = "vllm:num_requests_running{engine=\"0\"} 1\n"
	several, one, dated := pages(t, page, page), pages(t, page), t.TempDir()
	for _, name := range []string{"1800000000.prom", "1800000005.prom"} {
		if err := os.WriteFile(filepath.Join(dated, name), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{"check " + several, "vllmscope: the pages' names are no times: taken to be 5s apart, to end when the last was written; --interval says otherwise\n"},
		{"check " + several + " --interval 2s", "vllmscope: the pages' names are no times: taken to end when the last was written\n"},
		{"check " + several + " " + dated, "vllmscope: the pages' names are no times: taken to be 5s apart, to end with those that are; --interval says otherwise\n"},
		{"query up --from " + several + " --from " + one, "vllmscope: the pages' names are no times: taken to be 5s apart, to end when the last was written; --interval says otherwise\n"},
		{"check " + one, ""},
		{"check " + dated, ""},
	} {
		if got := program(t, strings.Fields(tt.args)...); got.err != tt.want || got.code != exitFine {
			t.Errorf("%s: exit %d, %s", tt.args, got.code, got.err)
		}
	}
}

// Of pages whose times were assumed nobody knows how long the process had been running.
func TestNoUptimeAtAssumedTimes(t *testing.T) {
	page := func(start string) string {
		return "process_start_time_seconds " + start + "\nvllm:num_requests_running{engine=\"0\"} 1\n"
	}
	first, second := page("1799990000"), page("1799999990")
	dated := t.TempDir()
	for name, text := range map[string]string{"1800000000.prom": first, "1800000005.prom": second} {
		if err := os.WriteFile(filepath.Join(dated, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]bool{pages(t, first, second): false, dated: true} {
		got := program(t, "check", dir)
		if !strings.Contains(got.out, "B1 restarted") || strings.Contains(got.out, "\n    uptime ") != want {
			t.Errorf("the uptime should be told: %v\n%s", want, got.out)
		}
	}
}
