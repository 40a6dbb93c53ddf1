package gateway

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

func (t *messageTurn) stream() turnStream { return &messageStream{turn: t} }

// messageStream makes the events of a streamed message.
type messageStream struct {
	turn   *messageTurn
	events *messages.Stream // nil before there is an answer
	reason normalize.FinishReason
}

// source returns what converts the answer. It is made when that begins: only then is known what the prompt takes.
func (s *messageStream) source() *messages.Stream {
	if s.events == nil {
		opts := append(s.turn.options(), messages.WithReusedEvents(), messages.WithInputTokens(s.turn.inputTokens)) // each is written at once
		if !s.turn.isReported {
			opts = append(opts, messages.WithLossesOnly())
		}
		s.events = messages.NewStream(opts...)
	}
	return s.events
}

func (s *messageStream) push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	noteReason(&s.reason, chunk)
	if p := problem.BrokenAnswer(chunk); p != nil {
		return dst, p
	}
	events, err := s.source().Push(chunk)
	if err := s.turn.refuseLosses(s.source().Lost()); err != nil {
		return dst, err
	}
	return s.append(dst, events, err)
}

func (s *messageStream) end(dst []byte, told told) ([]byte, error) {
	events, err := s.source().Close(nil)
	if err := s.turn.refuseLosses(s.source().Lost()); err != nil {
		return dst, err
	}
	for i := range events {
		if events[i].Type != anthropicapi.EventTypeMessageDelta {
			continue
		}
		if usage := events[i].Usage; usage != nil {
			usage.Unknown = withCost(usage.Unknown, told.cost)
		}
		if s.turn.isListed && err == nil {
			listed, failure := s.turn.listed(told.report, s.source().Report())
			err = failure
			events[i].Unknown = rawobject.Merge(events[i].Unknown, rawobject.Of("extra_content", listed))
		}
	}
	return s.append(dst, events, err)
}

// append appends events. The error is that which they came with, or of writing them.
func (s *messageStream) append(dst []byte, events []anthropicapi.StreamEvent, failure error) ([]byte, error) {
	for i := range events {
		var err error
		dst = appendEventName(dst, string(events[i].Type))
		if dst, err = anthropic.AppendEvent(dst, &events[i]); err != nil {
			return dst, err
		}
		dst = append(dst, eventEnd...)
	}
	return dst, failure
}

func (s *messageStream) fail(dst []byte, p *problem.Problem) []byte {
	dst = appendEventName(dst, string(anthropicapi.EventTypeError))
	return append(problem.AppendAnthropic(dst, p, s.turn.requestID), eventEnd...)
}

// heartbeat appends a ping, which may stand anywhere in a stream.
func (s *messageStream) heartbeat(dst []byte) []byte {
	return append(append(appendEventName(dst, "ping"), `{"type":"ping"}`...), eventEnd...)
}

func (s *messageStream) finished() finished {
	return finished{report: s.source().Report(), reason: s.reason}
}
