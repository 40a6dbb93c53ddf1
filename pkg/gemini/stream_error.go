package gemini

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini/internal/eventstream"
)

// ErrTruncated is wrapped by the error of a [StreamReader] whose stream ended within an event, or
// without a finish reason or a block reason in any chunk. What came before the end is an answer of
// which something is missing.
var ErrTruncated = errors.New("gemini: truncated stream")

// ErrEventTooLarge is wrapped by the error of a [StreamReader] that met an event above its limit.
var ErrEventTooLarge = errors.New("gemini: event too large")

// StreamError reports why a stream cannot be read on, and where. Errors that the server itself reported
// are of type *[Error] instead.
type StreamError struct {
	// Event is the ordinal of the event at fault, counted from 1: all before it were delivered. At
	// the end of a stream it is the ordinal of the event that should have come.
	Event int
	// Offset counts the bytes of the body before the event at fault, or before the end of a stream.
	Offset int64
	// Problem is the fault in words, or what the underlying reader said. It quotes nothing of the body
	// except member names.
	Problem string
	// Err is the cause: [ErrTruncated], [ErrEventTooLarge], a *[MalformedError], whose own offset
	// counts within the event, or what the underlying reader returned.
	Err error

	joined bool // the event has several data lines, so offsets within it are none of the body
}

// Error returns one line such as "gemini: stream: event 3 at byte 1180: response: /candidates:
// offset 15: a list was expected, found a string" or "gemini: stream: truncated at byte 1180 after 2
// events: no finish reason".
func (e *StreamError) Error() string {
	if !errors.Is(e.Err, ErrTruncated) {
		return fmt.Sprintf("gemini: stream: event %d at byte %d: %s", e.Event, e.Offset, e.Problem)
	}
	events := "events"
	if e.Event == 2 {
		events = "event"
	}
	return fmt.Sprintf("gemini: stream: truncated at byte %d after %d %s: %s", e.Offset, e.Event-1, events, e.Problem)
}

// Unwrap returns Err.
func (e *StreamError) Unwrap() error { return e.Err }

// Location returns the pointer into the list of all events, such as "/2/candidates" within the third, and
// the offset in the body: of the value at fault where that is known, else of the event.
func (e *StreamError) Location() (pointer string, offset int64) {
	pointer, offset = "/"+strconv.Itoa(e.Event-1), e.Offset
	inner, ok := errors.AsType[*MalformedError](e.Err)
	switch {
	case !ok:
		return pointer, offset
	case e.joined:
		return pointer + inner.Pointer, offset
	default:
		return pointer + inner.Pointer, offset + inner.Offset
	}
}

// Reason returns what is wrong without the location, such as "the stream is truncated: no finish reason".
func (e *StreamError) Reason() string {
	if inner, ok := errors.AsType[*MalformedError](e.Err); ok {
		return inner.Message
	}
	if errors.Is(e.Err, ErrTruncated) {
		return "the stream is truncated: " + e.Problem
	}
	return e.Problem
}

// Why a stream is truncated.
const (
	reasonEmptyBody  = "the body is empty"
	reasonNoEvent    = "the body holds no event"
	reasonUnfinished = "no finish reason"
	reasonCutEvent   = "the last event is incomplete"
	reasonCutBody    = "the body was cut off"
)

// failure turns what the scanner ends with into what Next returns.
func (s *StreamReader) failure(err error) error {
	if _, ok := errors.AsType[*Error](err); ok { // of the reader below
		return err
	}
	if text, ok := errors.AsType[*eventstream.TextError](err); ok {
		return DecodeError(0, nil, text.Text)
	}
	if damage, ok := errors.AsType[*eventstream.ByteError](err); ok {
		_, err := DecodeResponse([]byte{damage.Byte})
		return s.malformed(err)
	}
	switch {
	case err == io.EOF:
		return s.end()
	case errors.Is(err, eventstream.ErrCut):
		return s.truncated(reasonCutEvent, ErrTruncated)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF): // a connection that broke off
		return s.truncated(reasonCutBody, fmt.Errorf("%w: %w", ErrTruncated, io.ErrUnexpectedEOF))
	case errors.Is(err, eventstream.ErrTooLarge):
		return s.fault(fmt.Sprintf("larger than the limit of %d bytes", s.scanner.MaxSize), ErrEventTooLarge)
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
	case s.scanner.Consumed() == 0:
		return s.truncated(reasonEmptyBody, ErrTruncated)
	default:
		return s.truncated(reasonNoEvent, ErrTruncated)
	}
}

func (s *StreamReader) truncated(reason string, err error) *StreamError {
	return &StreamError{Event: s.count + 1, Offset: s.scanner.Consumed(), Problem: reason, Err: err}
}

func (s *StreamReader) malformed(err error) *StreamError {
	return s.fault(strings.TrimPrefix(err.Error(), "gemini: "), err)
}

func (s *StreamReader) fault(reason string, err error) *StreamError {
	return &StreamError{Event: s.count + 1, Offset: s.scanner.Event.Offset, Problem: reason, Err: err, joined: s.scanner.Event.Joined}
}
