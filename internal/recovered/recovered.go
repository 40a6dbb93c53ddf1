// Package recovered calls functions that may panic, such as a caller's callbacks, and returns the
// panic as an error.
package recovered

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// PanicError reports that a caller's function has panicked.
type PanicError struct {
	// Value is the value of the panic.
	Value any
	// Stack is the stack of the goroutine at the panic, as [debug.Stack] writes it.
	Stack []byte
}

// Error returns one line such as "panic: runtime error: integer divide by zero". The text contains
// only the values of runtime errors. Any other value may be private data, so the text names only
// its type.
func (e *PanicError) Error() string {
	if fault, ok := e.Value.(runtime.Error); ok {
		return "panic: " + fault.Error()
	}
	return fmt.Sprintf("panic with a value of type %T", e.Value)
}

// Unwrap returns Value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Call returns what f returns, or a *[PanicError] if it panics.
func Call(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}
