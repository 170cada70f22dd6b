package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/vllmscope/vllmscope/diagnose"
)

// modelConfig names the config.json of a model.
type modelConfig struct {
	Name   string `yaml:"name"`   // under which it is served
	Config string `yaml:"config"` // the file; a relative path starts at the configuration
}

// readShapes reads the sizes of the models whose config.json was given, by the names under which they are served. A flag beats the
// configuration.
func (o *options) readShapes() error {
	o.shapes = map[string]*diagnose.Shape{}
	var wrong []error
	for i, m := range o.config.Models {
		line, file := lineOf(&o.config.said.Models, i), m.Config
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(o.config.path), file)
		}
		if m.Name == "" || m.Config == "" {
			wrong = append(wrong, usage("configuration %s: line %d: an entry of models wants its name and config (a config.json)", o.config.path, line))
		} else if err := o.addShape(m.Name, file); err != nil {
			wrong = append(wrong, usage("configuration %s: line %d: model %s: %w", o.config.path, line, m.Name, err))
		}
	}
	for _, given := range o.modelConfigs {
		name, file, ok := strings.Cut(given, "=")
		if !ok || name == "" || file == "" {
			wrong = append(wrong, usage("--model-config %q: write NAME=FILE, with the name under which the model is served and its config.json", given))
		} else if err := o.addShape(name, file); err != nil {
			wrong = append(wrong, usage("--model-config %s: %w", given, err))
		}
	}
	return together(wrong...)
}

func (o *options) addShape(name, file string) (err error) {
	o.shapes[name], err = readShape(file)
	return err
}

// largestConfig is more than any config.json has: a model's weights are taken for one easily.
const largestConfig = 4 << 20

func readShape(path string) (*diagnose.Shape, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, largestConfig))
	if err != nil {
		return nil, err
	}
	return diagnose.ParseModelConfig(text)
}
