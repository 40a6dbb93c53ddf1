package responses

import (
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	responseswire "github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
)

// formStream implements [transform.Stream]. It ends once: calls after the terminal event add
// nothing.
type formStream struct {
	options *transform.Options
	// inBackground is true if the response is made without a waiting client. It is then queued
	// before it starts.
	inBackground bool

	mu     sync.Mutex // another goroutine calls Heartbeat
	events *Stream
	// next is the number of the next event. shift is the number of events that Stream has not made.
	next, shift int
	// unsent are events that came with an error. They are sent before the failure, or are the
	// failure themselves.
	unsent  []openaiapi.ResponseEvent
	isEnded bool // by a terminal event
}

func (s *formStream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, err := s.events.Push(chunk)
	if err == nil && s.options.Strict {
		err = s.events.Lost().Strict()
	}
	if err != nil {
		return dst, s.hold(events, err)
	}
	return s.append(dst, events)
}

func (s *formStream) Close(dst []byte, err error) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, err := s.events.Close(err)
	if n := len(events); err == nil && n > 0 && events[n-1].Response != nil {
		var added transform.Added
		added, err = s.options.AddedBy(s.events.Report())
		addMembers(events[n-1].Response, added)
	}
	if err != nil {
		return dst, s.hold(events, err)
	}
	if dst, err = s.append(dst, events); err != nil {
		return dst, err
	}
	return s.appendDoneMark(dst), nil
}

// hold keeps events that come with an error for Fail, because their numbers must not be skipped. It
// returns the error.
func (s *formStream) hold(events []openaiapi.ResponseEvent, err error) error {
	s.unsent = slices.Clone(events)
	return err
}

func (s *formStream) append(dst []byte, events []openaiapi.ResponseEvent) ([]byte, error) {
	for i := range events {
		e := events[i]
		if s.options.FailsOnce && e.Type == openaiapi.ResponseEventTypeError {
			s.shift--
			continue
		}
		s.isEnded = s.isEnded || responseswire.IsTerminal(e.Type)
		var err error
		if s.inBackground && e.Type == openaiapi.ResponseEventTypeCreated {
			dst, err = s.appendQueued(dst, &e)
		} else {
			dst, err = s.appendEvent(dst, &e)
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// appendQueued appends the start of a background response, which is queued before it is made.
func (s *formStream) appendQueued(dst []byte, created *openaiapi.ResponseEvent) ([]byte, error) {
	response := *created.Response
	response.Status = openaiapi.ResponseStatusQueued
	created.Response = &response
	dst, err := s.appendEvent(dst, created)
	if err != nil {
		return dst, err
	}
	waiting := *created
	waiting.Type = openaiapi.ResponseEventTypeQueued
	waiting.SequenceNumber++
	dst, err = s.appendEvent(dst, &waiting)
	s.shift++
	return dst, err
}

func (s *formStream) appendEvent(dst []byte, e *openaiapi.ResponseEvent) ([]byte, error) {
	s.options.Edit(e)
	e.SequenceNumber += s.shift
	s.next = e.SequenceNumber + 1
	next, err := responseswire.AppendEvent(eventtext.AppendName(dst, string(e.Type)), e)
	if err != nil {
		return dst, err
	}
	return append(next, eventtext.End...), nil
}

// Fail ends the response with a failure, with the code that clients act on.
func (s *formStream) Fail(dst []byte, err error) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isEnded {
		return dst
	}
	s.isEnded = true
	why := newFailure(err)
	rest, _ := s.events.Close(why) // Close returns its argument
	events := endByFailure(append(s.unsent, rest...), why)
	s.unsent = nil
	out, err := s.append(dst, events)
	if err != nil { // the response cannot be written
		out = dst
	}
	return s.appendDoneMark(out)
}

// endByFailure turns a completed end that was not sent into a failure, for example because it would
// lose something.
func endByFailure(events []openaiapi.ResponseEvent, why failure) []openaiapi.ResponseEvent {
	n := len(events) - 1
	if n < 0 || !responseswire.IsTerminal(events[n].Type) ||
		events[n].Type == openaiapi.ResponseEventTypeFailed {
		return events
	}
	end := events[n]
	response := *end.Response
	response.Status, response.CompletedAt,
		response.IncompleteDetails = openaiapi.ResponseStatusFailed,
		nil, nil
	response.Error = &why.ResponseError
	cause := responseswire.ErrorEvent(end.SequenceNumber, *response.Error)
	end.Type, end.Response = openaiapi.ResponseEventTypeFailed, &response
	end.SequenceNumber++
	return append(events[:n], cause, end)
}

// appendDoneMark appends the mark that ends a stream, if the client asked for it.
func (s *formStream) appendDoneMark(dst []byte) []byte {
	if !s.options.HasDoneMark {
		return dst
	}
	return append(dst, eventtext.DoneMark...)
}

// failure is an error that says why a response failed and has the code for it.
type failure struct{ openaiapi.ResponseError }

func (f failure) Error() string     { return f.Message }
func (f failure) ErrorCode() string { return string(f.Code) }
func (f failure) ErrorType() string { return f.Type }

// newFailure returns the failure for an error. Its code is one of the response error codes, which
// are fewer than the codes of HTTP errors. Codex retries after unknown codes, and treats
// invalid_prompt as final.
func newFailure(err error) failure {
	e, ok := errors.AsType[*transform.Error](err)
	if !ok {
		return failure{*failureOf(err)}
	}
	e = inTerms(e)
	code := openaiapi.ResponseErrorCode(e.Code)
	switch {
	case e.Code == codeOverloaded:
		code = codeRetried
	case code.Valid():
	case e.Type == transform.TypeInvalidRequest:
		code = openaiapi.ResponseErrorCodeInvalidPrompt
	case e.Type == transform.TypeRateLimit:
		code = openaiapi.ResponseErrorCodeRateLimitExceeded
	default:
		code = openaiapi.ResponseErrorCodeServerError
	}
	return failure{openaiapi.ResponseError{Type: e.Type, Code: code, Message: e.Message}}
}

// Heartbeat appends an event that only shows that the stream is alive, because Codex treats
// comments as silence. The event has its own number, as OpenAI's have. Clients require
// response.created first, so a stream without events starts with it. In the background a comment is
// enough, because only events are stored.
func (s *formStream) Heartbeat(dst []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == 0 {
		begun, err := s.append(dst, s.events.Begin())
		if err == nil && len(begun) > len(dst) {
			return begun
		}
		return eventtext.AppendComment(dst)
	}
	if s.inBackground || s.isEnded {
		return eventtext.AppendComment(dst)
	}
	dst = append(eventtext.AppendName(dst, "keepalive"),
		`{"type":"keepalive","sequence_number":`...)
	dst = strconv.AppendInt(dst, int64(s.next), 10)
	s.next++
	s.shift++
	return append(append(dst, '}'), eventtext.End...)
}

func (s *formStream) Report() report.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events.Report()
}

func (s *formStream) Lost() report.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events.Lost()
}
