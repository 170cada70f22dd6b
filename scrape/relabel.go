package scrape

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

// relabel returns the labels of the sample that was just parsed as they are stored: with those of the target, and where
// the page has a label of the same name, that one as exported_<name>, as Prometheus does without honor_labels. It
// returns false for labels that cannot be stored.
func (w *Writer) relabel(parser textparse.Parser, kind model.MetricType, notes *notes) (labels.Labels, bool) {
	var shown labels.Labels
	parser.Labels(&shown)
	if _, twice := shown.HasDuplicateLabelNames(); twice || shown.Get(model.MetricNameLabel) == "" {
		return shown, false
	}
	b := labels.NewBuilder(shown)
	shown.Range(func(l labels.Label) {
		switch {
		case len(l.Value) > maxLabelValue:
			notes.add(noteCutLabel, l.Name+" of "+shown.Get(model.MetricNameLabel))
			b.Set(l.Name, cutBack(l.Value, maxLabelValue))
		case l.Name == model.BucketLabel && kind == model.MetricTypeHistogram,
			l.Name == model.QuantileLabel && kind == model.MetricTypeSummary:
			// The parser does the same, but forgets the type of the family at a bad line.
			if bound, err := strconv.ParseFloat(l.Value, 64); err == nil {
				b.Set(l.Name, labels.FormatOpenMetricsFloat(bound))
			}
		}
	})
	w.addTargetLabels(shown, b)
	stored := b.Labels()
	return stored, stored.IsValid(model.UTF8Validation)
}

func (w *Writer) addTargetLabels(shown labels.Labels, b *labels.Builder) {
	var clashes []labels.Label
	for _, l := range w.labels {
		if value := shown.Get(l.Name); value != "" {
			clashes = append(clashes, labels.Label{Name: l.Name, Value: value})
		}
		b.Set(l.Name, l.Value)
	}
	// Shortest first, so that a page with both job and exported_job ends as it does in Prometheus.
	slices.SortStableFunc(clashes, func(a, b labels.Label) int { return cmp.Compare(len(a.Name), len(b.Name)) })
	for _, l := range clashes {
		name := model.ExportedLabelPrefix + l.Name
		for b.Get(name) != "" {
			name = model.ExportedLabelPrefix + name
		}
		b.Set(name, l.Value)
	}
}

// describe finds out what the name and the labels of a new series say.
func (w *Writer) describe(known *series, name string) {
	known.family = w.family(name)
	key, bound, ok := bucketOf(known.labels)
	if !ok {
		return
	}
	if w.histograms[key] == nil {
		w.histograms[key] = &histogram{name: name}
	}
	known.histogram, known.bound = w.histograms[key], bound
}

func (w *Writer) family(name string) *family {
	f := w.families[name]
	if f == nil {
		f = &family{
			kind: nameKind(name), ambiguous: isAmbiguous(name),
			starts: name == "process_start_time_seconds", http: name == httpRequests,
		}
		w.families[name] = f
	}
	return f
}
