package interactions

import (
	"errors"
	"io"
	"iter"
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// DefaultMaxEventSize is the default limit of a [StreamReader] on the bytes of one event, 64 MiB.
// Media come in one event.
const DefaultMaxEventSize = 64 << 20

// ErrOldRevision is wrapped by the error of a stream that has events of the revision before May
// 2026, such as content.delta. Google's servers do not send them since June 2026.
var ErrOldRevision = errors.New("the stream has the revision before May 2026")

// StreamReader reads the body of a streamed interaction, one event at a time. It reads server-sent
// events by the rules of package gemini's StreamReader: lines may end with CR, LF or both, several
// data lines make one event, and the last event does not need a blank line after it. The event_type
// in the data decides what an event is, so the name of the event may be missing or different. Half
// a surrogate pair becomes U+FFFD. Events have a limit, see [WithMaxEventSize]. The reader does not
// check the order of the events; a [Sequence] does. It is not safe for use by several goroutines,
// and does not close the underlying reader.
type StreamReader struct {
	reader  eventstream.Reader[interactionsapi.StreamEvent]
	created string // id of the interaction
	started bool   // there was an interaction.created
}

// interactionStream is the format of a streamed interaction. It is never modified.
var interactionStream = &eventstream.Wire{
	Payload: payloadEvent, HasMark: true,
	Missing:  "neither interaction.completed nor [DONE] nor an error",
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
	s := &StreamReader{reader: eventstream.NewReader[interactionsapi.StreamEvent](r,
		interactionStream, DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next event. After interaction.completed, and at the mark [DONE], it returns
// [io.EOF]. Otherwise its error says why there are no more events:
//
//   - an *[Error] if the server reported an error in the stream. Google ends a stream after 600
//     seconds with one. The interaction continues, and a stored one can be read again.
//   - a *[wire.StreamError] if an event is not an event of this API. It wraps
//     [wire.ErrEventTooLarge] if an event exceeds the limit, [wire.ErrSecondStream] for an
//     interaction.created of another interaction, [ErrOldRevision] for events of the revision
//     before May 2026, and [wire.ErrTruncated] if the stream is incomplete.
//   - the error of the underlying reader.
//
// A second interaction.created of the same interaction is no error: a server replays the events
// from the beginning, and an [Accumulator] begins again. After an error, Next returns the same
// error again.
func (s *StreamReader) Next() (*interactionsapi.StreamEvent, error) {
	return s.reader.Next(s.decode)
}

// All returns an iterator over the events that Next would return. An error is the last pair, with a
// nil event; the proper end yields no error.
func (s *StreamReader) All() iter.Seq2[*interactionsapi.StreamEvent, error] {
	return eventstream.All(s.Next)
}

// Bytes returns the JSON of the last event that Next has read, as received, but with its data lines
// joined by LF. The result must not be changed and is valid until the next call of Next. It is nil
// before the first event and if the stream is incomplete.
func (s *StreamReader) Bytes() []byte { return s.reader.Data }

// CheckEnd reads the rest of the body after the last event, where [StreamReader.Next] stops, and
// reports each event in it. The mark [DONE] is expected there. If an event is a piece of another
// interaction, it returns a *[wire.StreamError] that wraps [wire.ErrSecondStream]. It also returns
// read errors. It does nothing if the stream is incomplete. It waits while the server keeps the
// connection open.
func (s *StreamReader) CheckEnd() error { return s.reader.CheckEnd() }

// isAnswer reports whether an event is a piece of an interaction.
func isAnswer(data []byte) bool {
	event, err := DecodeEvent(data)
	return err == nil && (event.Interaction != nil || event.Step != nil || event.Delta != nil)
}

// Report returns what no event so far contains: lines that do not belong to an event stream, halves
// of surrogate pairs, and the findings of [StreamReader.CheckEnd]. Pointers are into the stream as
// a list of events. A line is reported at the event after it.
func (s *StreamReader) Report() report.Report { return s.reader.Report(nil) }

// Lost returns the entries of [StreamReader.Report] that are losses. Use it to refuse losses event
// by event: it costs nothing while there are no losses.
func (s *StreamReader) Lost() report.Report { return s.reader.Lost(nil) }

// decode returns an event, and records the first and the last one.
func (s *StreamReader) decode(data []byte) (*interactionsapi.StreamEvent, error) {
	event, err := decodeEvent(data, s.reader.Scanner.Event.IsError)
	if err != nil {
		return nil, err
	}
	switch event.EventType {
	case interactionsapi.EventTypeInteractionCreated:
		if s.isOther(event) {
			return nil, wire.ErrSecondStream
		}
	case interactionsapi.EventTypeInteractionCompleted:
		s.reader.Ended = true
	}
	return event, nil
}

// isOther records the interaction of an interaction.created. It reports whether this is another one
// than that of an earlier event.
func (s *StreamReader) isOther(e *interactionsapi.StreamEvent) bool {
	id := ""
	if e.Interaction != nil && e.Interaction.ID != nil {
		id = *e.Interaction.ID
	}
	if s.started {
		return id == "" || id != s.created
	}
	s.started, s.created = true, id
	return false
}

// decodeEvent returns an event, or the *Error that ends the stream. An error has the type or the
// name error. The element of a JSON list that Google ends a long stream with has error as its only
// member. The list may be the data of an event.
func decodeEvent(data []byte, isNamedError bool) (*interactionsapi.StreamEvent, error) {
	event, err := DecodeEvent(data)
	if err != nil {
		if list := jsonx.Elements(data); len(list) > 0 {
			if first, errFirst := DecodeEvent(list[0]); errFirst == nil && first.Error != nil {
				data, event, err = list[0], first, nil
			}
		}
	}
	isError := err == nil && event.Error != nil &&
		(event.EventType == interactionsapi.EventTypeError || event.EventType == "")
	switch {
	case isError, isNamedError && (err != nil || event.EventType == ""):
	case err != nil:
		return nil, err
	case isOldType(event.EventType):
		return nil, &wire.MalformedError{Wire: payloadEvent.Wire, Payload: payloadEvent.Name,
			Pointer: "/event_type", Message: "an event of the revision before May 2026",
			Err: ErrOldRevision}
	default:
		return event, nil
	}
	body, err := DecodeErrorResponse(data)
	if err != nil {
		return nil, err
	}
	return nil, &Error{Response: *body}
}

// isOldType reports whether an event is of the revision before May 2026.
func isOldType(t interactionsapi.EventType) bool {
	return t == "interaction.start" || t == "interaction.complete" ||
		strings.HasPrefix(string(t), "content.")
}
