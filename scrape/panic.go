package scrape

import (
	"fmt"
	"runtime/debug"
)

// panicError is a panic as an error.
type panicError struct {
	value any
	stack []byte // of where it happened
}

// Error returns what was said and the stack, which is what a report of the mistake needs.
func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.value, e.stack) }

// caught does some work and makes an error of its panic.
func caught(work func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value, debug.Stack()}
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
