package normalize

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// ReadEvents reads a stream of events as [EncodeEvent] writes them: JSON objects with any white
// space between them. It yields each event as soon as it has arrived. The last event must be of the
// type [EventDone] or [EventError], and nothing may follow it.
//
// An error is the last pair, with a nil event. It is a *[wire.MalformedError], or the wrapped error
// of reading r. For a stream without an end it wraps [wire.ErrTruncated]. The pointer leads into
// the list of all events, such as "/3/candidate"; the offset counts the bytes of r.
func ReadEvents(r io.Reader) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		// DecodeEvent decides what an event may contain.
		s := eventReader{values: jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true))}
		for {
			event, err := s.next()
			if err == io.EOF || !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// eventReader reads the events of a stream.
type eventReader struct {
	values *jsontext.Decoder
	count  int  // events so far
	ended  bool // by the last of them
}

// next returns the next event, or [io.EOF] after the last one.
func (s *eventReader) next() (*Event, error) {
	value, err := s.values.ReadValue()
	offset := s.values.InputOffset() - int64(len(value))
	syntactic, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case err == io.EOF && s.ended:
		return nil, io.EOF
	case err == io.EOF:
		return nil, s.fault("", offset, "the stream is truncated: no event is done or error",
			wire.ErrTruncated)
	case isSyntax:
		return nil, s.fault(string(syntactic.JSONPointer), syntactic.ByteOffset,
			codec.SyntaxReason(syntactic), err)
	case err != nil:
		return nil, fmt.Errorf("normalize: reading events at byte %d: %w", offset, err)
	case s.ended:
		return nil, s.fault("", offset, "an event after the last event of the stream", nil)
	}
	event, err := DecodeEvent(value)
	if e, ok := errors.AsType[*wire.MalformedError](err); ok {
		return nil, s.fault(e.Pointer, offset+e.Offset, e.Message, e.Err)
	}
	s.count++
	s.ended = event.Type == EventDone || event.Type == EventError
	return event, nil
}

// fault returns an error about the next event. The pointer leads into the event, the offset into
// the input.
func (s *eventReader) fault(pointer string, offset int64, message string, err error) error {
	return &wire.MalformedError{
		Wire: payloadEvent.Wire, Payload: payloadEvent.Name,
		Pointer: "/" + strconv.Itoa(s.count) + pointer, Offset: offset, Message: message, Err: err,
	}
}
