package diagnose

import (
	"context"
	"slices"
	"time"
)

// shorten takes a distribution from that over a shorter window at the ticks up to which there is no more data than that: as many
// observations, fewer of them a second. Windows of days cost nothing so while there are no days.
func (c *computation) shorten(ctx context.Context, d *Distribution, found distribution) error {
	short := c.catalogue.buckets[d.Shorter]
	if short == nil || !c.within(0, short.Window) {
		return nil
	}
	parts, err := c.distribution(ctx, short)
	factor := float64(c.settings.window(short.Window)) / float64(c.settings.window(d.Window))
	for subject, ticks := range parts {
		byTick := c.bucketsOf(found, subject)
		for i, b := range ticks {
			if !c.within(i, short.Window) {
				break
			}
			byTick[i] = nil
			for _, one := range b {
				byTick[i] = append(byTick[i], bucket{one.upper, factor * one.count})
			}
		}
	}
	return err
}

// within tells whether all data up to a tick lies in a window.
func (f *Facts) within(i int, window time.Duration) bool {
	return time.UnixMilli(f.ticks[i]).Sub(f.begin) <= window
}

// withoutEchoes leaves out signals over a longer window than one before them in the list where that has all the data already.
func (t *Track) withoutEchoes(ids []string, tick int64) []string {
	observed := time.UnixMilli(tick).Sub(t.begin)
	of := func(id string) *Distribution {
		for _, part := range t.book.formulas[id].operands {
			if d := t.book.buckets[t.book.Signal(part).Of]; d != nil {
				return d
			}
		}
		return nil
	}
	var kept []string
	for _, id := range ids {
		if d := of(id); d == nil || !slices.ContainsFunc(kept, func(o string) bool {
			before := of(o)
			return before != nil && t.book.endsIn(d, before) && observed <= before.Window
		}) {
			kept = append(kept, id)
		}
	}
	return kept
}

// endsIn tells whether one distribution is a longer form of another.
func (c *Catalogue) endsIn(d, short *Distribution) bool {
	for d = c.buckets[d.Shorter]; d != nil; d = c.buckets[d.Shorter] {
		if d == short {
			return true
		}
	}
	return false
}
