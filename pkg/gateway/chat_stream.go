package gateway

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

func (t *chatTurn) stream() turnStream {
	opts := append(t.options(), toopenai.WithReusedChunks()) // each is written at once
	if t.includeUsage {
		opts = append(opts, toopenai.WithUsage())
	}
	if !t.isReported {
		opts = append(opts, toopenai.WithLossesOnly())
	}
	return &chatStream{turn: t, chunks: toopenai.NewStream(opts...), callIDs: callIDs{}}
}

// chatStream makes the events of a streamed completion.
type chatStream struct {
	turn    *chatTurn
	chunks  *toopenai.Stream
	callIDs callIDs
	reason  normalize.FinishReason // of the first choice
	isShown bool                   // there is something of the answer
}

func (s *chatStream) push(dst []byte, chunk *geminiapi.GenerateContentResponse) ([]byte, error) {
	if p := s.failure(chunk); p != nil {
		s.reason = normalize.FinishError
		return dst, p
	}
	chunks, err := s.chunks.Push(chunk)
	if err := s.turn.refuseLosses(s.chunks.Lost()); err != nil {
		return dst, err
	}
	return s.append(dst, chunks, err)
}

// failure is the problem of a chunk that ends an answer of which there is nothing.
func (s *chatStream) failure(chunk *geminiapi.GenerateContentResponse) *problem.Problem {
	for i := range chunk.Candidates {
		s.isShown = s.isShown || problem.ShowsAnything(chunk.Candidates[i].Content)
	}
	if s.isShown || !s.turn.isOfOne {
		return nil
	}
	return problem.SilentFailure(chunk)
}

func (s *chatStream) end(dst []byte, told told) ([]byte, error) {
	chunks, err := s.chunks.Close(nil)
	if err := s.turn.refuseLosses(s.chunks.Lost()); err != nil {
		return dst, err
	}
	if err == nil && len(chunks) > 0 {
		last := &chunks[len(chunks)-1]
		if usage := last.Usage; usage != nil {
			usage.Unknown = withCost(usage.Unknown, told.cost)
		}
		if s.turn.isListed {
			err = s.turn.list(&last.ExtraContent, told.report, s.chunks.Report())
		}
	}
	if dst, err = s.append(dst, chunks, err); err != nil {
		return dst, err
	}
	return append(dst, "data: [DONE]\n\n"...), nil
}

// append appends an event for each chunk. The error is that which the chunks came with, or of writing them.
func (s *chatStream) append(dst []byte, chunks []openaiapi.CreateChatCompletionStreamResponse, failure error) ([]byte, error) {
	for i := range chunks {
		var err error
		s.look(chunks[i].Choices)
		dst = append(dst, eventStart...)
		if dst, err = openai.AppendChunk(dst, &chunks[i]); err != nil {
			return dst, err
		}
		dst = append(dst, eventEnd...)
	}
	return dst, failure
}

// What an event has around its data.
const (
	eventName  = "event: "
	eventStart = "data: "
	eventEnd   = "\n\n"
)

// look notes why the first choice ended, and sees to it that ids carry signatures.
func (s *chatStream) look(choices []openaiapi.ChunkChoice) {
	s.callIDs.carry(&s.turn.signatures, choices)
	for i := range choices {
		if reason := choices[i].FinishReason; reason != nil && choices[i].Index == 0 {
			s.reason = reasonOf(*reason, choices[i].NativeFinishReason)
		}
	}
}

func (s *chatStream) fail(dst []byte, p *problem.Problem) []byte {
	dst = append(dst, eventStart...)
	dst = problem.AppendOpenAI(dst, p, "")
	return append(dst, eventEnd...)
}

// heartbeat appends a chunk without choices, as the one with the usage is.
func (s *chatStream) heartbeat(dst []byte) []byte {
	before := len(dst)
	dst, err := openai.AppendChunk(append(dst, eventStart...), &openaiapi.CreateChatCompletionStreamResponse{
		ID: s.turn.id, Object: openaiapi.ObjectTypeChatCompletionChunk, Created: s.turn.created.Unix(),
		Model: cmp.Or(s.turn.asked, "gemini"), Choices: []openaiapi.ChunkChoice{},
	})
	if err != nil { // of a name that is no UTF-8
		return appendComment(dst[:before])
	}
	return append(dst, eventEnd...)
}

func (s *chatStream) finished() finished {
	return finished{report: s.chunks.Report(), reason: s.reason}
}
