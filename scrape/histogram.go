package scrape

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
)

// histogram is the buckets that one histogram showed in one round, to see whether they can be true. They are stored
// as they are: what a broken histogram means is for the reader to judge.
type histogram struct {
	name    string
	round   uint64
	buckets []bucket
}

type bucket struct{ bound, count float64 }

// add takes one bucket and says whether it is the first of this round.
func (h *histogram) add(round uint64, b bucket) (first bool) {
	if first = h.round != round; first {
		h.round, h.buckets = round, h.buckets[:0]
	}
	h.buckets = append(h.buckets, b)
	return first
}

// fault says what is wrong with the buckets, or nothing. Their order on the page does not matter.
func (h *histogram) fault() string {
	byBound := func(a, b bucket) int { return cmp.Compare(a.bound, b.bound) }
	if !slices.IsSortedFunc(h.buckets, byBound) {
		slices.SortFunc(h.buckets, byBound)
	}
	for i, b := range h.buckets[1:] {
		if before := h.buckets[i]; b.count < before.count {
			return h.name + ": fewer at le=" + boundText(b.bound) + " than at le=" + boundText(before.bound)
		}
	}
	if !math.IsInf(h.buckets[len(h.buckets)-1].bound, 1) {
		return h.name + ": no le=+Inf"
	}
	return ""
}

func boundText(bound float64) string { return strconv.FormatFloat(bound, 'g', -1, 64) }

// bucketOf returns what a series is a bucket of, by labels, and its bound. ok is false if it is none.
func bucketOf(lset labels.Labels) (key uint64, bound float64, ok bool) {
	if !strings.HasSuffix(lset.Get(model.MetricNameLabel), "_bucket") {
		return 0, 0, false
	}
	bound, err := strconv.ParseFloat(lset.Get(model.BucketLabel), 64)
	if err != nil {
		return 0, 0, false
	}
	return labels.NewBuilder(lset).Del(model.BucketLabel).Labels().Hash(), bound, true
}
