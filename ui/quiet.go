package ui

import (
	"reflect"
	"time"
	"unsafe"

	tea "charm.land/bubbletea/v2"
)

// quiet slows the ticker by which Bubble Tea looks for a new frame 60 times a second, which costs more than everything else an idle
// dashboard does: after each message the frame is looked for at once, then hardly any more. The ticker is a private field;
// where it is not what is expected here, nothing is touched.
type quiet struct {
	program *tea.Program
	calm    *time.Timer
}

const tickerField = "ticker"

// The frame of a message is looked for at each eager interval while alert, which drawing and sending it takes at most, and then at
// each idle one, so that a frame which took longer is not lost.
const (
	eager = 2 * time.Millisecond
	alert = 50 * time.Millisecond
	idle  = time.Second
)

// fallbackFrames is how many frames a second are looked for where the ticker cannot be reached.
const fallbackFrames = 20

// canBeQuiet tells whether the private field is there, and is a ticker.
func canBeQuiet() bool {
	field, ok := reflect.TypeFor[tea.Program]().FieldByName(tickerField)
	return ok && field.Type == reflect.TypeFor[*time.Ticker]()
}

// wake is called with every message, in the program's own loop, and passes it on.
func (q *quiet) wake(_ tea.Model, msg tea.Msg) tea.Msg {
	ticker := q.ticker()
	if ticker == nil {
		return msg
	}
	ticker.Reset(eager)
	if q.calm == nil {
		q.calm = time.AfterFunc(alert, func() { ticker.Reset(idle) })
	} else {
		q.calm.Reset(alert)
	}
	return msg
}

// ticker reads the private field; nil before the program has started.
func (q *quiet) ticker() *time.Ticker {
	if q.program == nil {
		return nil
	}
	field := reflect.ValueOf(q.program).Elem().FieldByName(tickerField)
	return *(**time.Ticker)(unsafe.Pointer(field.UnsafeAddr()))
}
