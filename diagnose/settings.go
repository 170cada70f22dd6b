package diagnose

import (
	"math"
	"slices"
	"strings"
	"time"
)

// Settings are what the user says and the data cannot tell. They are part of a judgement: the same data and the same settings
// give the same findings.
type Settings struct {
	// Step is the interval of the data. Ticks are its multiples since the epoch.
	Step time.Duration
	// Window is the span of the rates on screen. Rules have windows of their own.
	Window time.Duration
	// SLO is the objective of every model that has none of its own in SLOByModel.
	SLO        SLO
	SLOByModel map[string]SLO
	// MaxNumSeqs is vLLM's --max-num-seqs, which it does not export: for all servers, or by instance. 0 is not told.
	MaxNumSeqs           int
	MaxNumSeqsByInstance map[string]int
	// Shapes are the sizes of models, by the name under which they are served.
	Shapes map[string]*Shape
	// Hardware says which GPUs a server computes on, by instance, where no exporter tells or not all of them are its.
	Hardware map[string]Hardware
	// TokenBudgetByInstance is vLLM's --max-num-batched-tokens, which it does not export.
	TokenBudgetByInstance map[string]int
	// Placements say which GPUs a server uses; GPUTargets are the exporters that were named beside the servers.
	Placements []Placement
	GPUTargets []string
	// TimesAssumed are the instances of which saved pages were read whose times nobody knows: when a process began says nothing there.
	TimesAssumed []string
	// Baseline is what is usual by a recording; nil where none was given.
	Baseline *Baseline
	// Silences are findings that the user knows of.
	Silences []Silence

	lifetime bool // counters are read as averages since the start
	screen   bool // $window is the one of the figures on screen
}

// Hardware is the user's word on what a server computes on.
type Hardware struct {
	GPU   string // as its exporter or people call it; "" where it is not told
	Count int    // 0 where it is not told
}

// onScreen are the settings by which figures are read for people to see, not for rules.
func (s Settings) onScreen() Settings {
	s.screen = true
	return s
}

// value returns the value of a setting for a subject, NaN when it is not given.
func (s Settings) value(name string, subject Subject) float64 {
	if bound, ok := s.objective(name, subject.Model); ok {
		return bound
	}
	switch name {
	case "told_sequence_cap":
		if n := s.MaxNumSeqsByInstance[subject.Instance]; n > 0 {
			return float64(n)
		}
		if s.MaxNumSeqs > 0 {
			return float64(s.MaxNumSeqs)
		}
	case "told_token_budget":
		if n := s.TokenBudgetByInstance[subject.Instance]; n > 0 {
			return float64(n)
		}
	case "times_assumed":
		if slices.Contains(s.TimesAssumed, subject.Instance) {
			return 1
		}
		return 0
	case "told_gpus":
		if n := s.Hardware[subject.Instance].Count; n > 0 {
			return float64(n)
		}
	default:
		if strings.HasPrefix(name, shapePrefix) {
			return s.Shapes[subject.Model].value(name)
		}
	}
	return math.NaN()
}

// placed tells whether the user gave this GPU to this server.
func (s Settings) placed(server, gpu Subject) bool {
	return slices.ContainsFunc(s.Placements, func(p Placement) bool {
		if p.Server != server.Instance || len(p.GPUs) > 0 && !slices.Contains(p.GPUs, gpu.Instance) {
			return false
		}
		return len(p.UUIDs) == 0 && len(p.GPUs) > 0 || slices.Contains(p.UUIDs, gpu.UUID)
	})
}

// window is the span that $window stands for: never shorter than four intervals, so that a rate has its samples.
func (s Settings) window(signal time.Duration) time.Duration {
	switch {
	case signal == 0 && s.screen && s.Window > 0:
		signal = s.Window
	case signal == 0:
		signal = DefaultWindow
	}
	return max(signal, 4*s.Step)
}

// ticks lists the multiples of the step from from to to, in milliseconds since the epoch.
func (s Settings) ticks(from, to time.Time) []int64 {
	step := s.Step.Milliseconds()
	var ticks []int64
	for t := (from.UnixMilli() + step - 1) / step * step; t <= to.UnixMilli(); t += step {
		ticks = append(ticks, t)
	}
	return ticks
}
