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

// DefaultContinuations is how often a client requests more of an answer that the server sends in
// several replies.
const DefaultContinuations = 100

// WithContinuation sets how often a client requests more of an answer that the server sends in
// several replies. Gemini 4 Argon does so with long answers. The default is [DefaultContinuations].
// With 0 the first reply is the answer, and the program can send its continuationToken itself.
//
// The client joins the replies into one answer: it joins texts and sums tokens. The answer has the
// id of the first reply and the finish reason of the last. Each reply is billed with its own
// prompt; initialPromptTokenCount has the tokens of the first prompt. Only the [FirstCandidate]
// says that an answer has more, with the finish reason CONTINUATION and a token.
//
// The client stops when the server returns the same token again, and at the limit. The answer then
// ends with CONTINUATION and its token. When a later reply of a whole answer fails, the error is a
// *[ContinuationError].
//
// A stream of a request above 16 KiB keeps the request in memory only for models that are known to
// send several replies, or if a program uses this option. Otherwise such a stream ends with
// CONTINUATION and its token.
//
// If a stream breaks in a way that may be temporary, the client resumes it from its last
// checkpoint, a token without a finish reason. It does so at most three times in a row without a
// new token or content. The client drops text after the checkpoint that the server sends again. If
// the server continues with different text, the stream ends with the error that broke it.
func WithContinuation(limit int) Option {
	return anyOption(func(s *settings) { s.rounds, s.isContinuing = limit, true })
}

// ContinuationError reports that the server sent the beginning of an answer and failed to send the
// rest.
type ContinuationError struct {
	// Partial is the joined answer before the failure. Its token can be sent to request the rest.
	Partial *geminiapi.GenerateContentResponse
	// Replies is the number of replies in Partial.
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

// complete requests the rest of an answer.
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

// isIntermediate reports whether a candidate has no finish reason or CONTINUATION.
func isIntermediate(c *geminiapi.Candidate) bool {
	reason := jsonx.Deref(c.FinishReason)
	return reason == geminiapi.FinishReasonContinuation || unspecifiedReasons[string(reason)]
}

// hideContinuation removes the sign from a reply that more replies follow.
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

// joinReplies joins replies to one answer. It changes all replies but the last.
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

// sumOfUsage returns the sum of the tokens of two replies. The first one has the length of the
// prompt. Neither is changed.
func sumOfUsage(before, rest *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	sum := usagetotal.Add(before, rest)
	if before != nil && rest != nil {
		sum.InitialPromptTokenCount = cmp.Or(before.InitialPromptTokenCount,
			before.PromptTokenCount)
	}
	return sum
}
