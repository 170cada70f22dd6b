package diagnose

import (
	"context"
	"maps"
	"slices"
	"time"
)

// Judge holds the rules of the book against the data at every tick from from to to. It is the one primitive: live it is called
// for a tick or three, at a jump for the lookback, in a replay for ten minutes, and it gives the same outcomes each time.
func Judge(ctx context.Context, src Source, book *Book, set Settings, from, to time.Time) (*Track, error) {
	t, _, err := judgeAfter(ctx, src, book, set, nil, from, to)
	return t, err
}

// judgeAfter does the same with what is known of the slow readings before, and returns what computed it.
func judgeAfter(ctx context.Context, src Source, book *Book, set Settings, slow *slowReadings, from, to time.Time) (*Track, *computation, error) {
	c, err := newComputation(ctx, src, book.Catalogue, set, from, to)
	if err != nil {
		return nil, nil, err
	}
	c.slow = slow
	t := &Track{book: book, settings: set, begin: c.begin, rows: map[rowKey][]Outcome{}, felt: map[rowKey][]feeling{}, facts: []*Facts{c.Facts}}
	if len(c.ticks) == 0 {
		return t, c, nil
	}
	t.from, t.ticks = c.ticks[0], len(c.ticks)
	if err := c.extend(ctx, book.always()); err != nil {
		return nil, nil, err
	}
	if err := t.judgeRules(ctx, c); err != nil {
		return nil, nil, err
	}
	figures, err := t.readFigures(ctx, c, from, to)
	if err != nil {
		return nil, nil, err
	}
	t.keepHistory(figures)
	if figures != c.Facts {
		t.figures = recent{figures}
	}
	if err := t.judgeSeverity(ctx, c); err != nil {
		return nil, nil, err
	}
	if err := t.judgeOwn(ctx, src, from, to); err != nil {
		return nil, nil, err
	}
	return t, c, t.explainAbsence(ctx, c)
}

// readFigures computes what is shown where the screen has a window of its own; where it has not, the rules' facts serve.
func (t *Track) readFigures(ctx context.Context, rules *computation, from, to time.Time) (*Facts, error) {
	set := t.settings.onScreen()
	if set.window(0) == t.settings.window(0) {
		return rules.Facts, nil
	}
	c, err := newComputation(ctx, rules.source, t.book.Catalogue, set, from, to)
	if err != nil {
		return nil, err
	}
	c.slow = rules.slow
	return c.Facts, c.extend(ctx, t.book.always())
}

// judgeSeverity asks the rules that hold somewhere how bad it is, and whether users feel anything. What only that takes is computed
// only then.
func (t *Track) judgeSeverity(ctx context.Context, c *computation) error {
	var ids []string
	holding := map[rowKey]*Rule{}
	for key, outcomes := range t.rows {
		if r := t.book.Rule(key.code); (r.Critical != nil || r.Mild != nil) && slices.Contains(outcomes, Yes) {
			holding[key], ids = r, append(ids, r.graded()...)
		}
	}
	if err := c.extend(ctx, ids); err != nil {
		return err
	}
	for key, r := range holding {
		t.grade(r, key, c)
	}
	return nil
}

// grade asks one rule at the ticks at which it holds for a subject.
func (t *Track) grade(r *Rule, key rowKey, c *computation) {
	seen := c.of(key.subject)
	if r.Mild != nil {
		t.felt[key] = make([]feeling, len(c.ticks))
	}
	for i, o := range t.rows[key] {
		if o != Yes {
			continue
		}
		value := func(id string) float64 { return seen.value(id, i) }
		if r.Mild != nil {
			t.felt[key][i] = feelingOf(judge(r.Mild, value))
		}
		if r.Critical != nil && judge(r.Critical, value) == True {
			t.rows[key][i] = YesCritical
		}
	}
}

// explainAbsence asks, for the signals that kept a rule from being judged, which targets export them at all.
func (t *Track) explainAbsence(ctx context.Context, c *computation) error {
	missing := map[string]bool{}
	for key, outcomes := range t.rows {
		rule, seen := t.book.Rule(key.code), c.of(key.subject)
		for i, o := range outcomes {
			if o != CannotJudge || !c.subjects[key.subject].isPresent(i) {
				continue
			}
			for _, is := range unknowns(rule.When, func(id string) float64 { return seen.value(id, i) }) {
				missing[is.Signal] = true
			}
		}
	}
	return c.askExported(ctx, slices.Collect(maps.Keys(missing)))
}
