package simulate

import "container/heap"

// agenda is what will happen, in order of time. Times are seconds since the fleet began.
type agenda struct {
	now    float64
	events events
	issued uint64
}

// event is one thing to happen; number keeps events of the same time in the order they were asked for.
type event struct {
	time   float64
	number uint64
	happen func()
}

// at puts something on the agenda. A time that has passed means as soon as possible.
func (a *agenda) at(time float64, happen func()) {
	a.issued++
	heap.Push(&a.events, event{time: max(time, a.now), number: a.issued, happen: happen})
}

// after is at, counted from now.
func (a *agenda) after(seconds float64, happen func()) { a.at(a.now+seconds, happen) }

// every repeats for ever, first in one interval from now.
func (a *agenda) every(seconds float64, happen func()) {
	a.after(seconds, func() {
		happen()
		a.every(seconds, happen)
	})
}

// runTo lets everything happen up to and including time, and leaves the clock there.
func (a *agenda) runTo(time float64) {
	for len(a.events) > 0 && a.events[0].time <= time {
		next := heap.Pop(&a.events).(event)
		a.now = next.time
		next.happen()
	}
	a.now = max(a.now, time)
}

// events is a heap of what comes next.
type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }

func (e events) Less(i, j int) bool {
	if e[i].time != e[j].time {
		return e[i].time < e[j].time
	}
	return e[i].number < e[j].number
}

func (e *events) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	(*e)[last] = event{}
	*e = (*e)[:last]
	return x
}
