package simulate

import (
	"slices"
	"testing"
)

// TestMediaCache holds 175 images of 24 MB in 4 GiB, and forgets the one that was not used for longest.
func TestMediaCache(t *testing.T) {
	var c mediaCache
	many := make([]int, 175)
	for i := range many {
		many[i] = i
	}
	check(t, bound{"seconds for 175 new images", c.prepare(many), 17.49, 17.51}, bound{"images held", float64(len(c.images)), 175, 175})
	check(t, bound{"seconds for a known and a new image", c.prepare([]int{0, 900}), 0.1149, 0.1151})
	if slices.Contains(c.images, 1) || !slices.Contains(c.images, 0) || len(c.images) != 175 {
		t.Errorf("%d images are held, the first among them %v, the second %v", len(c.images), slices.Contains(c.images, 0), slices.Contains(c.images, 1))
	}
	m := newEngineMetrics(100, false)
	c.tell(m)
	c.tell(m)
	check(t, bound{"queries", m.mediaQueries, 177, 177}, bound{"hits", m.mediaHits, 1, 1})
}
