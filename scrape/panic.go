package scrape

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic as an error, so that what was begun can be ended in order before it is told.
type PanicError struct {
	value any
	stack []byte // of where it happened
}

// Error returns what a report of the mistake needs: what was said, and the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("a mistake in vllmscope; please report it with these lines: panic: %v\n\n%s", e.value, e.stack)
}

// Caught does some work and makes a [PanicError] of its panic.
func Caught(work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{value, debug.Stack()}
		}
	}()
	return work()
}

// ownFailure is the failure of a scrape that made us panic. Its sentence is the same for all, since it is a label value.
func ownFailure(err error) *Failure {
	f := newFailure(ClassInternal, "vllmscope itself failed on this page: please report it, with the page and what --log-file writes")
	f.Cause = err
	return f
}
