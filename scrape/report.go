package scrape

import (
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
)

// ownPrefix begins the names of the series that only we write.
const ownPrefix = "vllmscope_"

// syntheticNames are the series that Prometheus writes for every scrape, the last two with its option
// extra_scrape_metrics.
var syntheticNames = []string{
	"up", "scrape_duration_seconds", "scrape_samples_scraped", "scrape_samples_post_metric_relabeling",
	"scrape_series_added", "scrape_timeout_seconds", "scrape_body_size_bytes",
}

// report is what is said of a scrape beside the samples of its page.
type report struct {
	size    int // of the unpacked page in bytes; as in Prometheus 0 when there is none, -1 when over the bound
	bad     damage
	failure *Failure
}

// up is as in Prometheus, where an empty page is a good one.
func (r report) up() bool { return r.failure == nil || r.failure.Class == ClassEmpty }

// report writes the synthetic series and ours. What was there at the last scrape and is not now goes stale.
func (w *Writer) report(app storage.Appender, s Scrape, p *pass, r report) {
	put := func(v float64, name string, pairs ...string) { w.put(app, p.at, v, name, pairs) }
	put(number(r.up()), "up")
	if s.Duration >= 0 {
		put(s.Duration.Seconds(), "scrape_duration_seconds")
	}
	put(float64(p.scraped), "scrape_samples_scraped")
	put(float64(p.kept), "scrape_samples_post_metric_relabeling")
	put(float64(p.added), "scrape_series_added")
	if s.Timeout > 0 {
		put(s.Timeout.Seconds(), "scrape_timeout_seconds")
	}
	put(float64(r.size), "scrape_body_size_bytes")

	f := s.facts
	put(1, ownPrefix+"target_info", "url", w.target.URL, "kind", string(w.kind),
		"version", f.version, "max_model_len", f.maxModelLen, "models", f.models)
	if r.failure != nil {
		put(1, ownPrefix+"scrape_error", "class", string(r.failure.Class), "error", r.failure.Sentence)
	}
	if r.up() {
		put(float64(r.bad.lines), ownPrefix+"bad_lines")
	}
	if f.health != healthUnknown {
		put(number(f.health == healthGood), ownPrefix+"health")
	}
	for name, f := range w.families {
		if f.ambiguous && f.unit != "" && f.round == w.exposed.round {
			put(1, ownPrefix+"unit", "family", name, "unit", f.unit)
		}
	}
	w.putNotes(app, p)
}

// putNotes writes the notes of this scrape. A note that goes on keeps its first detail: the line that it quotes may
// hold another number in each scrape, and would make a new series each time.
func (w *Writer) putNotes(app storage.Appender, p *pass) {
	noted := map[string]string{}
	for _, n := range p.notes {
		if first, goesOn := w.noted[n.name]; goesOn && n.name != noteClockStep {
			n.detail = first
		}
		noted[n.name] = n.detail
		w.put(app, p.at, 1, ownPrefix+"note", []string{"note", n.name, "detail", n.detail})
	}
	w.noted = noted
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// put appends a sample of one of our own series, pairs being label names and values; empty values are left out.
func (w *Writer) put(app storage.Appender, at int64, v float64, name string, pairs []string) {
	// The store can only refuse a time that is not after the last one, which Write has ruled out.
	_ = w.own.show(app, w.ownSeries(name, pairs...), at, v)
}

// ownSeries returns one of our own series, known by its parts as those of a page are by their text.
func (w *Writer) ownSeries(name string, pairs ...string) *series {
	w.key = append(w.key[:0], name...)
	for _, part := range pairs {
		w.key = append(append(w.key, 0xff), part...)
	}
	if known := w.own.find(w.key); known != nil {
		return known
	}
	b := labels.NewBuilder(labels.EmptyLabels())
	for _, l := range w.labels {
		b.Set(l.Name, l.Value)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		b.Set(pairs[i], pairs[i+1])
	}
	b.Set(model.MetricNameLabel, name)
	lset := b.Labels()
	known, _ := w.own.learn(w.key, lset, lset.Hash())
	return known
}
