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

// DefaultMaxEventSize is the limit of a [StreamReader] on the bytes of one event, 64 MiB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed response, one event at a time. It reads server-sent
// events by the rules that package gemini describes at its StreamReader: lines may end with CR, LF
// or both, several data lines make one event, and the last event needs no blank line behind it. An
// event's kind is the type in its data, so that events without names, or with others, are read too.
// An event has a limit, see [WithMaxEventSize]. It does not hold the events to an order; a
// [Sequence] does. It is not safe for use by several goroutines, and does not close the reader
// below.
type StreamReader struct {
	reader  eventstream.Reader[openaiapi.ResponseEvent]
	started bool // response.created was there
}

// responseStream is the wire of a streamed response. It is never written to.
var responseStream = &eventstream.Wire{
	Payload: payloadEvent, IsAnswer: isAnswer,
	Missing: "no response.completed, response.incomplete or response.failed is there",
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
	s := &StreamReader{reader: eventstream.NewReader[openaiapi.ResponseEvent](r, responseStream,
		DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next event. An event of type error is one like others, since OpenAI's server
// sends response.failed behind it. Behind response.completed, response.incomplete or
// response.failed it returns [io.EOF], and else an error that says why there are no more events: an
// *[Error] for a body that is an error object, or that ends behind an event of type error; a
// *[wire.StreamError] for an event of another wire, for one above the limit, which wraps
// [wire.ErrEventTooLarge], for a second response.created, which wraps [wire.ErrSecondStream], and
// for a stream that only stops, with or without the mark [DONE], which wraps [wire.ErrTruncated];
// or the error of the reader below. After an error, Next returns the same error again.
func (s *StreamReader) Next() (*openaiapi.ResponseEvent, error) {
	return s.reader.Next(s.decode)
}

// All returns an iterator over the events that Next would return. An error is the last pair, beside
// a nil event; the proper end is none.
func (s *StreamReader) All() iter.Seq2[*openaiapi.ResponseEvent, error] {
	return eventstream.All(s.Next)
}

// CheckEnd reads on behind the terminal event or the error object, where [StreamReader.Next] stops,
// to the end of the body, and has the report name each event there; the mark [DONE], which other
// servers send, is none. It fails with a *[wire.StreamError] that wraps [wire.ErrSecondStream] at a
// piece of another response, or with what reading failed with. For a stream that ended in neither
// it does nothing. It waits as long as the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	return s.reader.CheckEnd()
}

// isAnswer reports whether an event is a piece of a response.
func isAnswer(data []byte) bool {
	event, err := DecodeEvent(data)
	return err == nil && (event.Response != nil || event.Item != nil || event.ItemID != "")
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

// decode returns an event, and takes note of what begins and ends a stream.
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

// isErrorResponse reports whether data is an object with an error in it, and no event.
func isErrorResponse(data []byte) bool {
	var reply struct {
		Error jsontext.Value `json:"error"`
		Type  jsontext.Value `json:"type"`
	}
	return json.Unmarshal(data, &reply) == nil && reply.Error != nil && reply.Type == nil
}
