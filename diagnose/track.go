package diagnose

import (
	"math"
	"slices"
	"time"
)

// Track is what a book came to over a stretch of ticks: one outcome for each rule, subject and tick, the newest facts, and the
// history of the shown signals. At reads the report of one of its ticks from it, without any I/O. It remembers what it looked up for that,
// and so is for one goroutine at a time.
type Track struct {
	book     *Book
	settings Settings
	begin    time.Time // of the data
	from     int64     // first tick, in milliseconds since the epoch
	ticks    int
	rows     map[rowKey][]Outcome
	felt     map[rowKey][]feeling // of rules that say when users feel nothing
	facts    recent
	told     map[int64]bool          // the ticks with whose figures findings are told: their facts are kept
	figures  recent                  // over the screen's window, where that is not the rules'
	history  map[Subject][][]float64 // by place among the shown signals; nil where it is of another level
	past     remembered
	last     lookedUp

	own        map[ownKey]ownRow // of the user's rules
	ownRemarks []string          // what is to be said of them
}

type rowKey struct {
	code    string
	subject Subject
}

// First is the first tick that the track covers.
func (t *Track) First() time.Time { return time.UnixMilli(t.from) }

func (t *Track) tick(i int) int64 { return t.from + int64(i)*t.settings.Step.Milliseconds() }

// position is the index of the last tick at or before a moment.
func (t *Track) position(at time.Time) int {
	return int((at.UnixMilli() - t.from) / t.settings.Step.Milliseconds())
}

// Add takes over what a newer track of the same data says: its ticks follow those of this one, or repeat some for other rules.
// Ticks that nobody judged count as not judged. Of the facts only those stay that the newest reports of both tiers need, and those that findings are told with.
func (t *Track) Add(o *Track) {
	if o.ticks == 0 {
		return
	}
	if t.ticks == 0 {
		*t = *o
		return
	}
	t.last.forgetFrom(o.from)
	begin, end := min(t.from, o.from), max(t.tick(t.ticks-1), o.tick(o.ticks-1))
	step := t.settings.Step.Milliseconds()
	n := int((end-begin)/step) + 1
	shift, offset := int((t.from-begin)/step), int((o.from-begin)/step)
	t.from, t.ticks = begin, n
	for key, outcomes := range t.rows {
		t.rows[key] = stretch(outcomes, shift, n)
	}
	for key, outcomes := range o.rows {
		t.rows[key] = stretch(t.rows[key], 0, n)
		copy(t.rows[key][offset:], outcomes)
	}
	for key, felt := range t.felt {
		t.felt[key] = stretch(felt, shift, n)
	}
	for key, felt := range o.felt {
		t.felt[key] = stretch(t.felt[key], 0, n)
		copy(t.felt[key][offset:], felt)
	}
	t.addHistory(o, shift, offset, n)
	t.addOwn(o, shift, offset, n)
	oldest := end - slowTicks*step
	isOld := func(f *Facts) bool {
		return f.ticks[len(f.ticks)-1] < oldest && !(len(f.ticks) <= slowTicks && slices.ContainsFunc(f.ticks, func(tick int64) bool { return t.told[tick] }))
	}
	t.facts = slices.DeleteFunc(append(t.facts, o.facts...), isOld)
	t.figures = slices.DeleteFunc(append(t.figures, o.figures...), isOld)
}

// stretch puts outcomes at a shift into a row of n ticks.
func stretch[T any](values []T, shift, n int) []T {
	if shift == 0 && len(values) <= n && cap(values) >= n {
		return values[:n]
	}
	long := make([]T, n, n+n/4+16)
	copy(long[shift:], values)
	return long
}

// keepHistory starts the history of the shown signals with the facts of one chunk: those of the subject's level, and of its GPUs.
func (t *Track) keepHistory(facts *Facts) {
	t.history = map[Subject][][]float64{}
	for subject, k := range facts.subjects {
		if k.present == nil {
			continue
		}
		seen, figures := facts.of(subject), make([][]float64, len(t.book.Shown))
		for n, id := range t.book.Shown {
			s := t.book.Signal(id)
			if subject.Level != s.Level && (s.Level != GPU || subject.Level != Replica) {
				continue
			}
			figures[n] = make([]float64, len(facts.ticks))
			for i := range facts.ticks {
				figures[n][i] = seen.value(id, i)
			}
		}
		t.history[subject] = figures
	}
}

// addHistory joins the history of another track; where neither knows a tick, it stays absent.
func (t *Track) addHistory(o *Track, shift, offset, n int) {
	for subject, figures := range t.history {
		newer := o.history[subject]
		for k, values := range figures {
			if values == nil {
				continue
			}
			figures[k] = stretchAbsent(values, shift, n)
			if newer != nil {
				known := min(max(0, shift+len(values)-offset), len(newer[k])) // reports share what is there, and it would be the same
				copy(figures[k][offset+known:], newer[k][known:])
			}
		}
	}
	for subject, figures := range o.history {
		if t.history[subject] != nil {
			continue
		}
		for k, values := range figures {
			if values != nil {
				figures[k] = stretchAbsent(values, offset, n)
			}
		}
		t.history[subject] = figures
	}
}

// stretchAbsent is stretch for values, where what is new is absent.
func stretchAbsent(values []float64, shift, n int) []float64 {
	long := stretch(values, shift, n)
	for i := range shift {
		long[i] = math.NaN()
	}
	for i := shift + len(values); i < n; i++ {
		long[i] = math.NaN()
	}
	return long
}

// youth is how long every rule is judged at every tick, so that a screen says something after its second scrape. It is the usual window
// of the rules.
const youth = DefaultWindow

// historyTo is the history up to a tick. Values are shared, since a history only grows at its end.
func (t *Track) historyTo(tick int64) map[Subject][][]float64 {
	n := t.position(time.UnixMilli(tick)) + 1
	all := make(map[Subject][][]float64, len(t.history))
	for subject, figures := range t.history {
		cut := make([][]float64, len(figures))
		for k, values := range figures {
			cut[k] = values[:min(n, len(values)):min(n, len(values))]
		}
		all[subject] = cut
	}
	return all
}
