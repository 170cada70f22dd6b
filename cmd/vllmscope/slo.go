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
	for key, value := range pairs(node) {
		if err := o.set(key, value); err != nil {
			return err
		}
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

// parts of an objective that a file can set.
var parts = []string{"ttft", "tpot", "e2e", "queue", "feels", "success", "share", "like"}

func (o *objective) set(key, value *yaml.Node) error {
	times := map[string]*time.Duration{"ttft": &o.TTFT, "tpot": &o.TPOT, "e2e": &o.E2E, "queue": &o.Queue, "feels": &o.Feels}
	shares := map[string]*float64{"success": &o.Success, "share": &o.Share}
	var err error
	switch {
	case times[key.Value] != nil:
		err = (*duration)(times[key.Value]).Set(value.Value)
	case shares[key.Value] != nil:
		*shares[key.Value], err = readShare(value.Value)
	case key.Value != "like":
		return wrongLine(key.Line, "unknown key %q%s", key.Value, didYouMean(key.Value, parts))
	}
	if err != nil {
		return wrongLine(value.Line, "%s: %q: %v", key.Value, value.Value, err)
	}
	return nil
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
