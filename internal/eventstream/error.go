package eventstream

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/pointer"
	"github.com/gemwire/gemwire/internal/transporterror"
)

// ErrTruncated is wrapped by the error of a stream that only stops.
var ErrTruncated = errors.New("truncated stream")

// ErrTooLarge is wrapped by the error of an event that is larger than MaxSize.
var ErrTooLarge = errors.New("the event is too large")

// errNoEvent is ErrTooLarge for what is none.
var errNoEvent = fmt.Errorf("%w: nothing of it has come", ErrTooLarge)

// ErrSecondStream is wrapped by the error of a stream that another one follows.
var ErrSecondStream = errors.New("a second stream begins behind the first")

// StreamError reports why a stream cannot be read on, and where. Errors that the server itself reported
// are of another type.
type StreamError struct {
	// Wire is whose stream it is: "gemini" or "openai".
	Wire string
	// Event is the ordinal of the event at fault, counted from 1: all before it were delivered. At
	// the end of a stream it is the ordinal of the event that should have come.
	Event int
	// Offset counts the bytes of the body before the event at fault, or before the end of a stream.
	Offset int64
	// Problem is the fault in words, or what the underlying reader said. It quotes nothing of the body
	// except member names, and no address.
	Problem string
	// Err is the cause: ErrTruncated, ErrSecondStream, ErrEventTooLarge, a *MalformedError, whose own offset
	// counts within the event, or what the underlying reader returned.
	Err error

	joined bool // the event has several data lines, so offsets within it are none of the body
}

// Error returns one line such as "gemini: stream: /2/candidates: offset 1195: a list was expected, found a
// string", in the third event, or "gemini: stream: truncated at byte 1180 after 2 events: no finish reason".
func (e *StreamError) Error() string {
	if !errors.Is(e.Err, ErrTruncated) {
		at, offset := e.Location()
		return fmt.Sprintf("%s: stream: %s: offset %d: %s", e.Wire, pointer.Shorten(at), offset, e.Reason())
	}
	events := "events"
	if e.Event == 2 {
		events = "event"
	}
	return fmt.Sprintf("%s: stream: truncated at byte %d after %d %s: %s", e.Wire, e.Offset, e.Event-1, events, e.Problem)
}

// Unwrap returns Err.
func (e *StreamError) Unwrap() error { return e.Err }

// Location returns the pointer into the list of all events, such as "/2/candidates" within the third, and
// the offset in the body: of the value at fault where that is known, else of the event.
func (e *StreamError) Location() (pointer string, offset int64) {
	pointer, offset = "/"+strconv.Itoa(e.Event-1), e.Offset
	inner, ok := errors.AsType[*codec.MalformedError](e.Err)
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
	if inner, ok := errors.AsType[*codec.MalformedError](e.Err); ok {
		return inner.Message
	}
	if errors.Is(e.Err, ErrTruncated) {
		return "the stream is truncated: " + e.Problem
	}
	return e.Problem
}

// Failure returns the error about what Next failed with, or about the event at hand, before which so many
// were delivered.
func (s *Scanner) Failure(of string, delivered int, err error) *StreamError {
	_, isMalformed := errors.AsType[*codec.MalformedError](err)
	switch {
	case isMalformed:
	case errors.Is(err, ErrCut):
		return s.Truncated(of, delivered, "the last event is incomplete")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF): // a connection that broke off
		out := s.Truncated(of, delivered, "the body was cut off")
		out.Err = fmt.Errorf("%w: %w", ErrTruncated, io.ErrUnexpectedEOF)
		return out
	}
	problem := strings.TrimPrefix(transporterror.Text(err), of+": ")
	switch {
	case errors.Is(err, errNoEvent):
		problem = fmt.Sprintf("no event begins within %d bytes", s.fillerLimit())
	case errors.Is(err, ErrTooLarge):
		problem = fmt.Sprintf("larger than the limit of %d bytes", s.MaxSize)
	}
	return &StreamError{Wire: of, Event: delivered + 1, Offset: s.Event.Offset, Problem: problem, Err: err, joined: s.Event.Joined}
}

// Truncated returns the error about a stream that stops behind so many events; problem says what is missing.
func (s *Scanner) Truncated(of string, delivered int, problem string) *StreamError {
	return &StreamError{Wire: of, Event: delivered + 1, Offset: s.Consumed(), Problem: problem, Err: ErrTruncated}
}
