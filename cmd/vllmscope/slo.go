package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/vllmscope/vllmscope/diagnose"
)

// objectives are what --slo says: a profile for all models, or a file's.
type objectives struct {
	all     diagnose.SLO
	byModel map[string]diagnose.SLO
}

// objectives reads --slo: the name of a profile, or a path.
func (o *options) objectives() (objectives, error) {
	if p, ok := profileNamed(o.slo); ok {
		return objectives{all: p}, nil
	}
	text, err := os.ReadFile(o.slo)
	switch {
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(o.slo, `./\`):
		return objectives{}, usage("--slo %q: there is no such file", o.slo)
	case errors.Is(err, fs.ErrNotExist):
		return objectives{}, usage("--slo %q: choose one of %s, or name a file of your own", o.slo, strings.Join(profileNames(), ", "))
	case err != nil:
		return objectives{}, usage("--slo: %w", err)
	}
	found, err := readObjectives(text)
	if err != nil {
		return objectives{}, usage("%w", behind("--slo "+o.slo+": ", err))
	}
	return found, nil
}

func profileNamed(name string) (diagnose.SLO, bool) {
	i := slices.IndexFunc(diagnose.Profiles, func(p diagnose.SLO) bool { return p.Name == name })
	if i < 0 {
		return diagnose.SLO{}, false
	}
	return diagnose.Profiles[i], true
}

// readObjectives reads a file of objectives: default, and models by their names.
func readObjectives(text []byte) (objectives, error) {
	var file struct {
		Default objective            `yaml:"default"`
		Models  map[string]objective `yaml:"models"`
	}
	if err := strictly(text, &file); err != nil {
		return objectives{}, err
	}
	found := objectives{all: diagnose.Profiles[0], byModel: map[string]diagnose.SLO{}}
	if file.Default.SLO != (diagnose.SLO{}) {
		found.all = file.Default.SLO
	}
	for model, o := range file.Models {
		found.byModel[model] = o.SLO
	}
	return found, nil
}

// objective is one of the file: the name of a profile, or what is wanted, on top of a profile if it is like one.
type objective struct{ diagnose.SLO }

// UnmarshalYAML reads both forms; what is wrong is said with its line.
func (o *objective) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return o.like(node)
	}
	if node.Kind != yaml.MappingNode {
		return wrongLine(node.Line, "write a profile's name, or what is wanted: {ttft: 2s, tpot: 50ms}")
	}
	for key, value := range pairs(node) {
		if key.Value == "like" {
			if err := o.like(value); err != nil {
				return err
			}
			o.Name = ""
		}
	}
	if err := o.settings().read(node, "unknown key"); err != nil {
		return err
	}
	if o.SLO == (diagnose.SLO{}) {
		return wrongLine(node.Line, "nothing is wanted; write for example {ttft: 2s, tpot: 50ms}")
	}
	return nil
}

func (o *objective) like(name *yaml.Node) error {
	p, ok := profileNamed(name.Value)
	if !ok {
		return wrongLine(name.Line, "no profile %q; choose one of %s", name.Value, strings.Join(profileNames(), ", "))
	}
	o.SLO = p
	return nil
}

// settings of an objective that a file can have.
func (o *objective) settings() settings {
	within := func(into *time.Duration) func(*yaml.Node) error {
		return func(value *yaml.Node) error { return (*duration)(into).Set(value.Value) }
	}
	share := func(into *float64) func(*yaml.Node) error {
		return func(value *yaml.Node) (err error) {
			*into, err = readShare(value.Value)
			return err
		}
	}
	return settings{
		{"ttft", within(&o.TTFT)},
		{"tpot", within(&o.TPOT)},
		{"e2e", within(&o.E2E)},
		{"queue", within(&o.Queue)},
		{"feels", within(&o.Feels)},
		{"success", share(&o.Success)},
		{"share", share(&o.Share)},
		{"like", func(*yaml.Node) error { return nil }}, // which was read before all others
	}
}

// readShare reads 99.5% or 0.995. All requests are no objective: there is nothing left that may be missed.
func readShare(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		v /= 100
	}
	if err != nil || v < 0.5 || v >= 1 {
		return 0, errors.New("write a share of the requests like 99% or 0.99, at least half of them and less than all")
	}
	return v, nil
}
