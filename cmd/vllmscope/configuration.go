package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/scrape"
)

// configuration is the file: targets in the shape of Prometheus's scrape_configs, what the servers do not tell of themselves, and
// flags by their names.
type configuration struct {
	path string `yaml:"-"`

	scrape.Config `yaml:",inline"`

	Servers []serverConfig    `yaml:"servers,omitempty"`
	Models  []modelConfig     `yaml:"models,omitempty"`
	Flags   map[string]string `yaml:"flags,omitempty"`

	// What the user says of rules is read again, with its lines (said.go).
	Runbook   any      `yaml:"runbook,omitempty"`
	Rules     any      `yaml:"rules,omitempty"`
	Silences  any      `yaml:"silences,omitempty"`
	RuleFiles []string `yaml:"rule_files,omitempty"`

	said said
}

// serverConfig is what a server does not export.
type serverConfig struct {
	Instance    string   `yaml:"instance"`
	MaxNumSeqs  int      `yaml:"max_num_seqs,omitempty"`
	TokenBudget int      `yaml:"max_num_batched_tokens,omitempty"`
	GPUs        []string `yaml:"gpus,omitempty"`      // UUIDs
	Exporters   []string `yaml:"exporters,omitempty"` // instances of the exporters of its GPUs
	GPUModel    string   `yaml:"gpu_model,omitempty"` // what they are, and
	GPUCount    int      `yaml:"gpu_count,omitempty"` // how many, where no exporter tells
}

// loadConfiguration reads the file that was named, or the one in its usual place, which may be missing.
func loadConfiguration(path string, env environment) (*configuration, error) {
	named := path != ""
	if !named {
		path = usualPath(env)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		if !named && errors.Is(err, fs.ErrNotExist) || path == "" {
			return &configuration{}, nil
		}
		return nil, usage("configuration: %w", err)
	}
	c := &configuration{path: path}
	if err := scrape.ReadConfig(text, c); err != nil {
		return nil, usage("configuration %s: %w", path, err)
	}
	if err := strictly(text, &c.said); err != nil {
		return nil, usage("configuration %s: %w", path, err)
	}
	for _, s := range c.Servers {
		if s.Instance == "" {
			return nil, usage("configuration %s: an entry of servers lacks its instance (host:port)", path)
		}
		if s.GPUModel != "" && !diagnose.KnowsGPU(s.GPUModel) {
			return nil, usage("configuration %s: no data sheet of the GPU %q of %s is known here; those of %s are", path, s.GPUModel, s.Instance, strings.Join(diagnose.KnownGPUs(), ", "))
		}
	}
	return c, nil
}

func usualPath(env environment) string {
	dir := env["XDG_CONFIG_HOME"]
	if dir == "" && env["HOME"] != "" {
		dir = filepath.Join(env["HOME"], ".config")
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "vllmscope", "config.yaml")
}

// set gives every flag that neither the command line nor the environment has set the value in the file.
func (c *configuration) set(flags *pflag.FlagSet) error {
	for name, value := range c.Flags {
		name = strings.ReplaceAll(name, "_", "-")
		f := flags.Lookup(name)
		if f == nil {
			if slices.Contains(screenFlags, name) {
				continue // a flag of the dashboard, while another command runs
			}
			return usage("configuration %s: unknown flag %q%s", c.path, name, didYouMean(name, flagNames(flags)))
		}
		if f.Changed {
			continue
		}
		if err := flags.Set(name, value); err != nil {
			_, _, advice, _ := wrongValue(err)
			return usage("configuration %s: %s: %q: %s", c.path, name, value, advice)
		}
	}
	return nil
}

var screenFlags = []string{"ascii", "theme"}

// targets are those of scrape_configs.
func (c *configuration) targets() ([]scrape.Target, error) {
	targets, err := c.Targets(filepath.Dir(c.path))
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", c.path, err)
	}
	return targets, nil
}

// judgement adds what the file says of servers to the settings.
func (c *configuration) judgement(set *diagnose.Settings) {
	set.MaxNumSeqsByInstance, set.TokenBudgetByInstance, set.Hardware = map[string]int{}, map[string]int{}, map[string]diagnose.Hardware{}
	for _, s := range c.Servers {
		if s.TokenBudget > 0 {
			set.TokenBudgetByInstance[s.Instance] = s.TokenBudget
		}
		if s.GPUModel != "" || s.GPUCount > 0 {
			set.Hardware[s.Instance] = diagnose.Hardware{GPU: s.GPUModel, Count: s.GPUCount}
		}
		if s.MaxNumSeqs > 0 {
			set.MaxNumSeqsByInstance[s.Instance] = s.MaxNumSeqs
		}
		if len(s.GPUs) > 0 || len(s.Exporters) > 0 {
			set.Placements = append(set.Placements, diagnose.Placement{Server: s.Instance, UUIDs: s.GPUs, GPUs: s.Exporters})
		}
	}
}
