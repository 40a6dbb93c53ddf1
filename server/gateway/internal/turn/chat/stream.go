package chat

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// Stream implements [turn.Turn].
func (t *Turn) Stream() turn.Stream {
	opts := append(t.options(), chat.WithReusedEvents()) // each is written at once
	if t.includeUsage {
		opts = append(opts, chat.WithUsage())
	}
	if !t.isReported {
		opts = append(opts, chat.WithLossesOnly())
	}
	return &stream{turn: t, chunks: chat.NewStream(opts...), callIDs: signature.CallIDs{}}
}

// stream makes the events of a streamed completion.
type stream struct {
	turn    *Turn
	chunks  *chat.Stream
	callIDs signature.CallIDs
	reason  normalize.FinishReason // of the first choice
	isShown bool                   // there is something of the answer
}

// Push implements [turn.Stream].
func (s *stream) Push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	if p := s.failure(chunk); p != nil {
		s.reason = normalize.FinishError
		return dst, p
	}
	chunks, err := s.chunks.Push(chunk)
	if err := s.turn.RefuseLosses(s.chunks.Lost()); err != nil {
		return dst, err
	}
	return s.append(dst, chunks, err)
}

// failure is the problem of a chunk that ends an answer of which there is nothing.
func (s *stream) failure(chunk *geminiapi.GenerateContentResponse) *problem.Problem {
	for i := range chunk.Candidates {
		s.isShown = s.isShown || problem.ShowsAnything(chunk.Candidates[i].Content)
	}
	if s.isShown || !s.turn.isOfOne {
		return nil
	}
	return problem.SilentFailure(chunk)
}

// End implements [turn.Stream].
func (s *stream) End(dst []byte, told turn.Told) ([]byte, error) {
	chunks, err := s.chunks.Close(nil)
	if err := s.turn.RefuseLosses(s.chunks.Lost()); err != nil {
		return dst, err
	}
	if err == nil && len(chunks) > 0 {
		last := &chunks[len(chunks)-1]
		if usage := last.Usage; usage != nil {
			usage.Unknown = turn.WithCost(usage.Unknown, told.Cost)
		}
		if s.turn.IsListed {
			err = s.turn.List(&last.ExtraContent, told.Report, s.chunks.Report())
		}
	}
	if dst, err = s.append(dst, chunks, err); err != nil {
		return dst, err
	}
	return append(dst, turn.DoneMark...), nil
}

// append appends an event for each chunk. The error is that which the chunks came with, or of writing them.
func (s *stream) append(dst []byte, chunks []openaiapi.CreateChatCompletionStreamResponse, failure error) ([]byte, error) {
	for i := range chunks {
		var err error
		s.look(chunks[i].Choices)
		dst = append(dst, turn.EventStart...)
		if dst, err = openai.AppendChunk(dst, &chunks[i]); err != nil {
			return dst, err
		}
		dst = append(dst, turn.EventEnd...)
	}
	return dst, failure
}

// look notes why the first choice ended, and sees to it that ids carry signatures.
func (s *stream) look(choices []openaiapi.ChunkChoice) {
	s.callIDs.Carry(s.turn.signing, choices)
	for i := range choices {
		if reason := choices[i].FinishReason; reason != nil && choices[i].Index == 0 {
			s.reason = reasonOf(*reason, choices[i].NativeFinishReason)
		}
	}
}

// Fail implements [turn.Stream].
func (s *stream) Fail(dst []byte, p *problem.Problem) []byte {
	dst = append(dst, turn.EventStart...)
	dst = problem.AppendOpenAI(dst, p, "")
	return append(dst, turn.EventEnd...)
}

// Heartbeat appends a chunk without choices, as the one with the usage is.
func (s *stream) Heartbeat(dst []byte) []byte {
	before := len(dst)
	dst, err := openai.AppendChunk(append(dst, turn.EventStart...), &openaiapi.CreateChatCompletionStreamResponse{
		ID: s.turn.id, Object: openaiapi.ObjectTypeChatCompletionChunk, Created: s.turn.created.Unix(),
		Model: cmp.Or(s.turn.asked, "gemini"), Choices: []openaiapi.ChunkChoice{},
	})
	if err != nil { // of a name that is no UTF-8
		return turn.AppendComment(dst[:before])
	}
	return append(dst, turn.EventEnd...)
}

// Finished implements [turn.Stream].
func (s *stream) Finished() turn.Finished {
	return turn.Finished{Report: s.chunks.Report(), Reason: s.reason}
}
