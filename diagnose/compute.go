package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// A computation fills the Facts of one chunk of ticks from a source.
type computation struct {
	*Facts
	source        Source
	slow          *slowReadings           // of the chunk before; nil where there is none
	distributions map[string]distribution // those that were read, by id
	byLevel       [levels][]met
	bySeries      [levels]map[uint64]labelled
}

// compute evaluates the signals with these ids, and all that they are made of, at the ticks from from to to.
func compute(ctx context.Context, src Source, cat *Catalogue, set Settings, ids []string, from, to time.Time) (*Facts, error) {
	c, err := newComputation(ctx, src, cat, set, from, to)
	if err != nil {
		return nil, err
	}
	return c.Facts, c.extend(ctx, ids)
}

// newComputation finds out what is there at the ticks from from to to, and reads what every signal is gated by.
func newComputation(ctx context.Context, src Source, cat *Catalogue, set Settings, from, to time.Time) (*computation, error) {
	c := &computation{source: src, distributions: map[string]distribution{}, Facts: &Facts{
		catalogue: cat, settings: set, ticks: set.ticks(from, to),
		subjects: map[Subject]*subjectFacts{}, up: map[targetKey][]float64{}, pages: map[targetKey][]float64{}, began: map[targetKey][]float64{}, renewed: map[targetKey][]float64{},
		infos: map[string]infos{}, exported: map[string]map[targetKey][]bool{},
	}}
	for level, n := range cat.count {
		c.computed[level] = make([]bool, n)
	}
	var err error
	if c.begin, _, err = src.Span(ctx); err != nil || len(c.ticks) == 0 {
		return c, err
	}
	if c.resolver, err = cat.resolve(ctx, src, c.last()); err != nil {
		return nil, err
	}
	if err := c.presence(ctx); err != nil {
		return nil, err
	}
	if err := c.readInfos(ctx); err != nil {
		return nil, err
	}
	if err := c.extend(ctx, scrapeSignals); err != nil {
		return nil, err
	}
	c.findSilent()
	return c, nil
}

// extend computes the signals with these ids, and all that they are made of, that are not computed yet.
func (c *computation) extend(ctx context.Context, ids []string) error {
	if len(c.ticks) == 0 || len(ids) == 0 {
		return nil
	}
	order, err := c.catalogue.order(ids)
	if err != nil {
		return err
	}
	return c.read(ctx, slices.DeleteFunc(order, func(s *Signal) bool { return c.computed[s.Level][s.place] }))
}

// scrapeSignals are read whatever is asked for: they gate the others and explain their absence.
var scrapeSignals = []string{"up", "scrapes", "first_page", "new_processes", "last_scrape"}

func (f *Facts) first() time.Time { return time.UnixMilli(f.ticks[0]) }
func (f *Facts) last() time.Time  { return time.UnixMilli(f.ticks[len(f.ticks)-1]) }

// read fills the columns, each signal after what it is made of.
func (c *computation) read(ctx context.Context, order []*Signal) error {
	for _, s := range order {
		c.computed[s.Level][s.place] = true
		var err error
		switch {
		case c.settings.unbound(cmp.Or(s.Take.bound, s.Bound)):
			c.noneOver(s)
		case s.Expr != "":
			err = c.readExpr(ctx, s)
		case s.Of != "":
			err = c.take(ctx, s)
		case s.Formula != "":
			c.combine(s)
		}
		if err != nil {
			return fmt.Errorf("signal %s: %w", s.ID, err)
		}
		if s.Expr != "" || s.Of != "" {
			c.gate(s)
			c.doubt(s)
		}
		c.acrossGPUs(s)
	}
	return nil
}

// query evaluates an expression of the catalogue over the ticks; with a span of more than a step, at multiples of that only.
func (c *computation) query(ctx context.Context, expr string, window time.Duration, perSecond bool, every time.Duration) ([]Series, error) {
	resolved, err := c.resolver.resolve(expr, c.settings, window, perSecond)
	switch {
	case err != nil || resolved.futile:
		return nil, err
	case every > c.settings.Step:
		return c.readSlowly(ctx, resolved, every)
	}
	return c.source.Range(ctx, resolved.expr, c.first(), c.last(), c.settings.Step)
}

