package normalize

import (
	"cmp"
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// ErrNoCandidates is in the chain of the error of a converter whose clients wait for an answer, for a response
// that holds none and does not say that the prompt was refused.
var ErrNoCandidates = errors.New("normalize: the response has neither candidates nor a block reason")

// BlockedError reports that the prompt was refused, so that nothing was generated. Sending the same
// prompt again does not help.
type BlockedError struct {
	// Reason is the wire's reason; "" when a reason is there and does not say which, or only Message is.
	Reason geminiapi.BlockReason
	// Message explains the reason in English, "" where the wire does not (the Gemini API never
	// does).
	Message string
	// SafetyRatings are the safety filters' ratings of the prompt; often empty.
	SafetyRatings []geminiapi.SafetyRating
	// Response is what else the response has: id, model, usage, the feedback as it came, and
	// candidates if it had any, which is not how Google answers. It is never nil in an error of
	// this package.
	Response *Response
}

// Blocked returns the refusal of the prompt, nil when it was not refused. That there is a block reason
// decides, whatever it is; one that does not say which, and the message for one, are enough where there are no
// candidates.
func (r *Response) Blocked() *BlockedError { return newBlockedError(r, len(r.Candidates) > 0) }

// newBlockedError does the same for a response whose candidates are not in r.
func newBlockedError(r *Response, hasCandidates bool) *BlockedError {
	if r.PromptFeedback == nil {
		return nil
	}
	reason := r.PromptFeedback.BlockReason
	hasMessage := jsonx.Deref(r.PromptFeedback.BlockReasonMessage) != ""
	isAnswered := hasCandidates && jsonx.Deref(reason) == "" // a reason that was null says nothing beside an answer
	if isAnswered || reason == nil && !hasMessage {
		return nil
	}
	return &BlockedError{
		Reason:        jsonx.Deref(reason),
		Message:       jsonx.Deref(r.PromptFeedback.BlockReasonMessage),
		SafetyRatings: r.PromptFeedback.SafetyRatings,
		Response:      r,
	}
}

// Error returns one line such as "normalize: Prompt blocked: SAFETY", with the message, if there is
// one, behind another colon.
func (e *BlockedError) Error() string {
	text := "normalize: Prompt blocked: " + cmp.Or(string(e.Reason), "Unknown reason")
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Category returns [CategoryContentFilter].
func (e *BlockedError) Category() Category { return CategoryContentFilter }

// PartError reports a part of the content that cannot be understood and must not be passed over.
type PartError struct {
	// Pointer is the JSON pointer (RFC 6901) of the member at fault, or of the object that lacks it.
	Pointer string
	// Problem is what is wrong, for example "functionCall missing 'name' field".
	Problem string
	// Err is the cause, nil when there is none.
	Err error
}

// What can be wrong with a part.
const (
	problemNoName  = "functionCall missing 'name' field"
	problemName    = "functionCall 'name' is not a string"
	problemArgs    = "functionCall 'args' is not JSON"
	problemNotText = "Part 'text' is not a string"
)

// Error returns one line such as
// "normalize: /candidates/0/content/parts/1/functionCall: functionCall missing 'name' field".
func (e *PartError) Error() string {
	return "normalize: " + jsonx.ShortenPointer(e.Pointer) + ": " + e.Problem
}

// Location returns Pointer; the offset is -1, as there is none.
func (e *PartError) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns Problem.
func (e *PartError) Reason() string { return e.Problem }

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }

// errorEnvelope gives a *gemini.Error the text that belongs to an error in place of a response.
type errorEnvelope struct{ err *gemini.Error }

// envelopeError returns nil when the response is none of errors.
func envelopeError(r *geminiapi.GenerateContentResponse) error {
	if !gemini.IsError(r) {
		return nil
	}
	return &errorEnvelope{gemini.DecodeError(0, nil, r.Unknown)}
}

func (e *errorEnvelope) Error() string {
	return "normalize: API error: " + cmp.Or(e.err.Message, unknownError)
}

func (e *errorEnvelope) Unwrap() error { return e.err }
