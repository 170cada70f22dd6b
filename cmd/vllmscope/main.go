// Command vllmscope watches vLLM servers and their GPUs and says what is wrong, why, and what to do first.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/vllmscope/vllmscope/scrape"
)

// Exit codes.
const (
	exitFine        = 0   // nothing at or above --fail-on
	exitCouldNotRun = 1   // no target answered, or something else prevented it
	exitUsage       = 2   // wrong flags or arguments
	exitFindings    = 3   // findings at or above --fail-on
	exitInterrupted = 130 // by the user
)

// streams are what the program reads and writes.
type streams struct {
	in       io.Reader // nil for the terminal's
	out, err io.Writer
	// terminal tells whether out is a terminal.
	terminal bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	info, err := os.Stdout.Stat()
	s := streams{out: os.Stdout, err: os.Stderr, terminal: err == nil && info.Mode()&os.ModeCharDevice != 0}
	code := run(ctx, os.Args[1:], os.Environ(), s)
	stop()
	os.Exit(code)
}

// run is the program: arguments, environment and streams in, exit code out.
func run(ctx context.Context, args, environment []string, s streams) int {
	o := &options{env: newEnvironment(environment), streams: s}
	root := newRoot(o)
	root.SetArgs(args)
	err := scrape.Caught(func() error { return root.ExecuteContext(ctx) })
	o.log.end(err)
	var code *exitError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &code):
		if code.err != nil {
			fmt.Fprintln(s.err, "vllmscope:", code.err) //nolint:errcheck // there is nowhere else to say it
		}
		return code.code
	case ctx.Err() != nil:
		return exitInterrupted
	}
	fmt.Fprintln(s.err, "vllmscope:", err) //nolint:errcheck // there is nowhere else to say it
	return exitCouldNotRun
}

// exitError ends the program with a code, and with a message when there is one.
type exitError struct {
	code int
	err  error
}

// Error returns the message.
func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.err }

// together is wrong usage in several ways, told at once, a line each; nil where all are.
func together(all ...error) error {
	if err := errors.Join(all...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

// usage marks an error of the user's arguments.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}