func (c *computation) readExpr(ctx context.Context, s *Signal) error {
	series, err := c.query(ctx, s.Expr, s.Window, s.Unit.isRate(), s.Every)
	if err != nil {
		return err
	}
	defer c.atHand(s)
	for _, one := range series {
		k := c.meetSeries(s.Level, one.Labels)
		if k.columns == nil || k.columns[s.place] == nil {
			c.put(s, k.subjectFacts, newColumn(len(c.ticks)))
		}
		col := k.columns[s.place]
		for _, p := range one.Points {
			v := p.Value
			if s.Label != "" {
				v = labelValue(one.Labels.Get(s.Label))
			}
			if i := c.index(p.Time); i >= 0 && s.Unit.plausible(v) {
				col.value[i] = v * c.young(s, k.Subject, i)
			}
		}
	}
	return nil
}

// atHand keeps the columns by target that every other signal is gated and measured by.
func (c *computation) atHand(s *Signal) {
	byTarget := map[string]map[targetKey][]float64{"up": c.up, "scrapes": c.pages, "first_page": c.began, "new_processes": c.renewed}[s.ID]
	if byTarget == nil {
		return
	}
	for _, k := range c.byLevel[s.Level] {
		if col := c.column(s, k.Subject); col != nil {
			byTarget[keyOf(k.Subject)] = col.value
		}
	}
}

// young is the factor that makes a rate of a target that is new, or was started anew, one of the time in which it was watched; NaN where
// that is none.
func (c *computation) young(s *Signal, subject Subject, i int) float64 {
	if !s.overWatched() || c.settings.lifetime {
		return 1
	}
	watched := c.watched(subject, i)
	if watched <= 0 {
		return math.NaN()
	}
	return float64(c.settings.window(0)) / float64(watched)
}

// labelValue reads a number that vLLM tells in a label; it writes None where it has none.
func labelValue(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// combine computes a formula for every subject of its level.
func (c *computation) combine(s *Signal) {
	f := c.catalogue.formulas[s.ID]
	for _, k := range c.byLevel[s.Level] {
		col, seen := newColumn(len(c.ticks)), c.of(k.Subject)
		for i := range c.ticks {
			col.value[i] = s.translate(f.eval(func(id string) float64 { return seen.value(id, i) }))
		}
		if slices.ContainsFunc(col.value, func(v float64) bool { return v == v }) { // an empty column would hide that of a GPU's server
			c.put(s, k.subjectFacts, col)
		}
	}
}

// translate puts a value through the signal's table.
func (s *Signal) translate(v float64) float64 {
	if s.Table == nil || math.IsNaN(v) {
		return v
	}
	if t, ok := s.Table[int(v)]; ok {
		return t
	}
	return math.NaN()
}

// gate removes values of targets that did not answer: a rate outlives its target by a window.
func (c *computation) gate(s *Signal) {
	if s.Ungated || s.Level == Model {
		return
	}
	for _, k := range c.byLevel[s.Level] {
		if k.columns == nil || k.columns[s.place] == nil {
			continue
		}
		up, col := c.up[keyOf(k.Subject)], k.columns[s.place]
		for i := range c.ticks {
			if up == nil || up[i] != 1 {
				col.value[i] = math.NaN()
			}
		}
	}
}

// doubt removes values while another signal says that they are not to be believed.
func (c *computation) doubt(s *Signal) {
	if s.Unless == "" {
		return
	}
	for _, k := range c.byLevel[s.Level] {
		seen, col := c.of(k.Subject), c.column(s, k.Subject)
		if col == nil {
			continue
		}
		for i := range c.ticks {
			if seen.value(s.Unless, i) > 0 {
				col.value[i] = math.NaN()
			}
		}
	}
}

// fill replaces the placeholders of a catalogue expression.
func fill(expr string, set Settings, window time.Duration) string {
	span := set.window(window)
	return strings.NewReplacer(
		"$window", model.Duration(span).String(),
		"$sixtieth", model.Duration((span / 60).Round(time.Millisecond)).String(),
		"$moment", model.Duration(max(30*time.Second, 2*set.Step)).String(), // in which a change shows
	).Replace(grouping.Replace(expr))
}
