package main

import (
	"fmt"
	"runtime/debug"
)

// panicError is a panic as an error, so that the screen ends and the store goes before it is told.
type panicError struct {
	value any
	stack []byte // of where it happened
}

// Error returns what a report of the mistake needs.
func (e *panicError) Error() string {
	return fmt.Sprintf("a mistake in vllmscope; please report it with these lines: panic: %v\n\n%s", e.value, e.stack)
}

// caught does some work and makes an error of its panic.
func caught(work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value, debug.Stack()}
		}
	}()
	return work()
}
