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

// DefaultMaxEventSize is the default limit of a [StreamReader] on the bytes of one event, 64 MiB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed message, one event at a time. It reads server-sent
// events by the rules of package gemini's StreamReader: lines may end with CR, LF or both, several
// data lines make one event, and the last event does not need a blank line after it. The type in an
// event's data decides its kind, so the name of the event may be missing or different. Half a
// surrogate pair becomes U+FFFD. Events have a limit, see [WithMaxEventSize]. The reader does not
// check the order of the events; a [Sequence] does. It is not safe for use by several goroutines,
// and does not close the underlying reader.
type StreamReader struct {
	reader  eventstream.Reader[anthropicapi.StreamEvent]
	started bool // there was a message_start
}

// messageStream is the format of a streamed message. It is never modified.
var messageStream = &eventstream.Wire{
	Payload: payloadEvent, Missing: "neither message_stop nor an error",
	IsAnswer: isAnswer,
}

// StreamOption changes how a [StreamReader] reads.
type StreamOption func(*StreamReader)

// WithMaxEventSize limits the data of one event, in bytes. A larger event ends the stream with
// [wire.ErrEventTooLarge] and is never held in memory as a whole. The default is
// [DefaultMaxEventSize]; below 1 there is no limit.
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

// Next returns the next event, including pings. After message_stop it returns [io.EOF]. Otherwise
// its error says why there are no more events:
//
//   - an *[Error] if the server reported an error in the stream.
//   - a *[wire.StreamError] if an event is not an event of this API. It wraps
//     [wire.ErrEventTooLarge] if an event exceeds the limit, [wire.ErrSecondStream] for a second
//     message_start, and [wire.ErrTruncated] if the stream is incomplete.
//   - the error of the underlying reader.
//
// After an error, Next returns the same error again.
func (s *StreamReader) Next() (*anthropicapi.StreamEvent, error) {
	return s.reader.Next(s.decode)
}

// All returns an iterator over the events that Next would return. An error is the last pair, with a
// nil event; the proper end yields no error.
func (s *StreamReader) All() iter.Seq2[*anthropicapi.StreamEvent, error] {
	return eventstream.All(s.Next)
}

// CheckEnd reads the rest of the body after message_stop or the error, where [StreamReader.Next]
// stops, and reports each event in it. If an event is a piece of another message, it returns a
// *[wire.StreamError] that wraps [wire.ErrSecondStream]. It also returns read errors. It does
// nothing if the stream ended in neither. It waits while the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	return s.reader.CheckEnd()
}

// isAnswer reports whether an event is a piece of a message.
func isAnswer(data []byte) bool {
	event, err := DecodeEvent(data)
	return err == nil && (event.Message != nil || event.ContentBlock != nil || event.Delta != nil)
}

// Report returns what no event so far contains: lines that do not belong to an event stream, halves
// of surrogate pairs, and the findings of [StreamReader.CheckEnd]. Pointers are into the stream as
// a list of events. A line is reported at the event after it.
func (s *StreamReader) Report() report.Report {
	return s.reader.Report(nil)
}

// Lost returns the entries of [StreamReader.Report] that are losses. Use it to refuse losses event
// by event: it costs nothing while there are no losses.
func (s *StreamReader) Lost() report.Report {
	return s.reader.Lost(nil)
}

// decode returns an event, and records the first and the last one.
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

// decodeEvent returns an event, or the *Error that ends the stream. An error has the type or the
// name error. An error instead of a stream has error as its only member.
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
