package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/vllmscope/vllmscope/scrape"
)

// explainPlan tells on the error stream what was looked for when no address was given. With nothing found it is an error that
// names the ways on.
func (o *options) explainPlan(p *plan) error {
	if p.found == nil {
		return nil
	}
	if len(p.targets) == 0 {
		return &exitError{exitCouldNotRun, fmt.Errorf("%s", nothingFound(p.found))}
	}
	var names []string
	for _, t := range p.found.Found {
		names = append(names, fmt.Sprintf("%s (%s)", t, t.Kind))
	}
	_, err := fmt.Fprintf(o.streams.err, "vllmscope: found on this host: %s\n", cmp.Or(strings.Join(names, ", "), "no vLLM server beside --gpu; name its address"))
	return err
}

// nothingFound says what was tried and the ways on.
func nothingFound(d *scrape.Discovery) string {
	var silent, others []string
	for _, a := range d.Tried {
		failure, failed := errors.AsType[*scrape.Failure](a.Err)
		switch {
		case failed && failure.Class == scrape.ClassRefused:
			silent = append(silent, fmt.Sprintf("%s (%s)", a.Target.Instance, a.Why))
		case failed:
			others = append(others, fmt.Sprintf("  %s (%s): %s", a.Target, a.Why, failure.Sentence))
		case a.Err != nil:
			others = append(others, fmt.Sprintf("  %s (%s): %v", a.Target, a.Why, a.Err))
		default:
			others = append(others, fmt.Sprintf("  %s (%s): answers, and is neither vLLM nor a GPU exporter", a.Target, a.Why))
		}
	}
	if len(silent) > 0 {
		others = append(others, "  nothing listens on "+strings.Join(silent, ", "))
	}
	return "no vLLM server found on this host; tried\n" + strings.Join(others, "\n") + `
ways on:
  vllmscope gpu-a:8000 --gpu gpu-a:9400     name the addresses
  vllmscope --config FILE                   list them in a file, in the shape of Prometheus's scrape_configs
  vllmscope demo                            look at a simulated server with a fault`
}
