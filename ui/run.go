package ui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Run shows the dashboard until somebody leaves it or the context ends. It returns nil after q, the context's error when that ended,
// and an error that wraps tea.ErrProgramPanic after a crash; the terminal is what it was before in each case.
func Run(ctx context.Context, o Options) error {
	return run(ctx, New(o), o)
}

// run runs a model in the way of the dashboard. More options are for what has no terminal.
func run(ctx context.Context, m tea.Model, o Options, options ...tea.ProgramOption) error {
	options = append(options, tea.WithContext(ctx))
	q := &quiet{}
	if canBeQuiet() {
		options = append(options, tea.WithFilter(q.wake))
	} else {
		options = append(options, tea.WithFPS(fallbackFrames))
	}
	if o.NoColor {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	if o.Output != nil {
		options = append(options, tea.WithOutput(o.Output))
	}
	q.program = tea.NewProgram(m, options...)
	switch _, err := q.program.Run(); {
	case err == nil || errors.Is(err, tea.ErrInterrupted):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return fmt.Errorf("dashboard: %w", err)
	}
}
