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

// ErrNoCandidates is wrapped by the error of a converter for a response that has no candidate and
// does not say that the prompt was refused. A client that waits for an answer then gets an error.
var ErrNoCandidates = errors.New("normalize: the response has neither candidates nor a block reason")

// BlockedError reports that the prompt was refused, so the model generated nothing. Sending the
// same prompt again does not help.
type BlockedError struct {
	// Reason is the wire's reason. It is "" if the wire's reason is empty or only Message is set.
	Reason geminiapi.BlockReason
	// Message explains the reason in English, "" if the wire does not. The Gemini API never does.
	Message string
	// SafetyRatings are the safety filters' ratings of the prompt; often empty.
	SafetyRatings []geminiapi.SafetyRating
	// Response is the rest of the response: id, model, usage and the feedback as it arrived. It
	// also has the candidates, if any; Google sends none with a refusal. Response is never nil in
	// an error that this package returns.
	Response *Response
}

// Blocked returns the refusal of the prompt, or nil if the prompt was not refused. Any block reason
// is a refusal. If there are no candidates, an empty reason or only a message is a refusal, too.
func (r *Response) Blocked() *BlockedError { return newBlockedError(r, len(r.Candidates) > 0) }

// newBlockedError does the same as Blocked for a response whose candidates are not in r.
func newBlockedError(r *Response, hasCandidates bool) *BlockedError {
	if r.PromptFeedback == nil {
		return nil
	}
	reason := r.PromptFeedback.BlockReason
	hasMessage := jsonx.Deref(r.PromptFeedback.BlockReasonMessage) != ""
	// a null reason next to an answer means nothing
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

// Error returns one line such as "normalize: Prompt blocked: SAFETY". If there is a message, it
// follows after another colon.
func (e *BlockedError) Error() string {
	text := "normalize: Prompt blocked: " + cmp.Or(string(e.Reason), "Unknown reason")
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Category returns [CategoryContentFilter].
func (e *BlockedError) Category() Category { return CategoryContentFilter }

// PartError reports a part of the content that cannot be understood and must not be skipped.
type PartError struct {
	// Pointer is the JSON pointer (RFC 6901) of the invalid member, or of the object that lacks a
	// member.
	Pointer string
	// Problem says what is wrong, for example "functionCall missing 'name' field".
	Problem string
	// Err is the cause, nil if the error has none.
	Err error
}

// The possible problems of a part.
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

// Location returns Pointer. The offset is always -1, because a part has none.
func (e *PartError) Location() (pointer string, offset int64) { return e.Pointer, -1 }

// Reason returns Problem.
func (e *PartError) Reason() string { return e.Problem }

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }

// errorEnvelope adds to a *gemini.Error the text of an error that replaces a response.
type errorEnvelope struct{ err *gemini.Error }

// envelopeError returns nil if the response is not an error envelope.
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

// errorForm is the JSON form of an [Error]. It leaves out Err.
type errorForm struct {
	Category     Category `json:"category"`
	HTTPStatus   int      `json:"http_status,omitzero"`
	Message      string   `json:"message"`
	ProviderCode string   `json:"provider_code,omitzero"`
	RetryAfterMS int64    `json:"retry_after_ms,omitzero"`
}

// MarshalJSONTo writes the error as an object with category, http_status, message, provider_code
// and retry_after_ms (milliseconds). A number that is 0 is left out, and so is Err.
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
