package main

import (
	"errors"
	"log/slog"
	"os"
)

// logFile is where --log-file has it written what goes wrong.
type logFile struct {
	path string
	file *os.File // nil without the flag
}

// open begins a new part at the end of the file. Nobody else may read it, since it has names of servers and models.
func (l *logFile) open() (err error) {
	if l.path == "" {
		return nil
	}
	if l.file, err = os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return usage("--log-file: %w", err)
	}
	return nil
}

// logger writes to the file, or nothing without one.
func (l *logFile) logger() *slog.Logger {
	if l.file == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(l.file, &slog.HandlerOptions{Level: slog.LevelWarn})) // the database is talkative below
}

// end logs what ended the program, when something did.
func (l *logFile) end(err error) {
	if l.file == nil {
		return
	}
	var code *exitError
	if err != nil && (!errors.As(err, &code) || code.err != nil) {
		l.logger().Error("vllmscope ended", "error", err)
	}
	_ = l.file.Close() // there is nowhere else to say it
}
