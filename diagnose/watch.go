package diagnose

import (
	"context"
	"slices"
	"time"
)

// Watch judges a source as it grows, and keeps the track. It reads no clock: whoever drives it says up to when the data is
// complete.
type Watch struct {
	source      Source
	book        *Book
	settings    Settings
	keep        time.Duration
	track       *Track
	showAll     bool
	showWork    bool
	slow        slowReadings
	fresh       []*computation // of the tick that is judged: nobody has seen their facts yet
	judgedQuick int64          // last tick at which those were judged, and all rules; 0 when none
	judgedAll   int64
}

// longestChunk bounds one evaluation: ten minutes at 5 s cost some 20 ms for one replica and 0.9 s for 64.
const longestChunk = 120

// NewWatch makes a watch that keeps outcomes for the given time.
func NewWatch(src Source, book *Book, set Settings, keep time.Duration) *Watch {
	return &Watch{
		source: src, book: book, settings: set, keep: keep,
		track: &Track{book: book, settings: set},
	}
}

// Advance judges every tick that is due at the watermark: the latest moment up to which the data is complete. Before the first
// tick it judges the watermark itself, so that the first scrape is shown at once; that report is not kept. It returns nil while
// there is no data, and when no tick is due since the last call.
func (w *Watch) Advance(ctx context.Context, watermark time.Time) (*Report, error) {
	defer func() { w.fresh = nil }()
	begin, _, err := w.source.Span(ctx)
	if err != nil || begin.IsZero() {
		return nil, err
	}
	newest := w.floor(watermark, 1)
	if newest < begin.UnixMilli() {
		return w.provisional(ctx, watermark)
	}
	if newest == w.judgedQuick {
		return nil, nil
	}
	if w.judgedQuick == 0 {
		before := max(w.floor(begin.Add(w.settings.Step-1), 1), w.floor(watermark.Add(-w.keep), 1)) - w.settings.Step.Milliseconds()
		w.judgedQuick, w.judgedAll = before, before
	}
	all := w.floor(watermark, slowTicks)
	if time.UnixMilli(newest).Sub(begin) < youth {
		all = newest
	}
	if err := w.judge(ctx, w.book, &w.judgedAll, all); err != nil {
		return nil, err
	}
	w.judgedQuick = max(w.judgedQuick, w.judgedAll)
	if err := w.judge(ctx, w.book.quick(w.track.lively(newest)), &w.judgedQuick, newest); err != nil {
		return nil, err
	}
	if err := w.details(ctx, newest); err != nil {
		return nil, err
	}
	w.track.forget(watermark.Add(-w.keep))
	return w.track.At(time.UnixMilli(newest)), nil
}

// ShowAll has every signal that a rule compares computed at the ticks to come, for people to look at. Without it, one that no verdict
// depends on has no value: most rules are false by their first condition.
func (w *Watch) ShowAll(on bool) { w.showAll = on }

// Again is the report of the last tick once more, with what is to be shown by now; nil where no tick was judged yet.
func (w *Watch) Again(ctx context.Context) (*Report, error) {
	if w.judgedQuick == 0 {
		return nil, nil
	}
	if err := w.details(ctx, w.judgedQuick); err != nil {
		return nil, err
	}
	return w.track.At(time.UnixMilli(w.judgedQuick)), nil
}

// details computes what telling the findings of a tick takes, each at the tick with whose figures it is told.
func (w *Watch) details(ctx context.Context, tick int64) error {
	wanted := map[int64][]string{}
	want := func(due int64, ids []string) {
		for _, id := range ids {
			if f, _ := w.track.facts.at(w.book.Signal(id), due); f == nil {
				wanted[due] = append(wanted[due], id)
			}
		}
	}
	w.track.told = map[int64]bool{}
	for due, rules := range w.track.active(tick) {
		w.track.told[due] = true
		for _, r := range rules {
			want(due, r.signals())
		}
	}
	if w.showAll {
		for i := range w.book.Rules {
			want(tick, w.book.Rules[i].judged())
		}
		want(tick, gpuLineSignals)
	}
	if w.showAll || w.showWork {
		want(tick, workSignals)
	}
	for due, ids := range wanted {
		c, err := w.computationAt(ctx, due)
		if err != nil {
			return err
		}
		if err := c.extend(ctx, ids); err != nil {
			return err
		}
	}
	return nil
}

// computationAt is what computes at a tick: one that has just judged it, or a new one. Facts that a report has do not change any more.
func (w *Watch) computationAt(ctx context.Context, tick int64) (*computation, error) {
	for _, c := range w.fresh {
		if c.index(tick) >= 0 && len(c.ticks) <= slowTicks {
			return c, nil
		}
	}
	at := time.UnixMilli(tick)
	c, err := newComputation(ctx, w.source, w.book.Catalogue, w.settings, at, at)
	if err != nil {
		return nil, err
	}
	c.slow = &w.slow
	w.track.facts = append(w.track.facts, c.Facts)
	return c, nil
}

// floor is the last multiple of so many steps at or before a moment.
func (w *Watch) floor(at time.Time, steps int64) int64 {
	grid := steps * w.settings.Step.Milliseconds()
	return at.UnixMilli() / grid * grid
}

// judge judges part of the book from the tick after done up to the tick last, in chunks.
func (w *Watch) judge(ctx context.Context, part *Book, done *int64, last int64) error {
	step := w.settings.Step.Milliseconds()
	for *done < last {
		from, to := *done+step, min(last, *done+longestChunk*step)
		chunk, c, err := judgeAfter(ctx, w.source, part, w.settings, &w.slow, time.UnixMilli(from), time.UnixMilli(to))
		if err != nil {
			return err
		}
		w.fresh = append(w.fresh, c)
		chunk.book = w.book
		w.track.Add(chunk)
		*done = to
	}
	return nil
}

// provisional judges one moment between two ticks.
func (w *Watch) provisional(ctx context.Context, at time.Time) (*Report, error) {
	set := w.settings
	set.Step = time.Millisecond
	t, err := Judge(ctx, w.source, w.book, set, at, at)
	if err != nil {
		return nil, err
	}
	t.settings = w.settings
	w = &Watch{source: w.source, book: w.book, settings: set, track: t}
	if err := w.details(ctx, at.UnixMilli()); err != nil {
		return nil, err
	}
	return t.At(at), nil
}

// JudgeAt is the report of one moment of a source: it judges as far back as a state can depend on, and farther while a finding
// began before that.
func JudgeAt(ctx context.Context, src Source, book *Book, set Settings, at time.Time) (*Report, error) {
	for keep := book.memory(); ; keep *= 2 {
		w := NewWatch(src, book, set, keep)
		w.showWork = true
		r, err := w.Advance(ctx, at)
		if err != nil || r == nil || !w.beganBefore(r) {
			return r, err
		}
	}
}

// beganBefore tells whether a finding of the report goes on since before the track while there is data.
func (w *Watch) beganBefore(r *Report) bool {
	first := w.track.First()
	if !first.After(r.Begin.Add(w.settings.Step)) {
		return false
	}
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return f.State == Firing && f.Since.Before(first.Add(f.Hold))
	})
}

// memory is how far back the state of any rule of the book can depend on the data's outcomes.
func (b *Book) memory() time.Duration {
	longest := time.Duration(0)
	for _, r := range b.Rules {
		longest = max(longest, memory(max(r.Hold, r.CriticalHold)))
	}
	if b.Own != nil {
		for _, r := range b.Own.Rules {
			longest = max(longest, memory(r.Hold)+r.KeepFiring)
		}
	}
	return longest
}
