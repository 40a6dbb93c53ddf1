package response

import (
	"slices"
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// Stream implements [turn.Turn].
func (t *Turn) Stream() turn.Stream {
	t.made = t.newStream()
	return t.made
}

func (t *Turn) newStream() *stream {
	opts := t.options()
	if !t.isReported {
		opts = append(opts, toresponses.WithLossesOnly())
	}
	return &stream{turn: t, events: toresponses.NewStream(opts...)}
}

// Newest returns the response as its stream has told it last, as queued where it has told nothing.
func (t *Turn) Newest() *openaiapi.Response {
	if t.made == nil || t.made.response == nil {
		return t.Queued()
	}
	return t.made.response
}

// Failed returns the events of a problem that came before any other event.
func (t *Turn) Failed(p *problem.Problem) []byte {
	if t.made == nil {
		t.Stream()
	}
	return t.made.Fail(nil, p)
}

// stream makes the events of a streamed response. It ends once: what comes after the terminal event adds nothing.
type stream struct {
	turn   *Turn
	reason normalize.FinishReason

	mu     sync.Mutex // heartbeats come by another goroutine
	events *toresponses.Stream
	// next is the number of the event that comes next, and shift how many there are besides those of events.
	next, shift int
	// response is the newest one that an event has told.
	response *openaiapi.Response
	// unsent are events that came with an error. They go out before the failure, or are the failure themselves.
	unsent []openaiapi.ResponseEvent
	// isEnded is whether there was a terminal event.
	isEnded bool
}

// Push implements [turn.Stream].
func (s *stream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	turn.NoteReason(&s.reason, chunk)
	events, err := s.events.Push(chunk)
	if err := s.hold(events, err); err != nil {
		return dst, err
	}
	return s.append(dst, events)
}

// End implements [turn.Stream].
func (s *stream) End(dst []byte, told turn.Told) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, err := s.events.Close(nil)
	if err := s.hold(events, err); err != nil {
		return dst, err
	}
	if n := len(events); n > 0 && events[n-1].Response != nil {
		if err := s.complete(events[n-1].Response, told); err != nil {
			return dst, s.hold(events, err)
		}
	}
	if dst, err = s.append(dst, events); err != nil {
		return dst, err
	}
	return s.turn.way.appendDoneMark(dst), nil
}

// complete adds what only the gateway knows to the response of the terminal event, and keeps it. In the background it is
// kept with its events.
func (s *stream) complete(response *openaiapi.Response, told turn.Told) error {
	if usage := response.Usage; usage != nil {
		usage.Unknown = turn.WithCost(usage.Unknown, told.Cost)
	}
	if err := s.turn.List(&response.ExtraContent, told.Report, s.events.Report()); err != nil {
		return err
	}
	if !s.turn.inBackground {
		s.turn.keeper.keep(response)
	}
	return nil
}

// hold returns why events are not sent now: the error that they came with, or that they lose something. It keeps them for
// Fail, because their numbers must not be missing.
func (s *stream) hold(events []openaiapi.ResponseEvent, failure error) error {
	if refused := s.turn.RefuseLosses(s.events.Lost()); refused != nil {
		failure = refused
	}
	if failure != nil {
		s.unsent = slices.Clone(events)
	}
	return failure
}

