package anthropic

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// DefaultMaxEventSize is the limit of a [StreamReader] on the bytes of one event, 64 MiB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed message, one event at a time. It reads server-sent
// events by the rules that package gemini describes at its StreamReader: lines may end with CR, LF
// or both, several data lines make one event, and the last event needs no blank line behind it. An
// event's kind is the type in its data, so that events without names, or with others, are read too.
// Half a surrogate pair is U+FFFD. An event has a limit, see [WithMaxEventSize]. It does not hold
// the events to an order; a [Sequence] does. It is not safe for use by several goroutines, and does
// not close the reader below.
type StreamReader struct {
	reader  eventstream.Reader[anthropicapi.StreamEvent]
	started bool // message_start was there
}

// messageStream is the wire of a streamed message. It is never written to.
var messageStream = &eventstream.Wire{
	Payload: payloadEvent, Missing: "neither message_stop nor an error is there",
	IsAnswer: isAnswer,
}

// StreamOption changes how a [StreamReader] reads.
type StreamOption func(*StreamReader)

// WithMaxEventSize limits the data of one event to so many bytes; a larger one ends the stream with
// [wire.ErrEventTooLarge] and is never held in memory whole. Without this option the limit is
// [DefaultMaxEventSize]; with a size below 1 there is none.
func WithMaxEventSize(size int64) StreamOption {
	return func(s *StreamReader) { s.reader.Scanner.MaxSize = size }
}

// NewStreamReader returns a reader of the stream in r. It reads nothing yet.
func NewStreamReader(r io.Reader, opts ...StreamOption) *StreamReader {
	s := &StreamReader{reader: eventstream.NewReader[anthropicapi.StreamEvent](r, messageStream,
		DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next event, pings included. Behind message_stop it returns [io.EOF], and else an
// error that says why there are no more events: an *[Error] if the server reported one in the
// stream, a *[wire.StreamError] for an event that does not belong to this wire, for one above the
// limit, which wraps [wire.ErrEventTooLarge], for a second message_start, which wraps
// [wire.ErrSecondStream], and for a stream that only stops, which wraps [wire.ErrTruncated], or the
// error of the reader below. After an error, Next returns the same error again.
func (s *StreamReader) Next() (*anthropicapi.StreamEvent, error) {
	return s.reader.Next(s.decode)
}

// All returns an iterator over the events that Next would return. An error is the last pair, beside
// a nil event; the proper end is none.
func (s *StreamReader) All() iter.Seq2[*anthropicapi.StreamEvent, error] {
	return eventstream.All(s.Next)
}

// CheckEnd reads on behind message_stop or the error, where [StreamReader.Next] stops, to the end
// of the body, and has the report name each event there. It fails with a *[wire.StreamError] that
// wraps [wire.ErrSecondStream] at a piece of another message, or with what reading failed with. For
// a stream that ended in neither it does nothing. It waits as long as the server keeps the
// connection open.
func (s *StreamReader) CheckEnd() error {
	return s.reader.CheckEnd()
}

// isAnswer reports whether an event is a piece of a message.
func isAnswer(data []byte) bool {
	event, err := DecodeEvent(data)
	return err == nil && (event.Message != nil || event.ContentBlock != nil || event.Delta != nil)
}

// Report returns what of the body is in no event so far: lines that are none of an event stream,
// halves of surrogate pairs, and what [StreamReader.CheckEnd] has found. The pointers are those
// into the stream as a list of its events: a line is reported at the event behind it.
func (s *StreamReader) Report() report.Report {
	return s.reader.Report(nil)
}

// Lost returns the entries of [StreamReader.Report] that are losses, for who refuses them event by
// event: it costs nothing as long as there are none.
func (s *StreamReader) Lost() report.Report {
	return s.reader.Lost(nil)
}

// decode returns an event, and takes note of the first and the last one.
func (s *StreamReader) decode(data []byte) (*anthropicapi.StreamEvent, error) {
	event, err := decodeEvent(data, s.reader.Scanner.Event.IsError)
	if err != nil {
		return event, err
	}
	if event.Type == anthropicapi.EventTypeMessageStart {
		if s.started {
			return nil, wire.ErrSecondStream
		}
		s.started = true
	}
	s.reader.Ended = event.Type == anthropicapi.EventTypeMessageStop
	return event, nil
}

// decodeEvent returns an event, or the *Error that ends the stream: by its type, by its name, or
// for an error in place of a stream by its only member.
func decodeEvent(data []byte, isNamedError bool) (*anthropicapi.StreamEvent, error) {
	event, err := DecodeEvent(data)
	isError := err == nil &&
		(event.Type == anthropicapi.EventTypeError || event.Type == "" && event.Error != nil)
	if !isError && !isNamedError {
		return event, err
	}
	body, err := DecodeErrorResponse(data)
	if err != nil {
		return nil, err
	}
	return nil, &Error{Response: *body}
}
