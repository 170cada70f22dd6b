package scrape

import (
	"fmt"
	"slices"
	"strings"
)

// note is one remark on the quality of a page, written as vllmscope_note{note,detail} 1 for as long as it holds.
type note struct{ name, detail string }

// The notes. The detail, where there is one, is the first case met.
const (
	noteBadLine       = "bad_line"            // a line could not be read
	noteDuplicate     = "duplicate_series"    // a series is there twice; the first counts
	noteHistogram     = "broken_histogram"    // buckets decrease, or +Inf is missing
	noteTimestamp     = "timestamps_ignored"  // samples carry a time of their own
	noteBareGzip      = "gzip_without_header" // the page came packed and no header said so
	noteNoNumber      = "no_number"           // gauges or counters that are judged are NaN or infinite
	noteExplosion     = "label_explosion"     // one metric has more than maxFamily series
	noteSeriesLimit   = "series_limit"        // new series are left out, see budget
	noteCutLabel      = "cut_label"           // a label value was longer than maxLabelValue
	noteUnended       = "no_end_marker"       // an OpenMetrics page ends without # EOF: the rest may be missing
	noteNotStored     = "not_stored"          // the store refused samples
	noteClockStep     = "clock_step"          // the clock of this host was set
	noteSlowForPeriod = "interval"            // scrapes take longer than the interval
)

// notes collects the notes of one scrape, the first of each name.
type notes []note

func (n *notes) add(name, detail string) {
	for _, known := range *n {
		if known.name == name {
			return
		}
	}
	*n = append(*n, note{name, printable(detail, maxText)})
}

// mostNamed is how many metrics a note names.
const mostNamed = 5

// noNumber says which gauges and counters are NaN or infinite: all that is read of them is absent, and nobody would know why.
func (n *notes) noNumber(names []string) {
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	names = slices.Compact(names)
	detail := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if more := len(names) - mostNamed; more > 0 {
		detail += fmt.Sprintf(" and %d more", more)
	}
	n.add(noteNoNumber, detail+": NaN or infinite on the page, so that nothing can be said of them")
}
