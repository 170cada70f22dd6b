package scrape

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/common/config"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v2"

	"github.com/vllmscope/vllmscope/internal/yamlwords"
)

// Config is the part of a configuration file that is about targets, in the shape of Prometheus's own.
type Config struct {
	Global        GlobalConfig `yaml:"global,omitempty"`
	ScrapeConfigs []JobConfig  `yaml:"scrape_configs,omitempty"`
}

// GlobalConfig is what all entries of scrape_configs share that do not say it themselves.
type GlobalConfig struct {
	ScrapeInterval model.Duration `yaml:"scrape_interval,omitempty"`
	ScrapeTimeout  model.Duration `yaml:"scrape_timeout,omitempty"`
}

// JobConfig is one entry of scrape_configs, in the shape of Prometheus's own. A target may be a whole URL, which then
// beats scheme and metrics_path.
type JobConfig struct {
	JobName        string         `yaml:"job_name"`
	StaticConfigs  []StaticConfig `yaml:"static_configs"`
	Scheme         string         `yaml:"scheme,omitempty"`
	MetricsPath    string         `yaml:"metrics_path,omitempty"`
	Params         url.Values     `yaml:"params,omitempty"`
	ScrapeInterval model.Duration `yaml:"scrape_interval,omitempty"`
	ScrapeTimeout  model.Duration `yaml:"scrape_timeout,omitempty"`

	Client config.HTTPClientConfig `yaml:",inline"`
}

// StaticConfig is a list of targets with the labels that they share.
type StaticConfig struct {
	Targets []string          `yaml:"targets"`
	Labels  map[string]string `yaml:"labels,omitempty"`
}

// UnmarshalYAML sets the defaults and checks what the fields say together.
func (c *JobConfig) UnmarshalYAML(unmarshal func(any) error) error {
	type plain JobConfig
	*c = JobConfig{Scheme: "http", Client: config.DefaultHTTPClientConfig}
	if err := unmarshal((*plain)(c)); err != nil {
		return err
	}
	if c.JobName == "" {
		return &yaml.TypeError{Errors: []string{"a scrape config lacks job_name"}} // and reading goes on
	}
	if err := c.Client.Validate(); err != nil {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("job %q: %v", c.JobName, err)}}
	}
	return nil
}

// Targets returns the targets of all entries. Files that they name are relative to dir, and a secret may be the name of an
// environment variable, ${TOKEN}.
func (c Config) Targets(dir string) (targets []Target, err error) {
	for _, job := range c.ScrapeConfigs {
		job.Client.SetDirectory(dir)
		if job.ScrapeInterval == 0 {
			job.ScrapeInterval = c.Global.ScrapeInterval
		}
		if job.ScrapeTimeout == 0 {
			job.ScrapeTimeout = c.Global.ScrapeTimeout
		}
		more, err := job.targets()
		if err != nil {
			return nil, fmt.Errorf("job %q: %w", job.JobName, err)
		}
		targets = append(targets, more...)
	}
	return targets, nil
}

// targets returns the targets of one entry.
func (c JobConfig) targets() (targets []Target, err error) {
	if err := secretsFromEnvironment(&c.Client); err != nil {
		return nil, err
	}
	for _, group := range c.StaticConfigs {
		for _, address := range group.Targets {
			t, err := c.target(address)
			if err != nil {
				return nil, err
			}
			if err := t.setLabels(group.Labels); err != nil {
				return nil, err
			}
			targets = append(targets, t)
		}
	}
	return targets, nil
}

func (c JobConfig) target(address string) (Target, error) {
	if address == nvidiaSMI {
		t := smiTarget(address)
		t.Job, t.Interval, t.Timeout = c.JobName, time.Duration(c.ScrapeInterval), time.Duration(c.ScrapeTimeout)
		return t, nil
	}
	page := c.MetricsPath
	if strings.Contains(address, "://") {
		page = ""
	}
	t, err := newTarget(address, c.Scheme, page)
	if err != nil {
		return Target{}, err
	}
	if auth := t.Client.BasicAuth; auth != nil && c.Client.BasicAuth == nil {
		c.Client.BasicAuth = auth
	}
	if err := c.Client.Validate(); err != nil {
		return Target{}, fmt.Errorf("target %s: %w", t, err)
	}
	if len(c.Params) > 0 {
		query := t.page.Query()
		maps.Copy(query, c.Params)
		t.page.RawQuery = query.Encode()
		t.URL = shownURL(t.page)
	}
	t.Job, t.Client = c.JobName, c.Client
	t.Interval, t.Timeout = time.Duration(c.ScrapeInterval), time.Duration(c.ScrapeTimeout)
	return t, nil
}

// setLabels adds labels of a config file; job and instance replace the target's own.
func (t *Target) setLabels(more map[string]string) error {
	t.Labels = map[string]string{}
	for name, value := range more {
		switch {
		case name == model.JobLabel && value != "":
			t.Job = value
		case name == model.InstanceLabel && value != "":
			t.Instance = value
		case !model.LegacyValidation.IsValidLabelName(name) || strings.HasPrefix(name, model.ReservedLabelPrefix):
			return fmt.Errorf("target %s: %q cannot be a label; use letters, digits and _, not starting with a digit or __", t, name)
		default:
			t.Labels[name] = value
		}
	}
	return nil
}

// ReadConfig reads a configuration file's text into a struct that has a [Config] inline. An unknown key is an error that names
// its line; all mistakes that can be told are, a line each.
func ReadConfig(text []byte, into any) error {
	err := yaml.UnmarshalStrict(text, into)
	wrong, ok := errors.AsType[*yaml.TypeError](err)
	if !ok {
		return err
	}
	return errors.New(yamlwords.Plain(strings.Join(wrong.Errors, "\n")))
}
