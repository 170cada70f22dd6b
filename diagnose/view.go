package diagnose

import (
	"math"
	"slices"
	"strings"
	"time"
)

// A view is the facts of one subject. What the subject is part of is looked up once, however many rules and ticks ask.
type view struct {
	*Facts
	subject Subject
	lineage *lineage
}

// lineage is what is known of a subject itself, its server, its target and its model, by their levels; nil where nothing is.
type lineage [levels]*subjectFacts

// lineageOf finds it.
func lineageOf(subject Subject, find func(Subject) *subjectFacts) lineage {
	var p lineage
	for _, level := range []Level{subject.Level, Target, Server, Model} {
		p[level] = find(subject.At(level))
	}
	return p
}

// of is the view of a subject, of which nothing need be known.
func (f *Facts) of(subject Subject) view {
	if k := f.subjects[subject]; k != nil {
		return view{f, subject, &k.lineage}
	}
	p := lineageOf(subject, func(s Subject) *subjectFacts { return f.subjects[s] })
	return view{f, subject, &p}
}

// value is a signal's value at the i-th tick, NaN when absent.
func (v view) value(id string, i int) float64 { return v.read(v.catalogue.index[id], i) }

// read is the same of a signal at hand.
func (v view) read(s *Signal, i int) float64 {
	if s.Setting != "" || s.isText() {
		return v.told(s, i)
	}
	if c := v.column(s, i); c != nil {
		return c.value[i]
	}
	return math.NaN()
}

// told is the value of what is not read from series of numbers: settings, what follows from the topology, and texts, which count 1.
func (v view) told(s *Signal, i int) float64 {
	switch {
	case s.Setting == "watched_seconds":
		return v.watched(v.subject, i).Seconds()
	case strings.HasPrefix(s.Setting, baselineSetting):
		return v.settings.Baseline.value(s.Setting, v.subject.At(s.Level), v.value("running_mean", i))
	case s.Setting == "observed_seconds":
		return time.UnixMilli(v.ticks[i]).Sub(v.begin).Seconds()
	case s.Setting == "silent_exporters":
		return float64(len(v.silent[i]))
	case s.Setting == "silent_exporter":
		if slices.Contains(v.silent[i], v.subject.Instance) {
			return 1
		}
		return 0
	case s.Setting == "unmapped_gpus":
		return float64(v.topology[i].Unmapped())
	case s.Setting == "mapped_gpus":
		return float64(len(v.topology[i].GPUs(v.subject.At(Server))))
	case strings.HasPrefix(s.Setting, sheetPrefix):
		return v.sheet(v.subject, i).value(s.Setting)
	case s.Setting != "":
		return v.settings.value(s.Setting, v.subject)
	case v.text(s, i) == "":
		return math.NaN()
	}
	return 1
}

// column finds a signal's column: the subject's own, its server's, target's or model's, or that of the GPUs of its server.
func (v view) column(s *Signal, i int) *column {
	if part := v.lineage[s.Level]; part != nil && part.columns != nil && part.columns[s.place] != nil {
		return part.columns[s.place]
	}
	switch server := v.lineage[Server]; {
	case s.Level == GPU && v.subject.Level != GPU:
		if server != nil && server.across != nil {
			return server.across[s.place]
		}
	case s.Level == Server && v.subject.Level == GPU:
		if server, ok := v.topology[i].Server(v.subject); ok {
			return v.Facts.column(s, server)
		}
	}
	return nil
}

// isPresent tells whether the subject is there at the i-th tick.
func (k *subjectFacts) isPresent(i int) bool { return k.present != nil && k.present[i] }
