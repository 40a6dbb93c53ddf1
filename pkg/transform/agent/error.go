package agent

import (
	"errors"
	"fmt"
)

var (
	// ErrTruncated is wrapped by the error for an input that ends within an event.
	ErrTruncated = errors.New("agent: truncated stream")
	// ErrNoEvent is wrapped by the error for an input that has no event of an agent, because it is
	// empty, binary, or in another format.
	ErrNoEvent = errors.New("agent: no event")
)

// InputError reports an input that is not a complete stream of an agent's events. It wraps
// [ErrTruncated] or [ErrNoEvent].
type InputError struct {
	// Offset is the byte offset of the event that was cut off, or 0 for [ErrNoEvent].
	Offset int64
	// Problem says what is wrong.
	Problem string
	// Err is [ErrTruncated] or [ErrNoEvent].
	Err error
}

// Error returns the problem and the offset.
func (e *InputError) Error() string { return fmt.Sprintf("agent: at byte %d: %s", e.Offset, e.Problem) }

// Unwrap returns Err.
func (e *InputError) Unwrap() error { return e.Err }

// Location returns "", the pointer of the whole input, and Offset.
func (e *InputError) Location() (pointer string, offset int64) { return "", e.Offset }

// Reason returns the problem.
func (e *InputError) Reason() string { return e.Problem }

// ObjectTooLargeError reports an object that is larger than the limit.
type ObjectTooLargeError struct {
	// Offset is the byte offset of the object in the input.
	Offset int64
	// Limit is the maximum size of an object in bytes.
	Limit int
}

// Error names the offset and the limit.
func (e *ObjectTooLargeError) Error() string {
	return fmt.Sprintf("agent: the object at byte %d is larger than %d bytes", e.Offset, e.Limit)
}

// Location returns "", the pointer of the whole input, and the offset of the object.
func (e *ObjectTooLargeError) Location() (pointer string, offset int64) { return "", e.Offset }

// Reason returns the problem without the offset.
func (e *ObjectTooLargeError) Reason() string {
	return fmt.Sprintf("an object is larger than %d bytes", e.Limit)
}
