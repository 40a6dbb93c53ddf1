package response

import (
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gateway/internal/turn"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
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

// stream makes the events of a streamed response.
type stream struct {
	turn   *Turn
	reason normalize.FinishReason

	mu     sync.Mutex // heartbeats come by another goroutine
	events *toresponses.Stream
	// next is the number of the event that comes next, and shift how many there are besides those of events.
	next, shift int
	pushes      int
	// hasBeaten is whether there was a heartbeat.
	hasBeaten bool
	// response is the newest one that an event has told.
	response *openaiapi.Response
	// failure are events that tell why there are no more.
	failure []openaiapi.ResponseEvent
}

// Push implements [turn.Stream].
func (s *stream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pushes++
	turn.NoteReason(&s.reason, chunk)
	events, err := s.events.Push(chunk)
	return s.take(dst, events, err)
}

// End implements [turn.Stream].
func (s *stream) End(dst []byte, told turn.Told) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, err := s.events.Close(nil)
	if n := len(events); err == nil && n > 0 && events[n-1].Response != nil {
		response := events[n-1].Response
		if usage := response.Usage; usage != nil {
			usage.Unknown = turn.WithCost(usage.Unknown, told.Cost)
		}
		err = s.turn.List(&response.ExtraContent, told.Report, s.events.Report())
		if !s.turn.inBackground { // where it is kept with its events
			s.turn.keeper.keep(response)
		}
	}
	if dst, err = s.take(dst, events, err); err != nil {
		return dst, err
	}
	return s.turn.way.appendDoneMark(dst), nil
}

// take appends events. Those beside an error tell of it, and are kept for Fail.
func (s *stream) take(dst []byte, events []openaiapi.ResponseEvent, failure error) ([]byte, error) {
	if err := s.turn.RefuseLosses(s.events.Lost()); err != nil {
		return dst, err
	}
	if failure != nil {
		s.failure = append(s.failure, events...)
		return dst, failure
	}
	return s.append(dst, events)
}

// append appends events.
func (s *stream) append(dst []byte, events []openaiapi.ResponseEvent) ([]byte, error) {
	for i := range events {
		e := events[i]
		if e.Response != nil {
			s.response = e.Response
		}
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
	dst, err := responses.AppendEvent(turn.AppendEventName(dst, string(e.Type)), e)
	return append(dst, turn.EventEnd...), err
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

// Fail ends the response by a failure, with the code that clients act on.
func (s *stream) Fail(dst []byte, p *problem.Problem) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(dst)
	if s.failure == nil {
		s.failure, _ = s.events.Close(failure{problem.InResponsesTerms(p)}) // which gives back its argument
	}
	if n := len(s.failure); n > 0 && s.failure[n-1].Response != nil && !s.turn.inBackground {
		s.turn.keeper.keep(s.failure[n-1].Response)
	}
	dst, err := s.append(dst, s.failure)
	if err != nil { // of a response that cannot be written
		dst = dst[:before]
	}
	return s.turn.way.appendDoneMark(dst)
}

// appendDoneMark appends what ends a stream of events, nothing unless it was asked for.
func (w *Way) appendDoneMark(dst []byte) []byte {
	if !w.HasDoneMark {
		return dst
	}
	return append(dst, turn.DoneMark...)
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

// Keepalive is the name of an event that OpenAI's packages know, and that says nothing.
const Keepalive = "keepalive"

// Heartbeat appends an event that only says that the stream is alive: codex counts comments as silence. It repeats the
// number of the event before it, so that those of the response have no gaps. Clients want response.created first: a
// stream that has nothing yet begins by it.
func (s *stream) Heartbeat(dst []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	isFirst := !s.hasBeaten
	s.hasBeaten = true
	switch {
	case s.next == 0:
		if begun, err := s.append(dst, s.events.Begin()); err == nil {
			return begun
		}
		return turn.AppendComment(dst)
	case isFirst && s.pushes == 1: // its events may not be sent yet
		return turn.AppendComment(dst)
	}
	dst = append(turn.AppendEventName(dst, Keepalive), `{"type":"keepalive","sequence_number":`...)
	dst = strconv.AppendInt(dst, int64(s.next-1), 10)
	return append(append(dst, '}'), turn.EventEnd...)
}

// Finished implements [turn.Stream].
func (s *stream) Finished() turn.Finished {
	s.mu.Lock()
	defer s.mu.Unlock()
	return turn.Finished{Report: s.events.Report(), Reason: s.reason}
}
