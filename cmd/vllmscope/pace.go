package main

import (
	"slices"
	"time"

	"github.com/vllmscope/vllmscope/scrape"
)

// pace is how often a plan's targets are scraped.
type pace struct {
	step    time.Duration // of the judgement: the interval of the slowest server, since a rule looks at all of them
	slowest time.Duration // of all targets: so long a sample has to stand for the present
}

// pace tells it for an interval of the targets that have none of their own. Exporters of GPUs may be slower than the servers.
func (p *plan) pace(interval time.Duration, exporters []string) pace {
	all := pace{}
	for _, t := range p.targets {
		own := t.Interval
		if own == 0 {
			own = interval
		}
		all.slowest = max(all.slowest, own)
		if !slices.Contains(exporters, t.Instance) {
			all.step = max(all.step, own)
		}
	}
	if all.step == 0 { // saved pages, or exporters alone
		all.step = max(interval, all.slowest)
	}
	all.slowest = max(all.slowest, all.step)
	return all
}

// inPace lets --interval beat the intervals of the configuration.
func (o *options) inPace(listed []scrape.Target) []scrape.Target {
	for i := range listed {
		if o.intervalGiven {
			listed[i].Interval = 0
		}
	}
	return listed
}

// exporters are the instances that are known to export GPU metrics.
func (o *options) exporters(p *plan) []string {
	var instances []string
	for _, t := range p.gpus {
		instances = append(instances, t.Instance)
	}
	for _, s := range o.config.Servers {
		instances = append(instances, s.Exporters...)
	}
	return instances
}
