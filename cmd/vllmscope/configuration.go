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
	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
	"github.com/vllmscope/vllmscope/internal/yamlwords"
	"github.com/vllmscope/vllmscope/scrape"
)

// configuration is the file: targets in the shape of Prometheus's scrape_configs, what the servers do not tell of themselves, and
// flags by their names.
type configuration struct {
	path string `yaml:"-"`

	scrape.Config `yaml:",inline"`

	Servers []serverConfig `yaml:"servers,omitempty"`
	Models  []modelConfig  `yaml:"models,omitempty"`

	// The flags, and what the user says of servers and rules, are read again, with their lines (said.go).
	Flags     map[string]string `yaml:"flags,omitempty"`
	Runbook   any               `yaml:"runbook,omitempty"`
	Rules     any               `yaml:"rules,omitempty"`
	Silences  any               `yaml:"silences,omitempty"`
	RuleFiles []string          `yaml:"rule_files,omitempty"`

	said said
}

// serverConfig is what a server does not export.
type serverConfig struct {
	Instance    string      `yaml:"instance"`
	MaxNumSeqs  wholeNumber `yaml:"max_num_seqs,omitempty"`
	TokenBudget wholeNumber `yaml:"max_num_batched_tokens,omitempty"`
	GPUs        []string    `yaml:"gpus,omitempty"`      // UUIDs
	Exporters   []string    `yaml:"exporters,omitempty"` // instances of the exporters of its GPUs
	GPUModel    string      `yaml:"gpu_model,omitempty"` // what they are, and
	GPUCount    wholeNumber `yaml:"gpu_count,omitempty"` // how many, where no exporter tells
}

// wholeNumber is one of a server. What is none is told with its key, which the library does not know (wrongNumbers).
type wholeNumber int

// UnmarshalYAML reads a number, and leaves what is none.
func (n *wholeNumber) UnmarshalYAML(unmarshal func(any) error) error {
	var read int
	if unmarshal(&read) == nil {
		*n = wholeNumber(read)
	}
	return nil
}

var wholeNumbers = []string{"max_num_seqs", "max_num_batched_tokens", "gpu_count"}

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
		return &configuration{}, usage("configuration: %w", err)
	}
	c := &configuration{path: path}
	if err := yaml.Unmarshal(text, new(yaml.Node)); err != nil {
		return c, c.wrong(yamlwords.WithoutTabs(err, text))
	}
	return c, c.wrong(errors.Join(withNearestKeys(scrape.ReadConfig(text, c), c), strictly(text, &c.said), c.wrongServers()))
}

// wrong says what is wrong with the file, with its name before each mistake.
func (c *configuration) wrong(err error) error {
	if err == nil {
		return nil
	}
	return usage("%w", behind("configuration "+c.path+": ", err))
}

// wrongServers is what is wrong with the entries of servers.
func (c *configuration) wrongServers() error {
	var wrong []error
	for _, server := range c.said.Servers.Content {
		wrong = append(wrong, wrongNumbers(server))
	}
	for i, s := range c.Servers {
		line := lineOf(&c.said.Servers, i)
		if s.Instance == "" {
			wrong = append(wrong, fmt.Errorf("line %d: an entry of servers lacks its instance (host:port)", line))
		}
		if s.GPUModel != "" && !diagnose.KnowsGPU(s.GPUModel) {
			wrong = append(wrong, fmt.Errorf("line %d: no data sheet of the GPU %q of %s is known here; those of %s are", line, s.GPUModel, s.Instance, strings.Join(diagnose.KnownGPUs(), ", ")))
		}
	}
	return errors.Join(wrong...)
}

// wrongNumbers is what is no number of an entry of servers.
func wrongNumbers(server *yaml.Node) error {
	var wrong []error
	for key, value := range pairs(server) {
		var n int
		if slices.Contains(wholeNumbers, key.Value) && value.Tag != "!!null" && (value.Decode(&n) != nil || n < 1) {
			wrong = append(wrong, fmt.Errorf("line %d: %s: write a whole number above 0", value.Line, key.Value))
		}
	}
	return errors.Join(wrong...)
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
	var wrong []error
	for key, value := range pairs(&c.said.Flags) {
		name := strings.ReplaceAll(key.Value, "_", "-")
		f := flags.Lookup(name)
		switch {
		case f == nil && isScreenFlag(name): // while another command than the dashboard runs
		case f == nil:
			wrong = append(wrong, fmt.Errorf("line %d: unknown flag %q%s", key.Line, name, didYouMean(name, flagNames(flags))))
		case !f.Changed:
			if err := flags.Set(name, value.Value); err != nil {
				_, _, advice, _ := wrongValue(err)
				wrong = append(wrong, fmt.Errorf("line %d: %s: %q: %s", value.Line, name, value.Value, advice))
			}
		}
	}
	return c.wrong(errors.Join(wrong...))
}

// isScreenFlag tells whether a flag is one of the dashboard alone.
func isScreenFlag(name string) bool {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(options).registerScreen(flags)
	return flags.Lookup(name) != nil
}

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
			set.TokenBudgetByInstance[s.Instance] = int(s.TokenBudget)
		}
		if s.GPUModel != "" || s.GPUCount > 0 {
			set.Hardware[s.Instance] = diagnose.Hardware{GPU: s.GPUModel, Count: int(s.GPUCount)}
		}
		if s.MaxNumSeqs > 0 {
			set.MaxNumSeqsByInstance[s.Instance] = int(s.MaxNumSeqs)
		}
		if len(s.GPUs) > 0 || len(s.Exporters) > 0 {
			set.Placements = append(set.Placements, diagnose.Placement{Server: s.Instance, UUIDs: s.GPUs, GPUs: s.Exporters})
		}
	}
}
