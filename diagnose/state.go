package diagnose

import "time"

// Outcome is what a rule came to for one subject at one tick.
type Outcome byte

// The outcomes. Band is between clearing and firing: it neither starts nor ends anything.
const (
	CannotJudge Outcome = iota
	No
	Band
	Yes
	YesCritical
)

// State is a finding's life.
type State uint8

// The states, least first.
const (
	Inactive State = iota
	Resolved
	Pending
	Firing
)

// String is the state's word.
func (s State) String() string { return [...]string{"inactive", "resolved", "pending", "firing"}[s] }

const (
	// A rule fires when it was true in this share of the ticks of its hold that could be judged … (judgement).
	sustained = 0.8
	// … and at least this share could be judged.
	judgeable = 0.5
	// A finding ends when it has not met its firing test for twice its hold, and at least this long. It bounds what a state
	// depends on, so that a state is the same wherever one began to look.
	expiry = 10 * time.Minute
	// A finding that ended is shown for this long.
	afterglow = 5 * time.Minute
	// Nothing fires before this long and this many scrapes were seen, so that a start is no burst of alarms.
	warmUp        = 30 * time.Second
	warmUpScrapes = 5
	// A pending finding that was not true for this many ticks is no longer told.
	pendingGap = 2
)

// memory is how far back the state of a rule with this hold can depend on outcomes: a firing lasts no longer than its expiry
// after a window of its hold, and is remembered for the afterglow.
func memory(hold time.Duration) time.Duration { return max(2*hold, expiry) + hold + afterglow }

// ticksIn is the number of steps in a span, at least one.
func ticksIn(span, step time.Duration) int { return max(1, int((span+step-1)/step)) }

// A fold reads the state of one rule for one subject out of its outcomes, one a tick.
type fold struct {
	outcomes []Outcome
	least    Outcome // what counts as true
	hold     int     // all in ticks
	expiry   int
	glow     int
	warm     int // nothing fires before this tick
	shown    int // how long a pending finding must have held to be told
}

func newFold(outcomes []Outcome, least Outcome, hold, step time.Duration) fold {
	return fold{
		outcomes: outcomes, least: least, shown: 1,
		hold: ticksIn(hold, step), expiry: ticksIn(max(2*hold, expiry), step), glow: ticksIn(afterglow, step),
	}
}

// life is the state at one tick, and from which tick on the conditions have held.
type life struct {
	state State
	since int
	held  int // ticks up to now for which the conditions have held
	quiet int // ticks since the conditions were last true
}

// at folds the outcomes from tick start up to tick i. The state is the same for every start that is at least the rule's memory
// back; since is right when the start is before the finding began.
func (f fold) at(start, i int) life {
	e := f.episode(start, i)
	held, quiet := f.held(start, i), i-f.lastTrue(start, i)
	switch {
	case e.firing:
		return life{Firing, e.since, i - e.since + 1, quiet}
	case held >= min(f.hold, f.shown) && quiet < pendingGap:
		return life{Pending, i - held + 1, held, quiet}
	case e.ended >= 0 && i-e.ended < f.glow:
		return life{Resolved, e.since, 0, quiet}
	}
	return life{}
}

// episode is the latest stretch of firing.
type episode struct {
	firing bool
	since  int // when its conditions began to hold
	last   int // the last tick that met the firing test
	ended  int // -1 while none has
}

// episode walks through the outcomes from tick start to tick i.
func (f fold) episode(start, i int) episode {
	e := episode{ended: -1}
	var known, yes, quiet int // in the window of the hold; quiet is the run of no that ends with the tick
	for j := start; j <= i; j++ {
		f.count(j, 1, &known, &yes)
		if j-f.hold >= start {
			f.count(j-f.hold, -1, &known, &yes)
		}
		if quiet++; f.outcomes[j] != No {
			quiet = 0
		}
		watched := j-f.hold+1 >= start && j >= f.warm
		switch {
		case watched && sustainedBy(known, yes, f.hold):
			if !e.firing {
				e.since = min(f.firstTrue(j-f.hold+1, j), j-f.held(start, j)+1)
			}
			e.firing, e.last = true, j
		case e.firing && (2*quiet >= f.hold || j-e.last >= f.expiry):
			e.firing, e.ended = false, j
		}
	}
	return e
}

// lastTrue is the last tick at which the rule was true, or the one before start.
func (f fold) lastTrue(start, i int) int {
	for j := i; j >= start; j-- {
		if f.outcomes[j] >= f.least {
			return j
		}
	}
	return start - 1
}

// life is the state at tick i of a row that has been watched since tick start. It looks no further back than the rule's memory,
// save to find out when a finding that fires began.
func (f fold) life(start, i int) life {
	near := max(start, i-f.expiry-f.hold-f.glow)
	if f.lastTrue(near, i) < near {
		return life{}
	}
	l := f.at(near, i)
	if l.state == Firing && near > start {
		l = f.at(start, i)
	}
	return l
}

// count adds the outcome of tick j to the counts, or with -1 takes it away.
func (f fold) count(j, by int, known, yes *int) {
	if f.outcomes[j] != CannotJudge {
		*known += by
	}
	if f.outcomes[j] >= f.least {
		*yes += by
	}
}

// sustainedBy is the firing test over n ticks.
func sustainedBy(known, yes, n int) bool {
	return yes > 0 && float64(yes) >= sustained*float64(known) && float64(known) >= judgeable*float64(n)
}

func (f fold) firstTrue(from, to int) int {
	for j := from; j < to; j++ {
		if f.outcomes[j] >= f.least {
			return j
		}
	}
	return to
}

// held is for how many ticks up to tick i the rule has been true in the sense of the firing test: at most its hold, save in the warm-up,
// which a rule with a short hold outlasts.
func (f fold) held(start, i int) int {
	longest, known, yes := 0, 0, 0
	first := i - f.hold + 1
	if i <= f.warm {
		first = start
	}
	for j := i; j >= max(start, first); j-- {
		f.count(j, 1, &known, &yes)
		if f.outcomes[j] >= f.least && sustainedBy(known, yes, i-j+1) {
			longest = i - j + 1
		}
	}
	return longest
}
