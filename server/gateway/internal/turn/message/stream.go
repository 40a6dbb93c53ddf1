package message

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/eventtext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// Stream implements [turn.Turn].
func (t *Turn) Stream() turn.Stream { return &stream{turn: t} }

// stream makes the events of a streamed message.
type stream struct {
	turn   *Turn
	events *messages.Stream // nil before there is an answer
	reason normalize.FinishReason
	text   *signature.Text // of the open block, nil for one of another kind
}

// source returns what converts the answer. It is made when that begins: only then is known what the prompt takes.
func (s *stream) source() *messages.Stream {
	if s.events == nil {
		opts := append(s.turn.options(), messages.WithReusedEvents(), messages.WithInputTokens(s.turn.inputTokens)) // each is written at once
		if !s.turn.isReported {
			opts = append(opts, messages.WithLossesOnly())
		}
		s.events = messages.NewStream(opts...)
	}
	return s.events
}

// Push implements [turn.Stream].
func (s *stream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	turn.NoteReason(&s.reason, chunk)
	if p := problem.BrokenAnswer(chunk); p != nil {
		return dst, p
	}
	events, err := s.source().Push(chunk)
	if err := s.turn.RefuseLosses(s.source().Lost()); err != nil {
		return dst, err
	}
	return s.append(dst, events, err)
}

// End implements [turn.Stream].
func (s *stream) End(dst []byte, told turn.Told) ([]byte, error) {
	events, err := s.source().Close(nil)
	if err := s.turn.RefuseLosses(s.source().Lost()); err != nil {
		return dst, err
	}
	for i := range events {
		if events[i].Type != anthropicapi.EventTypeMessageDelta {
			continue
		}
		if usage := events[i].Usage; usage != nil {
			usage.Unknown = turn.WithCost(usage.Unknown, told.Cost)
		}
		if s.turn.IsListed && err == nil {
			listed, failure := s.turn.Listed(told.Report, s.source().Report())
			err = failure
			events[i].Unknown = jsonx.MergeObjects(events[i].Unknown, jsonx.Object("extra_content", listed))
		}
	}
	return s.append(dst, events, err)
}

// append appends events. The error is that which they came with, or of writing them.
func (s *stream) append(dst []byte, events []anthropicapi.StreamEvent, failure error) ([]byte, error) {
	s.keepTexts(events)
	for i := range events {
		var err error
		dst = eventtext.AppendName(dst, string(events[i].Type))
		if dst, err = anthropic.AppendEvent(dst, &events[i]); err != nil {
			return dst, err
		}
		dst = append(dst, eventtext.End...)
	}
	return dst, failure
}

// Fail implements [turn.Stream].
func (s *stream) Fail(dst []byte, p *problem.Problem) []byte {
	dst = eventtext.AppendName(dst, string(anthropicapi.EventTypeError))
	return append(problem.AppendAnthropic(dst, p, s.turn.requestID), eventtext.End...)
}

// Heartbeat appends a ping, which may stand anywhere in a stream.
func (s *stream) Heartbeat(dst []byte) []byte {
	return append(append(eventtext.AppendName(dst, "ping"), `{"type":"ping"}`...), eventtext.End...)
}

// Finished implements [turn.Stream].
func (s *stream) Finished() turn.Finished {
	return turn.Finished{Report: s.source().Report(), Reason: s.reason}
}
