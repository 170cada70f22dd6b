package scrape

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/storage"
)

// family is what is known of the series with one metric name.
type family struct {
	kind      Kind
	ambiguous bool   // its name does not tell its unit
	unit      string // decided last, empty while undecided
	shows     string // the unit that the values of this round show
	starts    bool   // it is process_start_time_seconds
	http      bool   // it is http_requests_total

	round  uint64
	series int // shown in this round
}

// pass is one reading of one page into the store.
type pass struct {
	w   *Writer
	app storage.Appender
	at  int64

	metric []byte // of the last TYPE line, within the page
	kind   model.MetricType

	scraped int      // samples on the page
	kept    int      // of these, those not left out
	added   int      // of these, those not on the page before
	unreal  []string // gauges and counters of what is judged that are NaN or infinite
	named   Kind     // by the names of its metrics: vLLM where one is
	http    bool
	started float64
	notes   notes
}

// read appends a page. It returns an error if this is no metrics page, or one without samples.
func (p *pass) read(s Scrape) (damage, *Failure) {
	if failure := notMetrics(s.Page); failure != nil {
		return damage{}, failure
	}
	page := cleanPage(s.Page)
	bad := readEntries(page, isOpenMetrics(s.ContentType, page), p.accept)
	switch {
	case p.scraped == 0 && bad.lines > 0:
		return damage{}, noneReadable(bad.first)
	case p.scraped == 0:
		return bad, newFailure(ClassEmpty, "the page has no samples: the exporter may be starting, or has nothing to show")
	}
	if bad.lines > 0 {
		p.notes.add(noteBadLine, bad.first)
	}
	p.notes.noNumber(p.unreal)
	if !bad.ended {
		p.notes.add(noteUnended, "")
	}
	for _, h := range p.w.touched {
		if fault := h.fault(); fault != "" {
			p.notes.add(noteHistogram, fault)
		}
	}
	return bad, nil
}

// accept takes one entry of the page and says whether it stands.
func (p *pass) accept(parser textparse.Parser, entry textparse.Entry) bool {
	switch entry {
	case textparse.EntrySeries:
		return p.sample(parser)
	case textparse.EntryType:
		p.metric, p.kind = parser.Type()
	case textparse.EntryHelp:
		if name, help := parser.Help(); bytes.HasPrefix(name, []byte("DCGM_")) && isAmbiguous(string(name)) {
			if f := p.w.family(string(name)); f.unit == "" {
				f.unit = unitOfHelp(help)
			}
		}
	}
	return true
}

func (p *pass) sample(parser textparse.Parser) bool {
	text, stamp, v := parser.Series()
	known := p.w.exposed.find(text)
	if known == nil {
		var stands bool
		if known, stands = p.learn(parser, text); !stands {
			return false
		}
	}
	p.scraped++
	if stamp != nil {
		p.notes.add(noteTimestamp, string(text))
	}
	if known == nil {
		return true // left out
	}
	p.kept++
	before := known.round
	if before == p.w.exposed.round {
		p.notes.add(noteDuplicate, string(text))
		return true
	}
	if err := p.w.exposed.show(p.app, known, p.at, v); err != nil {
		p.notes.add(noteNotStored, err.Error())
		return true
	}
	if before == 0 || before != p.w.lastPage {
		p.added++
	}
	p.look(known, v, text)
	return true
}

// look takes from a sample what the page as a whole is asked about.
func (p *pass) look(known *series, v float64, text []byte) {
	f := known.family
	if f.round != p.w.exposed.round {
		p.meet(f)
	}
	if f.series++; f.series > maxFamily {
		p.notes.add(noteExplosion, string(text))
	}
	if p.isUnreal(f, v) {
		name, _, _ := strings.Cut(string(text), "{")
		p.unreal = append(p.unreal, name)
	}
	switch {
	case f.starts:
		p.started = v
	case f.ambiguous:
		// One value over 1.5 settles it for all GPUs of the page, whatever the others show.
		if unit := unitOfValue(v); unit != "" && f.shows != unitPercent {
			f.shows, f.unit = unit, unit
		}
	case known.histogram != nil:
		if known.histogram.add(f.round, bucket{known.bound, v}) {
			p.w.touched = append(p.w.touched, known.histogram)
		}
	}
}

// isUnreal tells whether a value that is read as it stands is none.
func (p *pass) isUnreal(f *family, v float64) bool {
	plain := p.kind == model.MetricTypeGauge || p.kind == model.MetricTypeCounter
	return plain && f.kind != "" && (math.IsNaN(v) || math.IsInf(v, 0))
}

// meet takes note of a metric that this page shows.
func (p *pass) meet(f *family) {
	f.round, f.series, f.shows = p.w.exposed.round, 0, ""
	if f.kind != "" && p.named != KindVLLM {
		p.named = f.kind
	}
	p.http = p.http || f.http
}

// learn makes the acquaintance of a series. It returns nil where the series is left out, and false where the line
// cannot stand: the parser takes a label value that runs over several lines, and labels that are there twice.
func (p *pass) learn(parser textparse.Parser, text []byte) (_ *series, stands bool) {
	if bytes.IndexByte(text, '\n') >= 0 {
		return nil, false
	}
	lset, stands := p.w.relabel(parser, p.kind, &p.notes)
	if !stands {
		return nil, false
	}
	name, hash := lset.Get(model.MetricNameLabel), lset.Hash()
	if p.w.own.byHash[hash] != nil || strings.HasPrefix(name, ownPrefix) {
		p.notes.add(noteDuplicate, string(text)+" (a name of vllmscope's own)")
		return nil, true
	}
	if !p.w.budget.spend(len(text)) {
		known := p.w.exposed.byHash[hash]
		if known == nil {
			p.notes.add(noteSeriesLimit, fmt.Sprintf("over %d series, or %d MiB of their labels, within the kept span: "+
				"new ones are left out, the first is %s", maxSeries, maxSeriesBytes>>20, text))
		}
		return known, true
	}
	known, isNew := p.w.exposed.learn(text, lset, hash)
	if isNew {
		p.w.describe(known, name)
		p.born(known, name)
	}
	return known, true
}

// born gives a counter that appears during the observation a zero at the scrape before, since rate() would lose its
// first increase otherwise. Not those of the GPU hardware: they count from the load of the driver and appear with any
// value. A plain Prometheus does not do this.
func (p *pass) born(known *series, name string) {
	if p.w.lastFilled == 0 || !p.counts(name) || strings.HasPrefix(name, "DCGM_FI_") {
		return
	}
	if ref, err := p.app.Append(0, known.labels, p.w.lastFilled, 0); err == nil {
		known.ref = ref
	}
}

// counts says whether a sample of the current family only ever grows.
func (p *pass) counts(name string) bool {
	suffix, ours := strings.CutPrefix(name, string(p.metric))
	if !ours {
		return false
	}
	switch p.kind {
	case model.MetricTypeCounter:
		return suffix == "" || suffix == "_total"
	case model.MetricTypeHistogram:
		return suffix == "_bucket" || suffix == "_count" || suffix == "_sum"
	case model.MetricTypeSummary:
		return suffix == "_count" || suffix == "_sum"
	}
	return false
}
