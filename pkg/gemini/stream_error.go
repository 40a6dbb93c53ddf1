package gemini

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrTruncated is wrapped by the error of a [StreamReader] whose stream ended within an event, or
// without a finish reason or a block reason in any chunk. What came before the end is an answer of
// which something is missing.
var ErrTruncated = errors.New("gemini: truncated stream")

// ErrEventTooLarge is wrapped by the error of a [StreamReader] that met an event above its limit.
var ErrEventTooLarge = errors.New("gemini: event too large")

// StreamError says why a stream cannot be read on, and where. Errors that the server itself reported
// are of type *[Error] instead.
type StreamError struct {
	// Event is the ordinal of the event at fault, counted from 1: all before it were delivered. At
	// the end of a stream it is the ordinal of the event that should have come.
	Event int
	// Offset counts the bytes of the body before the event at fault, or before the end of a stream.
	Offset int64
	// Reason is the fault in words, or what the underlying reader said. It quotes nothing of the body
	// except member names.
	Reason string
	// Err is the cause: [ErrTruncated], [ErrEventTooLarge], a *[MalformedError], whose own offset
	// counts within the event, or what the underlying reader returned.
	Err error
}

// Error returns one line such as "gemini: stream: event 3 at byte 1180: response: /candidates:
// offset 15: a list was expected, found a string" or "gemini: stream: truncated at byte 1180 after 2
// events: no finish reason".
func (e *StreamError) Error() string {
	if !errors.Is(e.Err, ErrTruncated) {
		return fmt.Sprintf("gemini: stream: event %d at byte %d: %s", e.Event, e.Offset, e.Reason)
	}
	events := "events"
	if e.Event == 2 {
		events = "event"
	}
	return fmt.Sprintf("gemini: stream: truncated at byte %d after %d %s: %s", e.Offset, e.Event-1, events, e.Reason)
}

// Unwrap returns Err.
func (e *StreamError) Unwrap() error { return e.Err }

// Why a stream is truncated.
const (
	reasonEmptyBody  = "the body is empty"
	reasonNoEvent    = "the body holds no event"
	reasonUnfinished = "no finish reason"
	reasonCutEvent   = "the last event is incomplete"
	reasonCutBody    = "the body was cut off"
)

// failure turns what the frames end with into what Next returns.
func (s *StreamReader) failure(err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	if _, ok := errors.AsType[*MalformedError](err); ok {
		return s.malformed(err)
	}
	switch {
	case err == io.EOF:
		return s.end()
	case errors.Is(err, errCut):
		return s.truncated(reasonCutEvent, ErrTruncated)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF): // a connection that broke off
		return s.truncated(reasonCutBody, fmt.Errorf("%w: %w", ErrTruncated, io.ErrUnexpectedEOF))
	case errors.Is(err, ErrEventTooLarge):
		return s.fault(fmt.Sprintf("larger than the limit of %d bytes", s.frames.maxSize), err)
	default:
		return s.fault(err.Error(), err)
	}
}

// end tells a finished stream from one that only stopped.
func (s *StreamReader) end() error {
	switch {
	case s.finished:
		return io.EOF
	case s.count > 0:
		return s.truncated(reasonUnfinished, ErrTruncated)
	case s.frames.in.consumed() == 0:
		return s.truncated(reasonEmptyBody, ErrTruncated)
	default:
		return s.truncated(reasonNoEvent, ErrTruncated)
	}
}

func (s *StreamReader) truncated(reason string, err error) *StreamError {
	return &StreamError{Event: s.count + 1, Offset: s.frames.in.consumed(), Reason: reason, Err: err}
}

func (s *StreamReader) malformed(err error) *StreamError {
	return s.fault(strings.TrimPrefix(err.Error(), "gemini: "), err)
}

func (s *StreamReader) fault(reason string, err error) *StreamError {
	return &StreamError{Event: s.count + 1, Offset: s.frames.event.offset, Reason: reason, Err: err}
}
