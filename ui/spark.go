package ui

import (
	"math"
	"strings"
)

// spark draws values in one row, each as high as its part of the top; a gap is a blank.
func (k *look) spark(values []float64, top float64) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(k.sparkSign(v, top))
	}
	return b.String()
}

func (k *look) sparkSign(v, top float64) string {
	switch {
	case math.IsNaN(v), math.IsNaN(v/top) && top > 0:
		return " "
	case !(top > 0) || v <= 0: // a top that is NaN too
		return k.sign.spark[0]
	}
	return k.sign.spark[int(min(v/top*float64(len(k.sign.spark)), float64(len(k.sign.spark)-1)))]
}

// bar fills a width by a share of 0 to 1, to an eighth of a cell where the signs can.
func (k *look) bar(share float64, width int) string {
	if !(share > 0) {
		return ""
	}
	parts := len(k.sign.bar)
	n := int(math.Round(min(share, 1) * float64(width*parts)))
	bar := strings.Repeat(k.sign.bar[parts-1], n/parts)
	if rest := n % parts; rest > 0 {
		bar += k.sign.bar[rest-1]
	}
	return bar
}

// niceTop is the next of 1, 2, 5, 10, … at or above a value: the top of a scale that stays the same while values move below it.
func niceTop(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*power {
			return m * power
		}
	}
	return 10 * power
}
