package anthropic

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// DefaultMaxEventSize is the limit of a [StreamReader] on the bytes of one event, 64 MiB.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed message, one event at a time. It reads server-sent events by the rules
// that package gemini describes at its StreamReader: lines may end with CR, LF or both, several data lines make one
// event, and the last event needs no blank line behind it. An event's kind is the type in its data, so that events
// without names, or with others, are read too. Half a surrogate pair is U+FFFD.
// An event has a limit, see [WithMaxEventSize]. It does not hold the events to an order; a [Sequence] does. It is not safe
// for use by several goroutines, and does not close the reader below.
type StreamReader struct {
	scanner eventstream.Scanner
	events  int // read so far
	started bool
	stopped bool          // message_stop was there
	decoded report.Report // what decoding has replaced
	err     error         // what ended the stream

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

// Next returns the next event, pings included. Behind message_stop it returns [io.EOF], and else an error that says
// why there are no more events: an *[Error] if the server reported one in the stream, a *[wire.StreamError] for an event
// that does not belong to this wire, for one above the limit, which wraps [wire.ErrEventTooLarge], for a second message_start,
// which wraps [wire.ErrSecondStream], and for a stream that only stops, which wraps [wire.ErrTruncated], or the error of the
// reader below. After an error, Next returns the same error again.
func (s *StreamReader) Next() (*anthropicapi.StreamEvent, error) {
	if s.err != nil {
		return nil, s.err
	}
	event, err := s.read()
	s.err = err
	return event, err
}

// All returns an iterator over the events that Next would return. An error is the last pair, beside a nil event; the
// proper end is none.
func (s *StreamReader) All() iter.Seq2[*anthropicapi.StreamEvent, error] {
	return func(yield func(*anthropicapi.StreamEvent, error) bool) {
		for {
			event, err := s.Next()
			if err == io.EOF || !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// CheckEnd reads on behind message_stop or the error, where [StreamReader.Next] stops, to the end of the body, and has
// the report name each event there. It fails with a *[wire.StreamError] that wraps [wire.ErrSecondStream] at a piece of another
// message, or with what reading failed with. For a stream that ended in neither it does nothing. It waits as long
// as the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	if _, isReported := errors.AsType[*Error](s.err); !isReported && s.err != io.EOF {
		return nil
	}
	behind, err := s.scanner.ReadBehind("anthropic", s.events, isAnswer)
	s.behindEnd = append(s.behindEnd, behind...)
	if _, isFound := errors.AsType[*wire.StreamError](err); err == nil || isFound {
		return err
	}
	return s.failure(err)
}

// isAnswer reports whether an event is a piece of a message.
func isAnswer(data []byte) bool {
	event, err := DecodeEvent(data)
	return err == nil && (event.Message != nil || event.ContentBlock != nil || event.Delta != nil)
}

// Report returns what of the body is in no event so far: lines that are none of an event stream, halves of
// surrogate pairs, and what [StreamReader.CheckEnd] has found. The pointers are those into the stream as a list of its
// events: a line is reported at the event behind it.
func (s *StreamReader) Report() report.Report {
	return slices.Concat(s.scanner.Report(), s.decoded, s.behindEnd)
}

// Lost returns the entries of [StreamReader.Report] that are losses, for who refuses them event by event: it costs
// nothing as long as there are none.
func (s *StreamReader) Lost() report.Report {
	return slices.Concat(s.scanner.Report(), s.behindEnd)
}

func (s *StreamReader) read() (*anthropicapi.StreamEvent, error) {
	if s.stopped {
		return nil, io.EOF
	}
	if err := s.scanner.Next(); err != nil {
		return nil, s.failure(err)
	}
	data := s.scanner.Event.Bytes()
	s.decoded = append(s.decoded, report.ReplacedText("/"+strconv.Itoa(s.events), data)...)
	event, err := decodeEvent(data, s.scanner.Event.IsError)
	if _, isMalformed := errors.AsType[*wire.MalformedError](err); isMalformed {
		return nil, s.fault(err)
	}
	if err == nil && event.Type == anthropicapi.EventTypeMessageStart {
		if s.started {
			return nil, s.fault(wire.ErrSecondStream)
		}
		s.started = true
	}
	s.stopped = err == nil && event.Type == anthropicapi.EventTypeMessageStop
	s.events++
	return event, err
}

// failure turns what the scanner ends with into what Next returns.
func (s *StreamReader) failure(err error) error {
	if damage, ok := errors.AsType[*eventstream.ByteError](err); ok {
		return s.fault(codec.NewByteError(payloadEvent, damage.Byte))
	}
	_, isText := errors.AsType[*eventstream.TextError](err)
	switch {
	case err == io.EOF, isText:
		return s.scanner.Truncated("anthropic", s.events, "neither message_stop nor an error is there")
	case err == eventstream.ErrCut, err == wire.ErrEventTooLarge:
		return s.fault(err)
	default:
		return err
	}
}

// decodeEvent returns an event, or the *Error that ends the stream: by its type, by its name, or for an error in
// place of a stream by its only member.
func decodeEvent(data []byte, isNamedError bool) (*anthropicapi.StreamEvent, error) {
	event, err := DecodeEvent(data)
	isError := err == nil && (event.Type == anthropicapi.EventTypeError || event.Type == "" && event.Error != nil)
	if !isError && !isNamedError {
		return event, err
	}
	body, err := DecodeErrorResponse(data)
	if err != nil {
		return nil, err
	}
	return nil, &Error{Response: *body}
}

// fault returns the error about the event at hand.
func (s *StreamReader) fault(err error) error { return s.scanner.Failure("anthropic", s.events, err) }
