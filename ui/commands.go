package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/vllmscope/vllmscope/diagnose"
)

// reportMsg brings a report, and when it came.
type reportMsg struct {
	report *diagnose.Report
	at     time.Time
}

// endedMsg says that no more reports will come.
type endedMsg struct{}

// fromMsg is what one channel of reports brought. A channel that was left for another still brings its last.
type fromMsg struct {
	reports <-chan *diagnose.Report
	msg     tea.Msg
}

// lateMsg is the look at the clock some time after a report.
type lateMsg time.Time

// deedMsg says how a deed ended.
type deedMsg struct {
	status string
	err    error
	undo   func(*Model) // when it failed; nil when nothing is to be undone
}

// deedTimeout is after how long a deed is given up.
const deedTimeout = 10 * time.Second

// waitFor takes the next report. One such command waits at any time.
func waitFor(reports <-chan *diagnose.Report) tea.Cmd {
	return func() tea.Msg {
		report, ok := <-reports
		if !ok {
			return fromMsg{reports, endedMsg{}}
		}
		return fromMsg{reports, reportMsg{report, time.Now()}}
	}
}

// lookAt looks at the clock after a while.
func lookAt(after time.Duration) tea.Cmd {
	return tea.Tick(after, func(t time.Time) tea.Msg { return lateMsg(t) })
}

// do does a deed beside the screen.
func do(deed func(context.Context) error, status string, undo func(*Model)) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), deedTimeout)
		defer cancel()
		return deedMsg{status, deed(ctx), undo}
	}
}
