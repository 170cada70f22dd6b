package main

import (
	"context"
	"os"
	"strings"

	"github.com/vllmscope/vllmscope/scrape"
)

// plan is what a session is to look at.
type plan struct {
	targets []scrape.Target // to scrape
	gpus    []scrape.Target // those of them that were given as GPU exporters
	found   *scrape.Discovery
	// Or saved pages of servers and of GPU exporters.
	folders, gpuFolders []string
}

// planFor turns arguments into targets or folders: addresses, paths of saved pages, what the configuration lists, or, with none of
// these, what answers on this host.
func (o *options) planFor(ctx context.Context, args []string) (*plan, error) {
	p := &plan{}
	if err := o.planServers(p, args); err != nil {
		return nil, err
	}
	if err := o.planGPUs(p); err != nil {
		return nil, err
	}
	if len(p.folders) > 0 {
		if len(p.targets) > 0 {
			return nil, usage("saved pages and addresses cannot be judged together: %s, %s", p.folders[0], p.targets[0])
		}
		return p, nil
	}
	if len(p.gpuFolders) > 0 {
		return nil, usage("--gpu %s: saved pages of an exporter go with saved pages of servers: name their folder too, or give --gpu an address",
			p.gpuFolders[0])
	}
	listed, err := o.config.targets()
	if err != nil {
		return nil, usage("%w", err)
	}
	if len(args) == 0 {
		p.targets = append(o.inPace(listed), p.targets...)
	}
	if len(args) == 0 && len(listed) == 0 {
		found := scrape.Discover(ctx)
		p.found = &found
		p.targets = append(found.Found, p.targets...)
	}
	return p, nil
}

// planServers adds addresses and folders.
func (o *options) planServers(p *plan, args []string) error {
	for _, arg := range args {
		if _, err := os.Stat(arg); err == nil {
			p.folders = append(p.folders, arg)
			continue
		}
		if isPath := strings.HasSuffix(arg, "/") && !strings.ContainsAny(arg, ":."); isPath || strings.HasPrefix(arg, "/") || strings.HasPrefix(arg, ".") {
			return usage("no file or folder %s; an address looks like gpu-a:8000", arg)
		}
		t, err := o.target(arg)
		if err != nil {
			return err
		}
		p.targets = append(p.targets, t)
	}
	return nil
}

// planGPUs adds what --gpu names. Saved pages of an exporter go with saved pages of servers.
func (o *options) planGPUs(p *plan) error {
	for _, arg := range o.gpus {
		if _, err := os.Stat(arg); err == nil {
			p.gpuFolders = append(p.gpuFolders, arg)
			continue
		}
		t, err := o.target(arg)
		if err != nil {
			return err
		}
		p.targets, p.gpus = append(p.targets, t), append(p.gpus, t)
	}
	return nil
}

func (o *options) target(address string) (scrape.Target, error) {
	t, err := scrape.NewTarget(address)
	if err != nil {
		return scrape.Target{}, usage("%w", err)
	}
	t.NoSideRequests = o.noSideRequests
	if !strings.Contains(address, ":") {
		t.NoFile = address // whoever asks has looked
	}
	return t, nil
}
