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

// ReadEvents reads a stream of events as [EncodeEvent] writes them: one JSON object after the
// other, with any white space in between, each yielded as soon as it has come. The last one has to
// be of the type [EventDone] or [EventError], and nothing may follow it.
//
// An error is the last pair, beside a nil event: a *[wire.MalformedError], which wraps
// [wire.ErrTruncated] for a stream without an end, or what reading r failed with, wrapped. Its
// pointer is one into the list of all events, such as "/3/candidate", and its offset counts the
// bytes of r.
func ReadEvents(r io.Reader) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		// What may be in an event is for DecodeEvent to say.
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

// next returns the next event, or [io.EOF] behind the last one.
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
		return nil, s.fault("", offset, "an event behind the one that ends the stream", nil)
	}
	event, err := DecodeEvent(value)
	if e, ok := errors.AsType[*wire.MalformedError](err); ok {
		return nil, s.fault(e.Pointer, offset+e.Offset, e.Message, e.Err)
	}
	s.count++
	s.ended = event.Type == EventDone || event.Type == EventError
	return event, nil
}

// fault returns an error about the next event. The pointer is one within it, the offset one in the
// input.
func (s *eventReader) fault(pointer string, offset int64, message string, err error) error {
	return &wire.MalformedError{
		Wire: payloadEvent.Wire, Payload: payloadEvent.Name,
		Pointer: "/" + strconv.Itoa(s.count) + pointer, Offset: offset, Message: message, Err: err,
	}
}
