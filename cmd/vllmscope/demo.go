package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// demoOptions are the flags of demo.
type demoOptions struct {
	*options
	list  bool
	seed  uint64
	onset duration
}

func newDemo(o *options) *cobra.Command {
	d := demoOptions{options: o}
	cmd := &cobra.Command{
		Use:   "demo [SCENARIO]",
		Short: "The dashboard over a simulated fleet with a fault; no server needed",
		Args:  takes(0, 1, "a scenario"),
		RunE:  func(cmd *cobra.Command, args []string) error { return d.run(cmd.Context(), args) },
	}
	cmd.Flags().BoolVar(&d.list, "list", false, "list the scenarios")
	cmd.Flags().Uint64Var(&d.seed, "seed", 1, "another seed gives other traffic")
	cmd.Flags().Var(&d.onset, "onset", "let the fault begin so long after the start (default: it began three minutes before)")
	o.registerScreen(cmd.Flags())
	return cmd
}

// before is how long the fault has lasted when the demo begins, where --onset does not say otherwise.
const before = 3 * time.Minute

func (d demoOptions) run(ctx context.Context, args []string) error {
	if d.list {
		for _, s := range simulate.Scenarios() {
			if _, err := fmt.Fprintf(d.streams.out, "%-22s %s\n", s.Name, s.Description); err != nil {
				return err
			}
		}
		return nil
	}
	name := "seed-case"
	if len(args) == 1 {
		name = args[0]
	}
	scenario, err := simulate.Find(name)
	if err != nil {
		if near := nearest(name, scenarioNames()); near != "" {
			return usage("%w; did you mean %s?", err, near)
		}
		return usage("%w", err)
	}
	if err := d.needsTerminal(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p, err := d.serve(ctx, scenario)
	if err != nil {
		return err
	}
	return newLive(d.options, p).show(ctx)
}

func scenarioNames() []string {
	var names []string
	for _, s := range simulate.Scenarios() {
		names = append(names, s.Name)
	}
	return names
}

// serve starts the simulated servers and their GPU exporters on this host, and plans to watch them under the names they have in
// their fleet.
func (d demoOptions) serve(ctx context.Context, scenario simulate.Scenario) (*plan, error) {
	start, now := time.Now().Add(-before), time.Now()
	scenario.Onset = 0
	if d.onset > 0 {
		start, scenario.Onset = now, time.Duration(d.onset)
	}
	fleet, err := simulate.New(scenario, d.seed, start)
	if err != nil {
		return nil, err
	}
	fleet.AdvanceTo(now)
	simulated := fleet.Targets()
	server, err := simulate.Listen(ctx, fleet, 0, 1)
	if err != nil {
		return nil, err
	}
	p := &plan{}
	for i, s := range simulated {
		t, err := d.target(server.URLs[i])
		if err != nil {
			return nil, err
		}
		t.Instance = s.Name
		p.targets = append(p.targets, t)
		if s.Kind == "dcgm" {
			p.gpus = append(p.gpus, t)
		}
	}
	return p, nil
}
