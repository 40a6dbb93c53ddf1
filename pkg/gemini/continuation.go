package gemini

import (
	"cmp"
	"context"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/usagetotal"
)

// DefaultContinuations is how often a client asks for more of an answer that the server sends in
// several replies.
const DefaultContinuations = 100

// WithContinuation sets how often a client asks for more of an answer that the server sends in
// several replies, as Gemini 4 Argon does with long answers. The default is [DefaultContinuations];
// with 0 the first reply is the answer, and its continuationToken can be sent by hand.
//
// The replies are one answer: texts are joined, tokens summed, the id is that of the first reply,
// and the finish reason that of the last. Each reply is billed with its own prompt;
// initialPromptTokenCount has the tokens of the first one. Only the [FirstCandidate] says that an
// answer has more, by the finish reason CONTINUATION and a token.
//
// The client stops when the server returns the token that it was sent, and when the limit is
// reached. The answer then ends with CONTINUATION and its token. When a later reply of a whole
// answer fails, the error is a *[ContinuationError].
//
// A request above 16 KiB is held in memory while its stream comes only for models that are known to
// send several replies, and where a program uses this option. Otherwise such a stream ends with
// CONTINUATION and its token.
//
// A stream that breaks is resumed from its last checkpoint, which is a token without a finish
// reason, if it failed in a way that may pass: at most three times in a row without a new token or
// content. Text after the checkpoint that the server sends again is left out. When the server
// continues with other text, the stream ends with the error that broke it.
func WithContinuation(limit int) Option {
	return anyOption(func(s *settings) { s.rounds, s.isContinuing = limit, true })
}

// ContinuationError reports that the server sent the beginning of an answer and failed to send the
// rest.
type ContinuationError struct {
	// Partial is what came before, joined. Its token can be sent to ask for the rest.
	Partial *geminiapi.GenerateContentResponse
	// Replies is how many replies Partial is made of.
	Replies int
	// Err is why the next reply failed.
	Err error
}

// Error returns a line such as "gemini: reply 2 of the answer: 503 UNAVAILABLE: overloaded".
func (e *ContinuationError) Error() string {
	return fmt.Sprintf("gemini: reply %d of the answer: %v", e.Replies+1, e.Err)
}

// Unwrap returns Err.
func (e *ContinuationError) Unwrap() error { return e.Err }

// complete asks for the rest of an answer.
func (s *settings) complete(
	ctx context.Context, req *geminiapi.GenerateContentRequest,
	first *geminiapi.GenerateContentResponse,
) (*geminiapi.GenerateContentResponse, error) {
	replies := []*geminiapi.GenerateContentResponse{first}
	sent := jsonx.Deref(jsonx.Deref(req).ContinuationToken)
	for len(replies) <= s.rounds {
		token := nextToken(replies[len(replies)-1])
		if token == "" || token == sent {
			break
		}
		sent = token
		op, err := s.generation(continued(req, token), "generateContent")
		if err != nil {
			return nil, err
		}
		reply, err := generate(ctx, s, op)
		if err != nil {
			return nil, &ContinuationError{Partial: joinReplies(replies), Replies: len(replies),
				Err: err}
		}
		replies = append(replies, reply)
	}
	return joinReplies(replies), nil
}

// nextToken returns the token that continues an answer, or "" if it has ended.
func nextToken(r *geminiapi.GenerateContentResponse) string {
	c := FirstCandidate(r)
	if c == nil || r.PromptFeedback != nil || !isIntermediate(c) {
		return ""
	}
	return jsonx.Deref(c.ContinuationToken)
}

// isIntermediate reports whether a candidate has no finish reason, or one that announces more.
func isIntermediate(c *geminiapi.Candidate) bool {
	reason := jsonx.Deref(c.FinishReason)
	return reason == geminiapi.FinishReasonContinuation || unspecifiedReasons[string(reason)]
}

// hideContinuation removes from a reply that it is not the last one.
func hideContinuation(r *geminiapi.GenerateContentResponse) {
	if c := FirstCandidate(r); c != nil && isIntermediate(c) {
		c.ContinuationToken, c.FinishReason, c.FinishMessage = nil, nil, nil
	}
}

// continued returns the request for the rest of an answer.
func continued(req *geminiapi.GenerateContentRequest,
	token string) *geminiapi.GenerateContentRequest {
	own := jsonx.Deref(req)
	own.ContinuationToken = &token
	return &own
}

// joinReplies returns the answer that replies are together. Those before the last one are changed.
func joinReplies(replies []*geminiapi.GenerateContentResponse) *geminiapi.GenerateContentResponse {
	if len(replies) == 1 {
		return replies[0]
	}
	var usage *geminiapi.UsageMetadata
	var id *string
	for i, reply := range replies {
		usage = sumOfUsage(usage, reply.UsageMetadata)
		id = cmp.Or(id, reply.ResponseID)
		if i < len(replies)-1 {
			hideContinuation(reply)
		}
	}
	answer := merge.Chunks(IsError, replies...).Response
	answer.UsageMetadata, answer.ResponseID = usage, id
	return answer
}

// sumOfUsage returns the tokens of two replies, of which the first one says how long the prompt
// was. Neither is changed.
func sumOfUsage(before, rest *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	sum := usagetotal.Add(before, rest)
	if before != nil && rest != nil {
		sum.InitialPromptTokenCount = cmp.Or(before.InitialPromptTokenCount,
			before.PromptTokenCount)
	}
	return sum
}
