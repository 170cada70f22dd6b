package scrape

import "time"

const (
	// maxSeries and maxSeriesBytes bound what one target can add to the store and to our memory within the kept span,
	// by a huge page or by new label values in each scrape. The largest vLLM pages known, 8 engines with LoRA, have
	// 5,000 series; 1 kB of memory each.
	maxSeries      = 100_000
	maxSeriesBytes = 32 << 20
	// maxFamily is the number of series of one metric above which its labels are most likely a mistake.
	maxFamily = 10_000
	// maxLabelValue is where a label value is cut, in bytes. LoRA adapters in one label have been seen to make 40 kB.
	maxLabelValue = 64 << 10
)

// budget is what one target may still add.
type budget struct {
	series, bytes int
	since         int64 // sample time of the last renewal, in ms
}

// renew fills the budget up once in each span and says so; the caller then forgets what is gone.
func (b *budget) renew(at int64, span time.Duration) bool {
	first := b.since == 0
	again := !first && span > 0 && at-b.since >= span.Milliseconds()
	if first || again {
		*b = budget{series: maxSeries, bytes: maxSeriesBytes, since: at}
	}
	return again
}

// spend takes one series with a text of this many bytes, if there is room for it.
func (b *budget) spend(bytes int) bool {
	if b.series < 1 || b.bytes < bytes {
		return false
	}
	b.series--
	b.bytes -= bytes
	return true
}
