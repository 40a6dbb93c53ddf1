package responses

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DefaultMaxEventSize is the limit of a [StreamReader] on the bytes of one event, 64 MiB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed response, one event at a time. It reads server-sent events by the rules
// that package gemini describes at its StreamReader: lines may end with CR, LF or both, several data lines make one
// event, and the last event needs no blank line behind it. An event's kind is the type in its data, so that events
// without names, or with others, are read too. An event has a limit, see [WithMaxEventSize]. It does not hold the
// events to an order; a [Sequence] does. It is not safe for use by several goroutines, and does not close the reader
// below.
type StreamReader struct {
	scanner  eventstream.Scanner
	events   int // read so far
	started  bool
	ended    bool          // a terminal event was there
	reported *Error        // by the last event of type error
	decoded  report.Report // what decoding has replaced
	err      error         // what ended the stream

	behindEnd report.Report // what CheckEnd has found
}

// StreamOption changes how a [StreamReader] reads.
type StreamOption func(*StreamReader)

// WithMaxEventSize limits the data of one event to so many bytes; a larger one ends the stream with
// [wire.ErrEventTooLarge] and is never held in memory whole. Without this option the limit is
// [DefaultMaxEventSize]; with a size below 1 there is none.
func WithMaxEventSize(size int64) StreamOption {
	return func(s *StreamReader) { s.scanner.MaxSize = size }
}

// NewStreamReader returns a reader of the stream in r. It reads nothing yet.
func NewStreamReader(r io.Reader, opts ...StreamOption) *StreamReader {
	s := &StreamReader{scanner: eventstream.New(r, DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next event. An event of type error is one like others, since OpenAI's server sends response.failed
// behind it. Behind response.completed, response.incomplete or response.failed it returns [io.EOF], and else an error
// that says why there are no more events: an *[Error] for a body that is an error object, or that ends behind an event
// of type error; a *[wire.StreamError] for an event of another wire, for one above the limit, which wraps
// [wire.ErrEventTooLarge], for a second response.created, which wraps [wire.ErrSecondStream], and for a stream that only stops,
// with or without the mark [DONE], which wraps [wire.ErrTruncated]; or the error of the reader below. After an error, Next
// returns the same error again.
func (s *StreamReader) Next() (*openaiapi.ResponseEvent, error) {
	if s.err != nil {
		return nil, s.err
	}
	event, err := s.read()
	s.err = err
	return event, err
}

// All returns an iterator over the events that Next would return. An error is the last pair, beside a nil event; the
// proper end is none.
func (s *StreamReader) All() iter.Seq2[*openaiapi.ResponseEvent, error] {
	return func(yield func(*openaiapi.ResponseEvent, error) bool) {
		for {
			event, err := s.Next()
			if err == io.EOF || !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// CheckEnd reads on behind the terminal event or the error object, where [StreamReader.Next] stops, to the end of the
// body, and has the report name each event there; the mark [DONE], which other servers send, is none. It fails with a
// *[wire.StreamError] that wraps [wire.ErrSecondStream] at a piece of another response, or with what reading failed with. For a
// stream that ended in neither it does nothing. It waits as long as the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	if _, isReported := errors.AsType[*Error](s.err); !isReported && s.err != io.EOF {
		return nil
	}
	behind, err := s.scanner.ReadBehind("responses", s.events, isAnswer)
	s.behindEnd = append(s.behindEnd, behind...)
	if _, isFound := errors.AsType[*wire.StreamError](err); err == nil || isFound {
		return err
	}
	return s.failure(err)
}

// isAnswer reports whether an event is a piece of a response.
func isAnswer(data []byte) bool {
	event, err := DecodeEvent(data)
	return err == nil && (event.Response != nil || event.Item != nil || event.ItemID != "")
}

// Report returns what of the body is in no event so far: lines that are none of an event stream, halves of surrogate
// pairs, and what [StreamReader.CheckEnd] has found. The pointers are those into the stream as a list of its events: a
// line is reported at the event behind it.
func (s *StreamReader) Report() report.Report {
	return slices.Concat(s.scanner.Report(), s.decoded, s.behindEnd)
}

// Lost returns the entries of [StreamReader.Report] that are losses, for who refuses them event by event: it costs
// nothing as long as there are none.
func (s *StreamReader) Lost() report.Report {
	return slices.Concat(s.scanner.Report(), s.behindEnd)
}

func (s *StreamReader) read() (*openaiapi.ResponseEvent, error) {
	if s.ended {
		return nil, io.EOF
	}
	if err := s.scanner.Next(); err != nil {
		return nil, s.failure(err)
	}
	data := s.scanner.Event.Bytes()
	s.decoded = append(s.decoded, report.ReplacedText("/"+strconv.Itoa(s.events), data)...)
	event, err := decodeEvent(data)
	if _, isMalformed := errors.AsType[*wire.MalformedError](err); isMalformed {
		return nil, s.fault(err)
	}
	if err == nil {
		err = s.note(event)
	}
	if err == nil {
		s.events++
		return event, nil
	}
	if _, isReported := errors.AsType[*Error](err); isReported {
		s.events++
	}
	return nil, err
}

// note takes note of what ends a stream.
func (s *StreamReader) note(e *openaiapi.ResponseEvent) error {
	switch {
	case e.Type == openaiapi.ResponseEventTypeCreated && s.started:
		return s.fault(wire.ErrSecondStream)
	case e.Type == openaiapi.ResponseEventTypeCreated:
		s.started = true
	case e.Type == openaiapi.ResponseEventTypeError:
		s.reported = failureOf(e)
	}
	s.ended = IsTerminal(e.Type)
	return nil
}

// failure turns what the scanner ends with into what Next returns.
func (s *StreamReader) failure(err error) error {
	if damage, ok := errors.AsType[*eventstream.ByteError](err); ok {
		return s.fault(codec.NewByteError(payloadEvent, damage.Byte))
	}
	_, isText := errors.AsType[*eventstream.TextError](err)
	switch {
	case err == io.EOF && s.reported != nil:
		return s.reported
	case err == io.EOF, isText:
		return s.scanner.Truncated("responses", s.events, "no response.completed, response.incomplete or response.failed is there")
	case err == eventstream.ErrCut, err == wire.ErrEventTooLarge:
		return s.fault(err)
	default:
		return err
	}
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

// fault returns the error about the event at hand.
func (s *StreamReader) fault(err error) error {
	return s.scanner.Failure("responses", s.events, err)
}
