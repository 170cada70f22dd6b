package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// serve answers the pages of a fleet on this host, prints where, and goes on until ctx ends, which is how it is meant to end.
func (d *demoOptions) serve(ctx context.Context, s simulate.Scenario) error {
	now := time.Now()
	fleet, _, err := d.build(s, now)
	if err != nil {
		return err
	}
	fleet.AdvanceTo(now)
	targets := fleet.Targets()
	server, err := simulate.Listen(ctx, fleet, d.port, d.speed)
	if err != nil {
		return usage("--port %d: %w", d.port, err)
	}
	_, fault := d.span(now)
	command := []string{"vllmscope"}
	for i, t := range targets {
		if _, err := fmt.Fprintf(d.streams.out, "%-12s  %-4s  %s\n", t.Name, t.Kind, server.URLs[i]); err != nil {
			return errors.Join(err, server.Close())
		}
		if t.Kind == "dcgm" {
			command = append(command, "--gpu")
		}
		command = append(command, addressOf(server.URLs[i]))
	}
	fmt.Fprintf(d.streams.err, "%s\nfault at %s; ctrl+c ends it; to watch it: %s\n", //nolint:errcheck // there is nowhere else to say it
		s.Description, fault.Format(time.TimeOnly), strings.Join(command, " "))
	d.tellHosts(targets, server.URLs)
	if d.speed != 1 {
		fmt.Fprintf(d.streams.err, //nolint:errcheck // as above
			"its clock runs %g times as fast as yours: divide rates by %g, or scrape that much more often and count in its seconds\n", d.speed, d.speed)
	}
	<-ctx.Done()
	return server.Close()
}

// tellHosts prints what a configuration has to say where several hosts of a fleet share this one's address: whose GPUs are whose.
func (d *demoOptions) tellHosts(targets []simulate.Target, urls []string) {
	exporters := map[string]string{}
	for i, t := range targets {
		if t.Kind == "dcgm" {
			exporters[hostOf(t.Name)] = addressOf(urls[i])
		}
	}
	if len(exporters) < 2 {
		return
	}
	fmt.Fprintln(d.streams.err, "its hosts share one address; a file for --config that says whose GPUs are whose:\nservers:") //nolint:errcheck // as above
	for i, t := range targets {
		if t.Kind != "dcgm" {
			fmt.Fprintf(d.streams.err, "  - {instance: %q, exporters: [%q]}\n", addressOf(urls[i]), exporters[hostOf(t.Name)]) //nolint:errcheck // as above
		}
	}
}

// addressOf is the host and port of a page.
func addressOf(url string) string {
	return strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/metrics")
}

// hostOf is the name of a target without its port.
func hostOf(target string) string {
	host, _, _ := strings.Cut(target, ":")
	return host
}
