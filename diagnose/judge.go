package diagnose

import (
	"context"
	"math"
	"slices"
	"time"
)

// Judge holds the rules of the book against the data at every tick from from to to. It is the one primitive: live it is called
// for a tick or three, at a jump for the lookback, in a replay for ten minutes, and it gives the same outcomes each time.
func Judge(ctx context.Context, src Source, book *Book, set Settings, from, to time.Time) (*Track, error) {
	facts, err := compute(ctx, src, book.Catalogue, set, book.ids(), from, to)
	if err != nil {
		return nil, err
	}
	begin, _, err := src.Span(ctx)
	if err != nil {
		return nil, err
	}
	t := &Track{book: book, settings: set, begin: begin, rows: map[row][]Outcome{}, facts: []*Facts{facts}}
	if len(facts.ticks) == 0 {
		return t, nil
	}
	t.from, t.ticks = facts.ticks[0], len(facts.ticks)
	for subject := range facts.subjects {
		t.judgeSubject(subject, facts)
	}
	figures, err := t.readFigures(ctx, src, facts, from, to)
	if err != nil {
		return nil, err
	}
	t.keepHistory(figures)
	if figures != facts {
		t.figures = recent{figures}
	}
	if err := t.judgeCritical(ctx, src, from, to); err != nil {
		return nil, err
	}
	if err := t.judgeOwn(ctx, src, from, to); err != nil {
		return nil, err
	}
	return t, t.explainAbsence(ctx, src, facts)
}

// readFigures computes what is shown where the screen has a window of its own; where it has not, the rules' facts serve.
func (t *Track) readFigures(ctx context.Context, src Source, facts *Facts, from, to time.Time) (*Facts, error) {
	set := t.settings.onScreen()
	if set.window(0) == t.settings.window(0) {
		return facts, nil
	}
	return compute(ctx, src, t.book.Catalogue, set, slices.Concat(t.book.Shown, reportSignals), from, to)
}

// judgeCritical asks the rules that hold somewhere how bad it is. What only that takes is computed only then.
func (t *Track) judgeCritical(ctx context.Context, src Source, from, to time.Time) error {
	var ids []string
	holding := map[row]*Rule{}
	for key, outcomes := range t.rows {
		if r := t.book.Rule(key.code); r.Critical != nil && slices.Contains(outcomes, Yes) {
			holding[key], ids = r, append(ids, signalsOf(r.Critical)...)
		}
	}
	if len(holding) == 0 {
		return nil
	}
	facts, err := compute(ctx, src, t.book.Catalogue, t.settings, ids, from, to)
	if err != nil {
		return err
	}
	t.facts = append(t.facts, facts)
	for key, r := range holding {
		for i, o := range t.rows[key] {
			if o == Yes && r.Critical.judge(func(id string) float64 { return facts.value(id, key.subject, i) }, false) == True {
				t.rows[key][i] = YesCritical
			}
		}
	}
	return nil
}

// judgeSubject fills the rows of one subject.
func (t *Track) judgeSubject(subject Subject, facts *Facts) {
	k, seen := facts.subjects[subject], facts.of(subject)
	for n := range t.book.Rules {
		r := &t.book.Rules[n]
		if subject.Level != r.Level || k.present == nil {
			continue
		}
		outcomes := make([]Outcome, len(facts.ticks))
		for i := range facts.ticks {
			if k.present[i] {
				outcomes[i] = r.outcome(func(id string) float64 { return seen.value(id, i) })
			}
		}
		t.rows[row{r.Code, subject}] = outcomes
	}
}

// outcome is what the rule comes to with these values, before it is asked how bad it is.
func (r *Rule) outcome(value func(string) float64) Outcome {
	switch r.When.judge(value, false) {
	case Unknown:
		return CannotJudge
	case False:
		if r.When.judge(value, true) == False {
			return No
		}
		return Band
	}
	return Yes
}

// explainAbsence asks, for the signals that kept a rule from being judged, which targets export them at all.
func (t *Track) explainAbsence(ctx context.Context, src Source, facts *Facts) error {
	c := computation{Facts: facts, source: src}
	for key, outcomes := range t.rows {
		for i, o := range outcomes {
			if o != CannotJudge || !facts.subjects[key.subject].isPresent(i) {
				continue
			}
			for _, is := range t.book.Rule(key.code).comparisons() {
				if math.IsNaN(facts.value(is.Signal, key.subject, i)) {
					if err := c.askExported(ctx, is.Signal); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