// append appends events.
func (s *stream) append(dst []byte, events []openaiapi.ResponseEvent) ([]byte, error) {
	for i := range events {
		e := events[i]
		if e.Response != nil {
			s.response = e.Response
		}
		s.isEnded = s.isEnded || isTerminal(&e)
		var err error
		if s.turn.inBackground && e.Type == openaiapi.ResponseEventTypeCreated {
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

// appendQueued appends the beginning of a response in the background, which waits before it is made.
func (s *stream) appendQueued(dst []byte, created *openaiapi.ResponseEvent) ([]byte, error) {
	created.Response = queued(created.Response)
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

func (s *stream) appendEvent(dst []byte, e *openaiapi.ResponseEvent) ([]byte, error) {
	e.SequenceNumber += s.shift
	s.next = e.SequenceNumber + 1
	dst, err := responses.AppendEvent(eventtext.AppendName(dst, string(e.Type)), e)
	return append(dst, eventtext.End...), err
}

// queued returns a response as it is before it is begun.
func queued(response *openaiapi.Response) *openaiapi.Response {
	out := *response
	out.Status = openaiapi.ResponseStatusQueued
	return &out
}

// Queued returns the response before there is anything of it.
func (t *Turn) Queued() *openaiapi.Response {
	return queued(t.newStream().events.Begin()[0].Response)
}

// isTerminal reports whether an event is the last of its stream.
func isTerminal(e *openaiapi.ResponseEvent) bool {
	return e.Type == openaiapi.ResponseEventTypeCompleted || e.Type == openaiapi.ResponseEventTypeIncomplete || e.Type == openaiapi.ResponseEventTypeFailed
}

// Fail ends the response by a failure, with the code that clients act on. A stream that has ended stays as it is.
func (s *stream) Fail(dst []byte, p *problem.Problem) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isEnded {
		return dst
	}
	s.isEnded = true
	why := failure{problem.InResponsesTerms(p)}
	rest, _ := s.events.Close(why) // which gives back its argument
	events := endByFailure(append(s.unsent, rest...), why)
	s.unsent = nil
	if n := len(events); n > 0 && events[n-1].Response != nil && !s.turn.inBackground {
		s.turn.keeper.keep(events[n-1].Response)
	}
	before := len(dst)
	dst, err := s.append(dst, events)
	if err != nil { // of a response that cannot be written
		dst = dst[:before]
	}
	return s.turn.way.appendDoneMark(dst)
}

// endByFailure makes a failure of a proper end that is not sent, for example because it loses something.
func endByFailure(events []openaiapi.ResponseEvent, why failure) []openaiapi.ResponseEvent {
	n := len(events) - 1
	if n < 0 || !isTerminal(&events[n]) || events[n].Type == openaiapi.ResponseEventTypeFailed {
		return events
	}
	end := events[n]
	response := *end.Response
	response.Status, response.CompletedAt, response.IncompleteDetails = openaiapi.ResponseStatusFailed, nil, nil
	response.Error = &openaiapi.ResponseError{
		Type: why.ErrorType(), Code: openaiapi.ResponseErrorCode(why.ErrorCode()), Message: why.Error(),
	}
	cause := responses.ErrorEvent(end.SequenceNumber, *response.Error)
	end.Type, end.Response = openaiapi.ResponseEventTypeFailed, &response
	end.SequenceNumber++
	return append(events[:n], cause, end)
}

// appendDoneMark appends what ends a stream of events, nothing unless it was asked for.
func (w *Way) appendDoneMark(dst []byte) []byte {
	if !w.HasDoneMark {
		return dst
	}
	return append(dst, eventtext.DoneMark...)
}

// failure is a problem that tells its code.
type failure struct{ *problem.Problem }

// Error returns the text for the client.
func (f failure) Error() string { return f.Message }

// ErrorCode returns the code by which clients act, one of those that the errors of responses have: they have fewer than HTTP
// errors. Codex asks again at all that it does not know, and takes invalid_prompt for final.
func (f failure) ErrorCode() string {
	code := openaiapi.ResponseErrorCode(f.Code)
	switch {
	case code.Valid():
	case f.Type == problem.TypeInvalidRequest:
		code = openaiapi.ResponseErrorCodeInvalidPrompt
	case f.Type == problem.TypeRateLimit:
		code = openaiapi.ResponseErrorCodeRateLimitExceeded
	default:
		code = openaiapi.ResponseErrorCodeServerError
	}
	return string(code)
}

// ErrorType returns OpenAI's type of the failure.
func (f failure) ErrorType() string { return f.Type }

// Heartbeat appends an event that only says that the stream is alive: codex counts comments as silence. It has a number of
// its own, as OpenAI's have. Clients want response.created first: a stream that has nothing yet begins by it. In the
// background a comment is enough, because only events are kept.
func (s *stream) Heartbeat(dst []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == 0 {
		begun, err := s.append(dst, s.events.Begin())
		if err == nil && len(begun) > len(dst) {
			return begun
		}
		return eventtext.AppendComment(dst)
	}
	if s.turn.inBackground || s.isEnded {
		return eventtext.AppendComment(dst)
	}
	dst = append(eventtext.AppendName(dst, "keepalive"), `{"type":"keepalive","sequence_number":`...)
	dst = strconv.AppendInt(dst, int64(s.next), 10)
	s.next++
	s.shift++
	return append(append(dst, '}'), eventtext.End...)
}

// Finished implements [turn.Stream].
func (s *stream) Finished() turn.Finished {
	s.mu.Lock()
	defer s.mu.Unlock()
	return turn.Finished{Report: s.events.Report(), Reason: s.reason}
}
