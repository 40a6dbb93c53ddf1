package responses

import (
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DefaultMaxEventSize is the default limit of a [StreamReader] on the bytes of one event, 64 MiB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed response, one event at a time. It reads server-sent
// events by the rules of package gemini's StreamReader: lines may end with CR, LF or both, several
// data lines make one event, and the last event does not need a blank line after it. The type in an
// event's data decides its kind, so the name of the event may be missing or different. Events have
// a limit, see [WithMaxEventSize]. The reader does not check the order of the events; a [Sequence]
// does. It is not safe for use by several goroutines, and does not close the underlying reader.
type StreamReader struct {
	reader  eventstream.Reader[openaiapi.ResponseEvent]
	started bool // there was a response.created
}

// responseStream is the format of a streamed response. It is never modified.
var responseStream = &eventstream.Wire{
	Payload: payloadEvent, IsAnswer: isAnswer,
	Missing: "no response.completed, response.incomplete or response.failed",
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
	s := &StreamReader{reader: eventstream.NewReader[openaiapi.ResponseEvent](r, responseStream,
		DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next event. An event of type error is a normal event, because OpenAI's server
// sends response.failed after it. After response.completed, response.incomplete or response.failed
// Next returns [io.EOF]. Otherwise its error says why there are no more events:
//
//   - an *[Error] for a body that is an error object, or that ends after an event of type error.
//   - a *[wire.StreamError] if an event is not an event of this API. It wraps
//     [wire.ErrEventTooLarge] if an event exceeds the limit, [wire.ErrSecondStream] for a second
//     response.created, and [wire.ErrTruncated] if the stream is incomplete, with or without the
//     mark [DONE].
//   - the error of the underlying reader.
//
// After an error, Next returns the same error again.
func (s *StreamReader) Next() (*openaiapi.ResponseEvent, error) {
	return s.reader.Next(s.decode)
}

// All returns an iterator over the events that Next would return. An error is the last pair, with a
// nil event; the proper end yields no error.
func (s *StreamReader) All() iter.Seq2[*openaiapi.ResponseEvent, error] {
	return eventstream.All(s.Next)
}

// CheckEnd reads the rest of the body after the terminal event or the error object, where
// [StreamReader.Next] stops, and reports each event in it. The mark [DONE], which other servers
// send, does not count. If an event is a piece of another response, it returns a
// *[wire.StreamError] that wraps [wire.ErrSecondStream]. It also returns read errors. It does
// nothing if the stream ended in neither. It waits while the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	return s.reader.CheckEnd()
}

// isAnswer reports whether an event is a piece of a response.
func isAnswer(data []byte) bool {
	event, err := DecodeEvent(data)
	return err == nil && (event.Response != nil || event.Item != nil || event.ItemID != "")
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

// decode returns an event, and records the beginning and the end of a stream.
func (s *StreamReader) decode(data []byte) (*openaiapi.ResponseEvent, error) {
	event, err := decodeEvent(data)
	if err != nil {
		return event, err
	}
	switch event.Type {
	case openaiapi.ResponseEventTypeCreated:
		if s.started {
			return nil, wire.ErrSecondStream
		}
		s.started = true
	case openaiapi.ResponseEventTypeError:
		s.reader.Reported = failureOf(event)
	}
	s.reader.Ended = IsTerminal(event.Type)
	return event, nil
}

// decodeEvent returns an event, or the *Error of an error object, which has no type.
func decodeEvent(data []byte) (*openaiapi.ResponseEvent, error) {
	event, err := DecodeEvent(data)
	if err == nil && event.Type != "" || !isErrorResponse(data) {
		return event, err
	}
	body, err := DecodeErrorResponse(data)
	if err != nil {
		return nil, err
	}
	return nil, &Error{Response: *body}
}

// isErrorResponse reports whether data is an object that contains an error and is not an event.
func isErrorResponse(data []byte) bool {
	var reply struct {
		Error jsontext.Value `json:"error"`
		Type  jsontext.Value `json:"type"`
	}
	return json.Unmarshal(data, &reply) == nil && reply.Error != nil && reply.Type == nil
}
