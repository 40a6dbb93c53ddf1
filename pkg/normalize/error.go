package normalize

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrNoCandidates is in the chain of the error of a converter whose clients wait for an answer, for
// a response that holds none and does not say that the prompt was refused.
var ErrNoCandidates = errors.New("normalize: the response has neither candidates nor a block reason")

// BlockedError reports that the prompt was refused, so that nothing was generated. Sending the same
// prompt again does not help.
type BlockedError struct {
	// Reason is the wire's reason; "" when a reason is there and does not say which, or only
	// Message is.
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

// Blocked returns the refusal of the prompt, nil when it was not refused. That there is a block
// reason decides, whatever it is; one that does not say which, and the message for one, are enough
// where there are no candidates.
func (r *Response) Blocked() *BlockedError { return newBlockedError(r, len(r.Candidates) > 0) }

// newBlockedError does the same for a response whose candidates are not in r.
func newBlockedError(r *Response, hasCandidates bool) *BlockedError {
	if r.PromptFeedback == nil {
		return nil
	}
	reason := r.PromptFeedback.BlockReason
	hasMessage := jsonx.Deref(r.PromptFeedback.BlockReasonMessage) != ""
	// a reason that was null says nothing beside an answer
	isAnswered := hasCandidates && jsonx.Deref(reason) == ""
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
	// Pointer is the JSON pointer (RFC 6901) of the member at fault, or of the object that lacks
	// it.
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

// errorForm is the JSON form of an [Error]. It leaves out the error that an Error describes.
type errorForm struct {
	Category     Category `json:"category"`
	HTTPStatus   int      `json:"http_status,omitzero"`
	Message      string   `json:"message"`
	ProviderCode string   `json:"provider_code,omitzero"`
	RetryAfterMS int64    `json:"retry_after_ms,omitzero"`
}

// MarshalJSONTo writes the error as an object with category, http_status, message, provider_code
// and retry_after_ms, a number of milliseconds, each of the numbers only if it is not 0. Err is
// left out.
func (e *Error) MarshalJSONTo(enc *jsontext.Encoder) error {
	return json.MarshalEncode(enc, &errorForm{
		Category:     e.Category,
		HTTPStatus:   e.HTTPStatus,
		Message:      strings.ToValidUTF8(e.Message, "\uFFFD"),
		ProviderCode: e.ProviderCode,
		RetryAfterMS: e.RetryAfter.Milliseconds(),
	})
}

// UnmarshalJSONFrom reads what [Error.MarshalJSONTo] writes.
func (e *Error) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var form errorForm
	if err := json.UnmarshalDecode(dec, &form); err != nil {
		return err
	}
	*e = Error{
		Category:     form.Category,
		HTTPStatus:   form.HTTPStatus,
		Message:      form.Message,
		ProviderCode: form.ProviderCode,
		RetryAfter:   time.Duration(form.RetryAfterMS) * time.Millisecond,
	}
	return nil
}
