package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/spf13/pflag"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape"
)

// options are the flags that all commands share, completed from the environment and the configuration file.
type options struct {
	env     environment
	streams streams
	config  *configuration
	changed *diagnose.Book // the rule book as the user has changed it; nil for the one that comes with the program

	configFile     string
	gpus           []string
	interval       duration
	timeout        duration
	window         duration
	slo            string
	maxNumSeqs     int
	modelConfigs   []string
	baseline       []string
	ruleFiles      []string
	keep           duration // 0 for what suits the number of targets
	fast           bool
	noSideRequests bool
	log            logFile

	shapes        map[string]*diagnose.Shape // of the models whose config.json was given
	intervalGiven bool                       // by flag or environment: it beats those of scrape_configs

	ascii bool
	theme string
}

func (o *options) register(f *pflag.FlagSet) {
	o.interval, o.timeout, o.window = duration(scrape.DefaultInterval), duration(scrape.DefaultTimeout), duration(diagnose.DefaultWindow)
	f.StringVar(&o.configFile, "config", "", "configuration file (default $XDG_CONFIG_HOME/vllmscope/config.yaml)")
	f.StringSliceVar(&o.gpus, "gpu", nil, "address of a dcgm-exporter (port 9400), or nvidia-smi; can be repeated")
	f.Var(&o.interval, "interval", "time between two scrapes of a target")
	f.Var(&o.timeout, "timeout", "give up a scrape after this long")
	f.Var(&o.window, "window", "span of the rates on screen; rules have windows of their own")
	f.StringVar(&o.slo, "slo", "chat", "latency objective: "+strings.Join(profileNames(), ", ")+", or a file with those of your models")
	f.IntVar(&o.maxNumSeqs, "max-num-seqs", 0, "vLLM's --max-num-seqs, which it does not export (0: not told)")
	f.StringArrayVar(&o.modelConfigs, "model-config", nil, "NAME=FILE: the config.json of the model that is served as NAME, for the floor of a step; can be repeated")
	f.StringSliceVar(&o.baseline, "baseline", nil, "folder of saved pages from usual times, to compare with; can be repeated")
	f.StringSliceVar(&o.ruleFiles, "rules", nil, "alerting rules of your own, as files for Prometheus; can be repeated, and be a pattern")
	f.Var(&o.keep, "keep", "keep and compare with so much history (default: 6h of up to 8 targets, 1h of more)")
	f.Lookup("keep").DefValue = "0" // which the help leaves out
	f.BoolVar(&o.fast, "fast", false, "allow intervals below 2s: every scrape costs the server some 10 ms")
	f.BoolVar(&o.noSideRequests, "no-side-requests", false, "ask for /metrics only, never for /version, /v1/models and /health")
	f.StringVar(&o.log.path, "log-file", "", "write what goes wrong, failed scrapes and mistakes of vllmscope, to the end of this file")
}

func (o *options) registerScreen(f *pflag.FlagSet) {
	f.BoolVar(&o.ascii, "ascii", false, "draw with ASCII characters only")
	f.StringVar(&o.theme, "theme", "auto", "colours: auto (asks the terminal for its background), dark, light or mono")
}

// complete fills in what was not given as a flag: from the environment, then from the configuration file. Then it checks.
func (o *options) complete(flags *pflag.FlagSet) error {
	if err := o.env.set(flags); err != nil {
		return err
	}
	o.intervalGiven = flags.Changed("interval")
	config, err := loadConfiguration(o.configFile, o.env)
	o.config = config
	if err := together(err, o.config.set(flags), o.readRules(), o.readShapes(), o.checkValues()); err != nil {
		return err
	}
	if d := time.Duration(o.timeout); d > time.Duration(o.interval) && !flags.Changed("timeout") {
		o.timeout = o.interval
	}
	return o.log.open()
}

// checkValues tells flags whose value is of the right kind and wrong all the same.
func (o *options) checkValues() error {
	_, wrong := o.objectives()
	if o.maxNumSeqs < 0 {
		wrong = together(wrong, usage("--max-num-seqs %d: it is a number of sequences; 0 is not told", o.maxNumSeqs))
	}
	if keep := time.Duration(o.keep); keep > 0 && keep < leastKept {
		wrong = together(wrong, usage("--keep %v: rules look back for an hour; it must be at least that", &o.keep))
	}
	return wrong
}

func profileNames() []string {
	var names []string
	for _, p := range diagnose.Profiles {
		names = append(names, p.Name)
	}
	return names
}

// settings are the options that a judgement depends on.
func (o *options) settings(gpuTargets []scrape.Target) (diagnose.Settings, error) {
	slo, err := o.objectives()
	if err != nil {
		return diagnose.Settings{}, err
	}
	set := diagnose.Settings{
		Step: time.Duration(o.interval), Window: time.Duration(o.window), SLO: slo.all, SLOByModel: slo.byModel, MaxNumSeqs: o.maxNumSeqs, Shapes: o.shapes,
	}
	for _, t := range gpuTargets {
		set.GPUTargets = append(set.GPUTargets, t.Instance)
	}
	o.config.judgement(&set)
	set.Silences = o.config.said.silences()
	return set, nil
}

// duration is a flag in Prometheus's notation or in Go's: 30s, 1m, 500ms, 1d, 2.5s.
type duration time.Duration

// Set reads both notations, to the millisecond; a plain number is refused, since nobody knows its unit.
func (d *duration) Set(text string) error {
	parsed, err := time.ParseDuration(text)
	if err != nil {
		var other model.Duration
		other, err = model.ParseDuration(text)
		parsed = time.Duration(other)
	}
	if err != nil {
		return fmt.Errorf("write a time like 500ms, 5s or 1m")
	}
	if parsed = parsed.Round(time.Millisecond); parsed <= 0 {
		return fmt.Errorf("it must be at least 1ms")
	}
	*d = duration(parsed)
	return nil
}

// String writes the notation.
func (d *duration) String() string { return model.Duration(*d).String() }

// Type names the notation in the help.
func (d *duration) Type() string { return "duration" }
