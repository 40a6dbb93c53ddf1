package gemini

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/usagetotal"
)

// WithContinuation asks for the rest of an answer that the server cut into several replies (finish reason
// CONTINUATION), up to so many times, and returns one answer: texts are joined, tokens summed, the last finish
// reason and the other facts are those of the last reply. In a stream the chunks follow each other as if it was one. By
// default the first reply is the answer, and its continuationToken can be sent by hand.
//
// An answer that has more replies ends with CONTINUATION and its token. When a later reply fails, so does the call.
func WithContinuation(maxRounds int) Option {
	return func(s *settings) { s.rounds = maxRounds }
}

// complete asks for the rest of an answer.
func (s *settings) complete(ctx context.Context, req *geminiapi.GenerateContentRequest, answer *geminiapi.GenerateContentResponse) (*geminiapi.GenerateContentResponse, error) {
	for range s.rounds {
		token := continuationToken(answer)
		if token == "" {
			break
		}
		op, err := s.generation(continued(req, token), "generateContent")
		if err != nil {
			return nil, err
		}
		rest, err := generate(ctx, s, op)
		if err != nil {
			return nil, err
		}
		joinAnswers(answer, rest)
		answer = rest
	}
	return answer, nil
}

// completeStream yields a stream and those that continue it.
func (s *settings) completeStream(ctx context.Context, req *geminiapi.GenerateContentRequest, op *operation, yield chunkYield) {
	var before *geminiapi.UsageMetadata // of the streams that have ended
	for round := 0; ; round++ {
		part := &continuedStream{yield: yield, before: before, isLast: round >= s.rounds}
		stream(ctx, s, op, part.deliver)
		if part.isOver || part.token == "" {
			return
		}
		before = part.usage
		var err error
		if op, err = s.generation(continued(req, part.token), "streamGenerateContent"); err != nil {
			yield(nil, err)
			return
		}
	}
}

// chunkYield takes a chunk or an error, and reports whether it wants more.
type chunkYield = func(*geminiapi.GenerateContentResponse, error) bool

// continuedStream is one of the streams of an answer.
type continuedStream struct {
	yield  chunkYield
	before *geminiapi.UsageMetadata
	isLast bool

	usage  *geminiapi.UsageMetadata // of all streams so far
	token  string                   // with which the answer goes on
	isOver bool                     // the loop was left, or has its error
}

// deliver yields a chunk without the mark that the answer goes on.
func (c *continuedStream) deliver(chunk *geminiapi.GenerateContentResponse, err error) bool {
	if err != nil {
		// A stream that says by its token alone that it goes on has no finish reason.
		if c.token != "" && errors.Is(err, ErrTruncated) {
			return false
		}
		c.isOver = true
		return c.yield(nil, err)
	}
	if chunk.UsageMetadata != nil {
		chunk.UsageMetadata = sumOfUsage(c.before, chunk.UsageMetadata)
		c.usage = chunk.UsageMetadata
	}
	if token := continuationToken(chunk); token != "" && !c.isLast {
		c.token = token
		chunk.Candidates[0].ContinuationToken, chunk.Candidates[0].FinishReason = nil, nil
	}
	if !c.yield(chunk, nil) {
		c.isOver = true
		return false
	}
	return true
}

// continuationToken returns the token with which an answer goes on, "" if it is whole.
func continuationToken(r *geminiapi.GenerateContentResponse) string {
	if len(r.Candidates) != 1 {
		return ""
	}
	reason := optional.Value(r.Candidates[0].FinishReason)
	if reason != geminiapi.FinishReasonContinuation && !unspecifiedReasons[string(reason)] {
		return ""
	}
	return optional.Value(r.Candidates[0].ContinuationToken)
}

// continued returns the request for the rest of an answer.
func continued(req *geminiapi.GenerateContentRequest, token string) *geminiapi.GenerateContentRequest {
	own := optional.Value(req)
	own.ContinuationToken = &token
	return &own
}

// joinAnswers puts what came before in front of the rest of an answer.
func joinAnswers(before, rest *geminiapi.GenerateContentResponse) {
	rest.UsageMetadata = sumOfUsage(before.UsageMetadata, rest.UsageMetadata)
	if len(rest.Candidates) == 0 {
		return
	}
	first := before.Candidates[0].Content
	if first == nil {
		return
	}
	candidate := &rest.Candidates[0]
	if candidate.Content == nil {
		candidate.Content = &geminiapi.Content{Role: first.Role}
	}
	candidate.Content.Parts = joinParts(first.Parts, candidate.Content.Parts)
}

// joinParts joins the text that was cut, if it is one.
func joinParts(before, rest []geminiapi.Part) []geminiapi.Part {
	if len(before) == 0 || len(rest) == 0 {
		return slices.Concat(before, rest)
	}
	last := before[len(before)-1]
	if !isPlainText(last) || !isPlainText(rest[0]) || optional.Value(last.Thought) != optional.Value(rest[0].Thought) {
		return slices.Concat(before, rest)
	}
	last.Text = new(*last.Text + *rest[0].Text)
	return slices.Concat(before[:len(before)-1], []geminiapi.Part{last}, rest[1:])
}

// isPlainText reports whether a part is a text, thought or not, and nothing else.
func isPlainText(part geminiapi.Part) bool {
	text := part.Text
	part.Text, part.Thought = nil, nil
	return text != nil && part.IsEmpty()
}

// sumOfUsage returns the tokens of two replies, of which the first one tells how long the prompt was. Neither is changed.
func sumOfUsage(before, rest *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	sum := usagetotal.Add(before, rest)
	if before != nil && rest != nil {
		sum.InitialPromptTokenCount = cmp.Or(before.InitialPromptTokenCount, before.PromptTokenCount)
	}
	return sum
}
