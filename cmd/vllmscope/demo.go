package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape/simulate"
)

// demoOptions are the flags of demo.
type demoOptions struct {
	*options
	list     bool
	seed     uint64
	onset    duration
	replicas int
	speed    float64
	serves   bool
	port     int
	sloGiven bool
}

// defaultPort is vLLM's.
const defaultPort = 8000

func newDemo(o *options) *cobra.Command {
	d := &demoOptions{options: o}
	cmd := &cobra.Command{
		Use:   "demo [SCENARIO|tour]",
		Short: "The dashboard over a simulated fleet with a fault; no server needed",
		Long: `demo shows a simulated fleet whose fault began some minutes ago. No server and no GPU is needed, and nothing listens.

demo --list names the faults; demo tour leads through ten of them: n goes on, p goes back. The dashboard runs on the fleet's clock, so
that --speed 10 shows an hour in six minutes with true rates. With --serve there is no dashboard: the metrics pages of the fleet are
answered on this host, for any tool to read, until it is interrupted.`,
		Example: `  vllmscope demo
  vllmscope demo tour
  vllmscope demo kv-thrash --replicas 4 --speed 10
  vllmscope demo sequence-cap --serve --port 8000`,
		Args: takes(0, 1, "a scenario"),
		RunE: func(cmd *cobra.Command, args []string) error {
			d.sloGiven = cmd.Flags().Changed("slo")
			return d.run(cmd.Context(), cmd.Flags(), args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&d.list, "list", false, "list the scenarios: a name and a description a line")
	f.Uint64Var(&d.seed, "seed", 1, "another seed gives other traffic")
	f.Var(&d.onset, "onset", "let the fault begin so long after the start (default: it began "+diagnose.Duration(before)+" before)")
	f.Lookup("onset").DefValue = "0" // which the help leaves out
	f.IntVar(&d.replicas, "replicas", 0, "so many servers in all: copies share what clients do, not what happens to a server (0: as many as it has)")
	f.Float64Var(&d.speed, "speed", 1, "how many of the fleet's seconds pass in a real one")
	f.BoolVar(&d.serves, "serve", false, "answer the fleet's metrics pages on this host instead of showing them")
	f.IntVar(&d.port, "port", defaultPort, "first port of --serve, one for each target (0: any that is free)")
	o.registerScreen(f)
	return cmd
}

func (d *demoOptions) run(ctx context.Context, flags *pflag.FlagSet, args []string) error {
	if d.list {
		return d.listScenarios()
	}
	name := "seed-case"
	if len(args) == 1 {
		name = args[0]
	}
	stops, err := d.stops(name)
	if err != nil {
		return err
	}
	switch err := d.check(flags, name); {
	case err != nil:
		return err
	case d.serves:
		return d.serve(ctx, stops[0].scenario)
	}
	if err := d.needsTerminal(); err != nil {
		return err
	}
	return newTour(d, stops).show(ctx)
}

// stops are where a demo leads: the places of the tour, or one scenario.
func (d *demoOptions) stops(name string) ([]stop, error) {
	if name == tourName {
		return tourStops()
	}
	s, err := find(name)
	if err != nil {
		return nil, err
	}
	if d.replicas != 0 {
		if s, err = s.WithReplicas(d.replicas); err != nil {
			return nil, usage("--replicas %d: %w", d.replicas, err)
		}
	}
	return []stop{{scenario: s, title: "simulated fleet: " + s.Name, text: s.Description}}, nil
}

// Ranges of the flags, by judgement: a tick at the highest speed is one in 80 ms, which is what judging some servers takes.
const (
	mostSpeed     = 60
	mostOnset     = 12 * time.Hour
	leastInterval = time.Second
	mostInterval  = time.Minute
)

// check says which flag makes no sense beside another, or is out of its range.
func (d *demoOptions) check(flags *pflag.FlagSet, name string) error {
	if name == tourName {
		for _, flag := range []string{"onset", "replicas", "serve"} {
			if flags.Changed(flag) {
				return usage("--%s goes with one scenario, not with the tour", flag)
			}
		}
	}
	if flags.Changed("gpu") {
		return usage("--gpu goes with servers; the fleet of a demo has GPUs of its own")
	}
	if flags.Changed("port") && !d.serves {
		return usage("--port %d: it goes with --serve; without it nothing listens", d.port)
	}
	return d.inRange()
}

func (d *demoOptions) inRange() error {
	interval := time.Duration(d.interval)
	switch {
	case !(d.speed >= 1 && d.speed <= mostSpeed): // which NaN is not either
		return usage("--speed %g: it must be 1 to %d", d.speed, mostSpeed)
	case time.Duration(d.onset) > mostOnset:
		return usage("--onset %v: it must be at most %s", &d.onset, diagnose.Duration(mostOnset))
	case !d.serves && (interval < leastInterval || interval > mostInterval):
		return usage("--interval %v: in a demo it must be %s to %s", &d.interval, diagnose.Duration(leastInterval), diagnose.Duration(mostInterval))
	}
	return nil
}

// How long the fault has lasted when the demo begins, where --onset does not say otherwise, and what was seen of the healthy fleet before:
// the charts show both, and the rules that compare with before have something to compare with.
const (
	before  = 4*time.Minute + 30*time.Second
	healthy = 10 * time.Minute
)

// span is from when on a fleet is seen and when its fault begins, where the demo begins now.
func (d *demoOptions) span(now time.Time) (begin, fault time.Time) {
	if d.onset > 0 {
		return now.Add(-healthy), now.Add(time.Duration(d.onset))
	}
	return now.Add(-before - healthy), now.Add(-before)
}

// build makes a fleet at the beginning of what is seen of it.
func (d *demoOptions) build(s simulate.Scenario, now time.Time) (*simulate.Fleet, time.Time, error) {
	begin, fault := d.span(now)
	s.Onset = fault.Sub(begin)
	fleet, err := simulate.New(s, d.seed, begin)
	if err != nil {
		return nil, begin, fmt.Errorf("demo: %w", err)
	}
	return fleet, begin, nil
}
