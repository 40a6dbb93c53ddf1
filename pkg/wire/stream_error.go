package wire

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
)

var (
	// ErrTruncated is wrapped by the error of a stream that ended too early: within an event, or
	// before the event that ends an answer on its wire, such as a finish reason. The answer so far
	// is incomplete.
	ErrTruncated = errors.New("truncated stream")

	// ErrEventTooLarge is wrapped by the error of a stream with an event above the size limit of
	// its reader. It is also wrapped if as many bytes arrive and no event begins.
	ErrEventTooLarge = errors.New("the event is too large")

	// ErrSecondStream is wrapped by the error of a stream in which another answer begins after the
	// first, or in place of its end: two bodies were joined, and the first may be incomplete.
	ErrSecondStream = errors.New("a second stream begins after the first")
)

// StreamError reports why a stream cannot be read any further, and where.
type StreamError struct {
	// Wire is the format that the stream belongs to, as in [MalformedError].
	Wire string
	// Event is the number of the faulty event, counted from 1. The reader delivered all events
	// before it. If the stream ended too early, Event is the number of the event that is missing.
	Event int
	// Offset is the number of bytes of the body before the faulty event, or before the end of the
	// stream.
	Offset int64
	// MultiLine reports that the event has several data lines. Offsets within the event are then
	// not offsets of the body.
	MultiLine bool
	// Problem describes the fault, or is the text of the underlying reader's error. It quotes no
	// address, and nothing of the body except member names.
	Problem string
	// Err is the cause: [ErrTruncated], [ErrSecondStream], [ErrEventTooLarge], a *[MalformedError]
	// whose offset counts within the event, or the error of the underlying reader.
	Err error
}

// Error returns one line such as "gemini: stream: /2/candidates: offset 1195: a list was expected,
// found a string", in the third event, or "gemini: stream: truncated at byte 1180 after 2 events:
// no finish reason".
func (e *StreamError) Error() string {
	if !errors.Is(e.Err, ErrTruncated) {
		at, offset := e.Location()
		return fmt.Sprintf("%s: stream: %s: offset %d: %s", e.Wire, jsonx.ShortenPointer(at),
			offset, e.Reason())
	}
	events := "events"
	if e.Event == 2 {
		events = "event"
	}
	return fmt.Sprintf("%s: stream: truncated at byte %d after %d %s: %s", e.Wire, e.Offset,
		e.Event-1, events, e.Problem)
}

// Unwrap returns Err.
func (e *StreamError) Unwrap() error { return e.Err }

// Location returns a JSON pointer into the list of all events, such as "/2/candidates" for the
// third event, and an offset in the body. The offset locates the faulty value if it is known, else
// the event.
func (e *StreamError) Location() (pointer string, offset int64) {
	pointer, offset = "/"+strconv.Itoa(e.Event-1), e.Offset
	inner, ok := errors.AsType[*MalformedError](e.Err)
	switch {
	case !ok:
		return pointer, offset
	case e.MultiLine:
		return pointer + inner.Pointer, offset
	default:
		return pointer + inner.Pointer, offset + inner.Offset
	}
}

// Reason describes the fault without its location, such as "the stream is truncated: no finish
// reason".
func (e *StreamError) Reason() string {
	if inner, ok := errors.AsType[*MalformedError](e.Err); ok {
		return inner.Message
	}
	if errors.Is(e.Err, ErrTruncated) {
		return "the stream is truncated: " + e.Problem
	}
	return e.Problem
}
